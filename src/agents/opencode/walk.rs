//! The files below a folder.

use super::warn;
use crate::agents::files::{below, location};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::Slot;
use crate::read::limits;
use crate::read::store::{PathKind, StoreEntry};
use crate::text::numbers::thousands;

/// Which folders are entered.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkRules {
    pub enters_dots: bool,
    pub follows_links: bool,
}

/// Everything that a glob with `dot` and `follow` finds.
pub(super) const ALL: WalkRules = WalkRules { enters_dots: true, follows_links: true };

/// The files below a folder, in the order of their names. A link to a folder above it is not followed.
pub(super) fn files(visit: &mut Visit<'_>, root: &str, rules: WalkRules) -> Vec<String> {
    if visit.kind(root) != Some(PathKind::Folder) {
        return Vec::new();
    }
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let real = visit.real(root);
    open.push(OpenFolder { path: root.to_string(), real, entries: entries(visit, root).into_iter() });
    while let Some(folder) = open.last_mut() {
        let Some(entry) = folder.entries.next() else {
            open.pop();
            continue;
        };
        let path = below(&folder.path, &entry.name);
        match entry.followed(visit.files, || path.clone()) {
            Some(PathKind::File) => found.push(path),
            Some(PathKind::Folder) => {
                if let Some(real) = entered(visit, &open, &entry, &path, rules) {
                    let entries = entries(visit, &path).into_iter();
                    open.push(OpenFolder { path, real, entries });
                }
            }
            // Records a link that leads nowhere.
            None if path.ends_with(".md") => drop(visit.is_file(Slot::SystemContext, &path)),
            None => {}
        }
    }
    found
}

/// The files directly in a folder.
pub(super) fn files_in(visit: &mut Visit<'_>, folder: &str) -> Vec<String> {
    let paths = entries(visit, folder).into_iter().map(|entry| below(folder, &entry.name));
    paths.filter(|path| visit.kind(path) == Some(PathKind::File)).collect()
}

/// What a folder holds, as long as all searches together read few enough names.
fn entries(visit: &mut Visit<'_>, folder: &str) -> Vec<StoreEntry> {
    if visit.names.is_over() {
        return Vec::new();
    }
    let mut entries = visit.files.listed(folder).unwrap_or_default();
    if !is_within_budget(visit, folder, entries.len()) {
        return Vec::new();
    }
    entries.retain(|entry| entry.is_named);
    entries
}

/// The path, if a file is there and searches may go on.
pub(super) fn file(visit: &mut Visit<'_>, path: String) -> Option<String> {
    (is_within_budget(visit, &path, 1) && visit.kind(&path) == Some(PathKind::File)).then_some(path)
}

/// Counts the names that a search reads, and warns when there are too many.
fn is_within_budget(visit: &mut Visit<'_>, path: &str, names: usize) -> bool {
    let was_over = visit.names.is_over();
    visit.names.take(names);
    let is_over = visit.names.is_over();
    if is_over && !was_over {
        let most = thousands(limits::SKILL_NAMES);
        visit.report_at(Problem::SkillsTooMany { most }, location(path, "search", None));
    }
    !is_over
}

/// A folder that is read.
struct OpenFolder {
    path: String,
    real: String,
    entries: std::vec::IntoIter<StoreEntry>,
}

/// The real path of a folder below the last one; `None` if it is not entered.
fn entered(
    visit: &mut Visit<'_>,
    open: &[OpenFolder],
    entry: &StoreEntry,
    folder: &str,
    rules: WalkRules,
) -> Option<String> {
    let is_skipped = !rules.enters_dots && entry.name.starts_with('.');
    if is_skipped || entry.is_link && !rules.follows_links {
        return None;
    }
    if !entry.is_link {
        return Some(below(&open.last()?.real, &entry.name));
    }
    let real = visit.real(folder);
    if open.iter().any(|above| above.real == real) {
        let does = "follows this circular link several times".to_string();
        warn(visit, location(folder, "search", None), does, "delete the link");
        return None;
    }
    Some(real)
}
