//! The folders that `diff --all` and `lock` cover.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::arguments::PromptFlags;
use super::resolve::tier_arguments;
use crate::diagnostic::Diagnostic;
use crate::read::store::{
    ItemKind, PathKind, ReadError, Snapshot, Store as _, Surroundings, TierArguments, find_project,
};
use crate::system::text;

/// Whether a flag says that the prompts are those of directives.
pub(super) fn names_directives(flags: &PromptFlags) -> bool {
    flags.protocol.is_some() || flags.tiers.project.is_some() || !flags.tiers.system.is_empty()
}

/// Whether the prompts are those of directives if no flag names an agent: on disk, or in the snapshot.
pub(super) fn has_directives(
    flags: &PromptFlags,
    snapshot: Option<&Snapshot>,
    here: &Surroundings<'_>,
) -> Result<bool, Diagnostic> {
    let arguments = TierArguments { snapshot: snapshot.cloned(), ..tier_arguments(&flags.tiers, None) };
    let folder = ItemKind::Directive.folder();
    let kind = |root: PathBuf| match snapshot {
        Some(snapshot) => Some(snapshot.store(&snapshot.within(&root)?, true).kind(folder)),
        None => Some(here.disk.whole().kind(&text(&root.join(folder)))),
    };
    let has_folder = |kind| match kind {
        Ok(kind) => kind == PathKind::Folder,
        // A folder that cannot be read may have directives.
        Err(error) => !matches!(error, ReadError::NotFound),
    };
    let project = find_project(&arguments, here)?;
    Ok(names_directives(flags) || project.and_then(kind).is_some_and(has_folder))
}

/// The top of the repository, as the empty string, and every folder to which one of the files gives instructions. `names` are
/// those of files and folders that do.
pub(super) fn with_instructions<'f>(files: &'f [String], names: &[String]) -> BTreeSet<&'f str> {
    [""].into_iter().chain(files.iter().filter_map(|path| folder_of(path, names))).collect()
}

/// `codex services/api`, `codex .`
pub(super) fn id(agent: &str, folder: &str) -> String {
    format!("{agent} {}", if folder.is_empty() { "." } else { folder })
}

/// The folder to which a file gives instructions: `api` for `api/AGENTS.md` and `api/.claude/rules/a.md`. `None` for any
/// other file.
fn folder_of<'p>(path: &'p str, names: &[String]) -> Option<&'p str> {
    let mut start = 0;
    for name in path.split('/') {
        if names.iter().any(|known| known == name) {
            return Some(path[..start].trim_end_matches('/'));
        }
        start += name.len() + 1;
    }
    None
}
