//! What became of the files of the project in the prompts of the readers.

use std::collections::{BTreeMap, HashMap};

use super::AgentFolder;
use super::readers::ReaderSet;
use crate::agents::AgentLook;
use crate::prompt::{FileReason, FileState};

/// What became of a file. A reader that sends it in one folder and leaves it out in another sends it.
#[derive(Debug, Clone, Default)]
pub struct SeenFile {
    pub sent: ReaderSet,
    /// Left out for what the file is itself, not for another file.
    pub left_out: ReaderSet,
    /// By reader: how many bytes are sent if not all are.
    pub kept: BTreeMap<usize, usize>,
}

/// By path in the project. The looks are those of the readers with the indices.
pub fn seen_files<'l>(looks: &'l [(usize, AgentLook)], around: &AgentFolder) -> HashMap<&'l str, SeenFile> {
    let mut seen: HashMap<&str, SeenFile> = HashMap::new();
    for (index, file) in looks.iter().flat_map(|(index, look)| look.prompt.files.iter().map(move |file| (*index, file)))
    {
        let Some(path) = around.inside(&file.path) else { continue };
        let (reader, of_file) = (ReaderSet::one(index), seen.entry(path).or_default());
        let kept = match (file.state, file.why) {
            (FileState::Loaded, _) => usize::MAX,
            (FileState::Cut(kept), _) => kept,
            (FileState::LeftOut, Some(FileReason::Budget)) => 0,
            (FileState::LeftOut, Some(why)) if is_of_file(why) => {
                of_file.left_out = of_file.left_out.with(reader);
                continue;
            }
            _ => continue,
        };
        if kept > 0 {
            of_file.sent = of_file.sent.with(reader);
        }
        let most = of_file.kept.entry(index).or_default();
        *most = kept.max(*most);
    }
    for file in seen.values_mut() {
        file.left_out = file.left_out.without(file.sent);
        file.kept.retain(|_, kept| *kept < usize::MAX);
    }
    seen
}

fn is_of_file(why: FileReason) -> bool {
    use FileReason::{Empty, Excluded, Invalid, TooLarge};
    matches!(why, Empty | Excluded | Invalid | TooLarge)
}
