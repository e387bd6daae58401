//! The files below a folder.

use super::places::Places;
use super::warn;
use crate::agents::files::{below, location};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
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
pub(super) fn files(visit: &mut Visit<'_>, places: &Places, root: &str, rules: WalkRules) -> Vec<String> {
    if visit.kind(root) != Some(PathKind::Folder) {
        return Vec::new();
    }
    let above = vec![visit.files.real(root)];
    let mut walk = Walk { visit, places, rules, above, found: Vec::new() };
    walk.enter(root);
    walk.found
}

/// The files directly in a folder.
pub(super) fn files_in(visit: &mut Visit<'_>, places: &Places, folder: &str) -> Vec<String> {
    let paths = entries(visit, places, folder).into_iter().map(|entry| below(folder, &entry.name));
    paths.filter(|path| visit.kind(path) == Some(PathKind::File)).collect()
}

/// What a folder holds, as long as all searches together read few enough names.
fn entries(visit: &mut Visit<'_>, places: &Places, folder: &str) -> Vec<StoreEntry> {
    let mut entries = visit.files.list(folder).unwrap_or_default();
    if !is_within_budget(visit, places, folder, entries.len()) {
        return Vec::new();
    }
    entries.retain(|entry| entry.is_named);
    entries
}

/// The path, if a file is there and searches may go on.
pub(super) fn file(visit: &mut Visit<'_>, places: &Places, path: String) -> Option<String> {
    (is_within_budget(visit, places, &path, 1) && visit.kind(&path) == Some(PathKind::File)).then_some(path)
}

/// Counts the names that a search reads, and warns when there are too many.
fn is_within_budget(visit: &mut Visit<'_>, places: &Places, path: &str, names: usize) -> bool {
    let is_first = places.names_left() > 0;
    let is_within = places.take_names(names);
    if is_first && !is_within {
        let most = thousands(limits::SKILL_NAMES);
        let at = location(path, "search", None);
        visit.diagnostics.push(Diagnostic::at(Problem::SkillsTooMany { most }, at));
    }
    is_within
}

struct Walk<'w, 'v> {
    visit: &'w mut Visit<'v>,
    places: &'w Places,
    rules: WalkRules,
    /// The real paths of the folder that is read and of those above it.
    above: Vec<String>,
    found: Vec<String>,
}

impl Walk<'_, '_> {
    fn enter(&mut self, folder: &str) {
        for entry in entries(self.visit, self.places, folder) {
            let path = below(folder, &entry.name);
            match entry.followed(self.visit.files, || path.clone()) {
                Some(PathKind::File) => self.found.push(path),
                Some(PathKind::Folder) => self.meet(&entry, &path),
                // Records a link that leads nowhere.
                None if path.ends_with(".md") => drop(self.visit.is_file(Slot::SystemContext, &path)),
                None => {}
            }
        }
    }

    fn meet(&mut self, entry: &StoreEntry, folder: &str) {
        let is_skipped = !self.rules.enters_dots && entry.name.starts_with('.');
        if is_skipped || entry.is_link && !self.rules.follows_links {
            return;
        }
        let real = if entry.is_link {
            self.visit.files.real(folder)
        } else {
            below(self.above.last().map_or("", String::as_str), &entry.name)
        };
        if entry.is_link && self.above.contains(&real) {
            let does = "follows this circular link several times".to_string();
            warn(self.visit, location(folder, "search", None), does, "delete the link");
            return;
        }
        self.above.push(real);
        self.enter(folder);
        self.above.pop();
    }
}
