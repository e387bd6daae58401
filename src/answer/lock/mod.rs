//! The prompt lock: a file with digests and token counts of all prompts, and the check against it.

mod file;
pub mod json;
#[cfg(test)]
mod testing;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::Serialize;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::answer::render::WriteError;
use crate::diagnostic::Location;
use crate::prompt::{FileOutcome, FileReason, FileState, Message, Prompt, ToolEntry, digest, tool_tokens};
use crate::read::limits;
use crate::read::store::{IsolatedStore, Store};
use crate::text::tokens::Tokenizer;
use crate::write::screen::{Escaping, Screen};

pub use file::{is_lock, read, write};

/// The first line of the file.
pub const FORMAT: &str = "rye-render.lock/1";

/// The default name of the file.
pub const NAME: &str = "rye-render.lock";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    pub setup: LockSetup,
    pub tokenizer: Tokenizer,
    /// All other flags that affect the prompts, as typed: `--model sonnet`.
    pub flags: Vec<String>,
    /// By directive id, or by agent and folder: `codex services/api`, `codex .`
    pub prompts: BTreeMap<String, Locked>,
}

/// Whose prompts a lock holds, and what determines them besides the files of the project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LockSetup {
    /// `None` for a lock of agents.
    pub protocol: Option<String>,
    /// The labels of the tiers in search order; none for agents.
    pub tiers: Vec<String>,
    /// The agents with the releases whose rules apply, sorted: `codex@0.169.0`, `sf`; none for directives.
    pub agents: Vec<String>,
}

impl LockSetup {
    /// The part that may differ between a lock and a check, with its key in the file.
    fn listed(&self) -> (&'static str, &[String]) {
        if self.protocol.is_some() { ("tiers", &self.tiers) } else { ("agents", &self.agents) }
    }
}

/// The digests of the messages, tools and files of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Locked {
    #[serde(flatten)]
    pub messages: Digest,
    /// Null if there are no tools. The digest covers the list of `[name, description, input_schema]`.
    pub tools: Option<Digest>,
    /// Null for directives. The digest covers the list of `[path, state, why, at, sha256]` of the files that the agent
    /// looks at. `sha256` is that of a file that joins later, whose tokens count here, and null for other files.
    pub files: Option<Digest>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Digest {
    /// SHA-256 of the JSON, in lower-case hex digits.
    pub sha256: String,
    pub tokens: usize,
}

impl Locked {
    pub fn new(prompt: &Prompt, tokenizer: Tokenizer) -> Self {
        let tokens = prompt.messages.iter().map(|message| tokenizer.count(message.text())).sum();
        let messages = Digest { sha256: digest::sha256(&prompt.messages), tokens };
        let tools = (!prompt.tools.is_empty()).then(|| Digest {
            sha256: digest::sha256_of_tools(&prompt.tools),
            tokens: tool_tokens(prompt.tools.iter().map(ToolEntry::text), tokenizer),
        });
        Self { messages, tools, files: None }
    }

    /// All parts together.
    pub fn tokens(&self) -> usize {
        self.messages.tokens + [&self.tools, &self.files].into_iter().flatten().map(|part| part.tokens).sum::<usize>()
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum LockFormat {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Clone, Copy)]
pub struct LockView<'a> {
    pub format: LockFormat,
    /// The name of the lock file.
    pub file: &'a str,
    pub screen: Screen,
}

/// Writes the differences. Makes many small writes, so `out` should be buffered.
pub fn write_check(check: &Check, view: &LockView<'_>, out: &mut dyn io::Write) -> Result<(), WriteError> {
    match view.format {
        LockFormat::Text => Ok(text::write(check, view, out)?),
        LockFormat::Json => Ok(view.screen.write_escaped(Escaping::Json, out, |out| json::write(check, view, out))?),
    }
}

/// The prompts compared with a lock.
#[derive(Debug)]
pub struct Check {
    pub locked: Lock,
    pub found: Lock,
    /// Sorted by id.
    pub differences: Vec<LockDifference>,
    /// The prompts that cannot be rendered, which are not compared.
    pub failed: BTreeSet<String>,
}

/// A prompt that differs from the lock.
#[derive(Debug, Clone, PartialEq)]
pub struct LockDifference {
    pub id: String,
    /// The file of its directive, if it exists; `None` for an agent.
    pub place: Option<Location>,
    /// `None` for a new prompt.
    pub before: Option<Locked>,
    /// `None` for a prompt that no longer exists.
    pub after: Option<Locked>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum LockChange {
    Changed,
    New,
    Gone,
}

impl LockDifference {
    pub fn change(&self) -> LockChange {
        match (&self.before, &self.after) {
            (None, _) => LockChange::New,
            (_, None) => LockChange::Gone,
            _ => LockChange::Changed,
        }
    }
}

impl Check {
    /// `places`: the file of every directive, including those that failed.
    pub fn new(locked: Lock, found: Lock, places: &BTreeMap<String, Location>, failed: BTreeSet<String>) -> Self {
        let ids: BTreeSet<&String> = locked.prompts.keys().chain(found.prompts.keys()).collect();
        let differences = ids.into_iter().filter(|id| !failed.contains(*id)).filter_map(|id| {
            let [before, after] = [&locked, &found].map(|lock| lock.prompts.get(id).cloned());
            let place = places.get(id).cloned();
            (before != after).then(|| LockDifference { id: id.clone(), place, before, after })
        });
        let differences = differences.collect();
        Self { locked, found, differences, failed }
    }

    /// Whether the prompts, and the tiers or agents, match the lock.
    pub fn is_same(&self) -> bool {
        self.differences.is_empty() && !self.has_other_setup()
    }

    pub fn has_other_setup(&self) -> bool {
        self.locked.setup != self.found.setup
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::lock::testing::{lock, of_tiers, prompt};

    #[test]
    fn every_difference_is_named() {
        let locked = lock(&[("changed", prompt(1, None)), ("gone", prompt(2, None)), ("same", prompt(3, Some(4)))]);
        let found = lock(&[("changed", prompt(1, Some(1))), ("new", prompt(5, None)), ("same", prompt(3, Some(4)))]);
        let check = Check::new(locked, found, &BTreeMap::new(), BTreeSet::new());
        let named: Vec<_> = check.differences.iter().map(|one| (one.id.as_str(), one.change())).collect();
        assert_eq!(named, [("changed", LockChange::Changed), ("gone", LockChange::Gone), ("new", LockChange::New)]);
        assert!(!check.is_same());
    }

    #[test]
    fn a_failed_directive_is_not_a_difference() {
        let locked = lock(&[("broken", prompt(1, None))]);
        let failed = BTreeSet::from(["broken".to_string()]);
        assert!(Check::new(locked, lock(&[]), &BTreeMap::new(), failed).is_same());
    }

    #[test]
    fn different_tiers_are_a_difference() {
        let locked = Lock { setup: of_tiers(&["project", "system:std"]), ..lock(&[]) };
        assert!(!Check::new(locked, lock(&[]), &BTreeMap::new(), BTreeSet::new()).is_same());
    }
}
