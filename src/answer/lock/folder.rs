//! The digests of an agent's prompt in a folder.

use serde::Serialize;

use super::{Digest, Locked};
use crate::prompt::digest;
use crate::prompt::{FileOutcome, FileReason, FileState, Message, Prompt};
use crate::read::limits;
use crate::read::store::{IsolatedStore, Store};
use crate::text::tokens::Tokenizer;

impl Locked {
    /// `files` is the store that the prompt was read from.
    pub fn in_folder(prompt: &Prompt, files: &IsolatedStore, tokenizer: Tokenizer) -> Self {
        let known = prompt.messages.iter().filter_map(Message::known);
        let tokens = known.map(|text| tokenizer.count(&text)).sum();
        let messages = Digest { sha256: digest::sha256(&prompt.messages), tokens };
        let mut later = 0;
        let files: Vec<_> = prompt.files.iter().filter_map(|file| locked(file, files, tokenizer, &mut later)).collect();
        let files = Digest { sha256: digest::of_json(&files), tokens: later };
        Self { messages, tools: None, files: Some(files) }
    }
}

#[derive(Serialize)]
struct LockedFile<'a>(&'a str, &'static str, Option<&'static str>, Option<usize>, Option<String>);

/// `None` for a file of the machine, and for one that the agent does not read.
fn locked<'a>(
    file: &'a FileOutcome,
    files: &IsolatedStore,
    tokenizer: Tokenizer,
    later: &mut usize,
) -> Option<LockedFile<'a>> {
    let path = file.path.strip_prefix(IsolatedStore::TOP)?.strip_prefix('/')?;
    if file.why == Some(FileReason::NotRead) {
        return None;
    }
    let (mut at, mut joins) = (None, None);
    match file.state {
        FileState::Cut(end) => at = Some(end),
        FileState::OnDemand => {
            let bytes = files.read(&file.path, limits::FILE_BYTES).unwrap_or_default();
            *later += tokenizer.count(&String::from_utf8_lossy(&bytes));
            joins = Some(digest::sha256_of_bytes(&bytes));
        }
        FileState::Loaded | FileState::Listed | FileState::Applied | FileState::LeftOut => {}
    }
    Some(LockedFile(path, file.state.into_str(), file.why.map(|why| why.into_str()), at, joins))
}
