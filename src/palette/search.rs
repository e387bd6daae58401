use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::limits;
use crate::store::{ItemKind, Tiers};

#[derive(Debug, PartialEq)]
pub(crate) struct Hit {
    pub path: String,
    pub id: String,
}

/// What [`by_id`] finds, in byte order of paths.
pub(crate) fn below(
    tiers: &Tiers,
    tier: usize,
    kind: ItemKind,
    folder: &str,
    excluded: &HashSet<String>,
) -> Result<Vec<Hit>, Diagnostic> {
    let mut hits = by_id(tiers, tier, kind, folder, excluded)?;
    hits.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(hits)
}

/// The items of a kind below a folder of one tier (all of them for the empty folder), in byte order of ids.
///
/// An id stands once, with the first extension that has it. Folders and items of the `excluded` names are left out.
///
/// # Errors
///
/// Where a folder cannot be listed, or the tree is too large.
pub(crate) fn by_id(
    tiers: &Tiers,
    tier: usize,
    kind: ItemKind,
    folder: &str,
    excluded: &HashSet<String>,
) -> Result<Vec<Hit>, Diagnostic> {
    walk(tiers, tier, kind, folder, excluded, &mut unless_warning)
}

/// What [`by_id`] says of a whole tier, with warnings about what no id can name.
pub(crate) fn all(
    tiers: &Tiers,
    tier: usize,
    kind: ItemKind,
    excluded: &HashSet<String>,
) -> Result<(Vec<Hit>, Vec<Diagnostic>), Diagnostic> {
    let mut warnings = Vec::new();
    let mut note = |found: Diagnostic| {
        warnings.push(found.clone());
        unless_warning(found)
    };
    let hits = walk(tiers, tier, kind, "", excluded, &mut note)?;
    Ok((hits, warnings))
}

/// What no id can name is no item; a folder that cannot be listed may hold some.
fn unless_warning(found: Diagnostic) -> Result<(), Diagnostic> {
    if found.severity() < Severity::Error { Ok(()) } else { Err(found) }
}

/// All items of a kind in one tier, in byte order of ids; what cannot be listed, and warnings about what no id can name.
pub(crate) fn readable(tiers: &Tiers, tier: usize, kind: ItemKind) -> (Vec<Hit>, Vec<Diagnostic>) {
    readable_below(tiers, tier, kind, "")
}

pub(crate) fn readable_below(tiers: &Tiers, tier: usize, kind: ItemKind, folder: &str) -> (Vec<Hit>, Vec<Diagnostic>) {
    let mut unreadable = Vec::new();
    let mut note = |error| {
        unreadable.push(error);
        Ok(())
    };
    let hits = walk(tiers, tier, kind, folder, &HashSet::new(), &mut note);
    // Nothing ends the walk where nothing is an error.
    (hits.unwrap_or_default(), unreadable)
}

/// What [`by_id`] says; what cannot be listed is left out unless `unreadable` makes it an error.
fn walk(
    tiers: &Tiers,
    tier: usize,
    kind: ItemKind,
    folder: &str,
    excluded: &HashSet<String>,
    unreadable: &mut dyn FnMut(Diagnostic) -> Result<(), Diagnostic>,
) -> Result<Vec<Hit>, Diagnostic> {
    let root = kind.folder();
    let top = if folder.is_empty() { root.to_string() } else { format!("{root}/{folder}") };
    if folder.split('/').any(|part| excluded.contains(part)) {
        return Ok(Vec::new());
    }
    // With its extension's place in the order of extensions.
    let mut hits: Vec<(Hit, usize)> = Vec::new();
    let mut folders = vec![top.clone()];
    let mut seen = 0;
    'folders: while let Some(folder) = folders.pop() {
        let entries = match tiers.all_entries(tier, &folder) {
            Ok(entries) => entries,
            Err(error) => {
                unreadable(error)?;
                continue;
            }
        };
        for entry in entries {
            seen += 1;
            if seen > limits::SEARCHED {
                let at = tiers.place(tier, top);
                let reason = format!("it holds more than {} files and folders", limits::SEARCHED);
                unreadable(Diagnostic::at(Problem::Unreadable { reason }, at))?;
                break 'folders;
            }
            let path = format!("{folder}/{}", entry.name);
            if excluded.contains(&entry.name) {
                continue;
            }
            if !entry.is_named {
                if entry.is_folder || is_item(&entry.name, kind) {
                    unreadable(Diagnostic::at(Problem::NameNotUtf8, tiers.place(tier, path)))?;
                }
                continue;
            }
            if entry.is_folder {
                folders.push(path);
                continue;
            }
            let Some((stem, extension)) = entry.name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else {
                continue;
            };
            let order = kind.extensions().iter().position(|known| *known == extension);
            if let Some(order) = order.filter(|_| !excluded.contains(stem)) {
                // `path` is `root`, a slash, the id, a point and the extension.
                let id = path[root.len() + 1..path.len() - extension.len() - 1].to_string();
                hits.push((Hit { path, id }, order));
            }
        }
    }
    // Each folder's are in order already.
    hits.sort_by(|(a, left), (b, right)| a.id.cmp(&b.id).then(left.cmp(right)));
    hits.dedup_by(|(later, _), (first, _)| later.id == first.id);
    Ok(hits.into_iter().map(|(hit, _)| hit).collect())
}

fn is_item(name: &str, kind: ItemKind) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| kind.extensions().contains(&extension))
}
