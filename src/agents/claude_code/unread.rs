//! States of instruction files that the agent passes over, though people expect it to look at them.

use super::folders::{DOT_FOLDER, DecidingFolders};
use super::policy::{AGENTS_FILE, FILE, LOCAL_FILE};
use super::texts::SLOT;
use crate::agents::files::{ancestors, below};
use crate::agents::visit::Visit;
use crate::prompt::FileReason;
use crate::read::store::PathKind;

/// Marks files without a state that are named like instruction files.
pub(super) fn find(visit: &mut Visit<'_>, folders: &DecidingFolders) {
    let with_dot = |folder: &str| [folder.to_string(), below(folder, DOT_FOLDER)];
    let all = ancestors(&folders.cwd).chain(folders.added.iter().map(String::as_str)).flat_map(with_dot);
    for folder in all.chain([folders.config.clone()]) {
        for entry in visit.files.list(&folder).unwrap_or_default() {
            let is_named = |name: &&str| name.eq_ignore_ascii_case(&entry.name);
            if ![FILE, LOCAL_FILE, AGENTS_FILE].iter().any(is_named) {
                continue;
            }
            let path = below(&folder, &entry.name);
            if visit.kind(&path) == Some(PathKind::File) {
                visit.left_out(SLOT, &path, FileReason::NotRead, None);
            }
        }
    }
}
