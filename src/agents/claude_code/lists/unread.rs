//! Files that look like those of the lists, in folders on the way that the agent does not search.

use super::places::{ListKind, SLOT, Search};
use crate::agents::claude_code::folders::DOT_FOLDER;
use crate::agents::files::{ancestors, below};
use crate::agents::visit::Visit;
use crate::prompt::FileReason;

/// A folder in which other agents look for skills.
const OTHER_FOLDER: &str = ".agents";

/// Gives them their state.
pub(super) fn find(visit: &mut Visit<'_>, search: &mut Search<'_>) {
    let cwd = visit.request.cwd.clone();
    for (kind, dot) in
        ListKind::ALL.map(|kind| (kind, DOT_FOLDER)).into_iter().chain([(ListKind::Skills, OTHER_FOLDER)])
    {
        let folders = ancestors(&cwd).map(|folder| kind.folder(&below(folder, dot))).collect();
        for place in search.unread(visit, kind, folders) {
            for file in search.files(visit, &place) {
                visit.left_out(SLOT, &file.path, FileReason::NotRead, None);
            }
        }
    }
}
