//! What joins when the agent reads a file: instruction files between the working folder and the file.

use std::collections::HashSet;

use super::instructions::names;
use super::places::{AgentFolders, Switches, exists};
use super::{under_heading, warn};
use crate::agents::decoding::Decoding;
use crate::agents::files::{ancestors, below, parent};
use crate::agents::instructions::InstructionFile;
use crate::agents::visit::Visit;
use crate::prompt::{FileState, LayerKind, Role, Slot};
use crate::text::Traced;

const SLOT: Slot = Slot::UserOnDemand;

/// Writes what joins because of each touched file. `met` holds the paths of the texts that are there already.
pub(super) fn write(visit: &mut Visit<'_>, places: &AgentFolders, switches: &Switches, mut met: HashSet<String>) {
    for file in visit.request.touch.clone() {
        visit.draft.touch(&file);
        let mut joining = Vec::new();
        for path in candidates(visit, places, switches, &file) {
            if path != file && met.insert(path.clone()) {
                let text = visit.text(&path, "cwd", Decoding::WithoutMark).ok();
                let text = text.filter(|text| !text.text().is_empty());
                joining.extend(text.map(|text| InstructionFile { path, text }));
            }
        }
        if !joining.is_empty() {
            reminder(visit, places, &joining);
        }
    }
}

/// The first name that exists in each folder from the file's own up. A folder counts if its path begins with the text of
/// the working folder's.
fn candidates(visit: &Visit<'_>, places: &AgentFolders, switches: &Switches, file: &str) -> Vec<String> {
    let counts = |folder: &&str| folder.starts_with(&places.cwd) && *folder != places.cwd;
    let folders = ancestors(parent(file).unwrap_or("/")).take_while(counts);
    let first = |folder: &str| names(switches).map(|name| below(folder, name)).find(|path| exists(visit, path));
    folders.filter_map(first).collect()
}

fn reminder(visit: &mut Visit<'_>, places: &AgentFolders, files: &[InstructionFile]) {
    visit.draft.message(Role::User);
    let mut before = "<system-reminder>\n";
    for file in files {
        visit.draft.separate(before);
        before = "\n\n";
        let text = under_heading(file, &Traced::raw(&file.text));
        let layer = visit.draft.part(SLOT, LayerKind::Context, &file.path, &text);
        visit.stands(&file.path, FileState::OnDemand, layer);
        if !file.path.starts_with(&below(&places.cwd, "")) {
            let does = "adds this text, because the folder's path begins like that of the working folder".to_string();
            warn(visit, file.text.slice(0..0), does, "rename one of the folders");
        }
    }
    visit.draft.separate("\n</system-reminder>");
}
