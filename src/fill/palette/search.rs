//! The items of a kind in one tier, in byte order of ids. An id is listed once, with the first extension that has it.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::read::limits;
use crate::read::store::{ItemKind, Tiers};

/// The file of an item in one tier.
#[derive(Debug, PartialEq)]
pub(crate) struct ItemFile {
    pub path: String,
    pub id: String,
}

/// The items below a folder, in byte order of paths; folders and items with `excluded` names are left out.
///
/// # Errors
///
/// A folder cannot be listed, or the tree is too large.
pub(crate) fn below(
    tiers: &Tiers,
    tier: usize,
    kind: ItemKind,
    folder: &str,
    excluded: &HashSet<String>,
) -> Result<Vec<ItemFile>, Diagnostic> {
    let (mut hits, _) = without_errors(walk(tiers, tier, kind, folder, excluded))?;
    hits.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(hits)
}

/// The items of a whole tier, with warnings about files that no id can name.
///
/// # Errors
///
/// As [`below`].
pub(crate) fn all(
    tiers: &Tiers,
    tier: usize,
    kind: ItemKind,
    excluded: &HashSet<String>,
) -> Result<(Vec<ItemFile>, Vec<Diagnostic>), Diagnostic> {
    without_errors(walk(tiers, tier, kind, "", excluded))
}

/// Fails if a folder cannot be listed, since it may hold items. A file that no id can name is not an item.
fn without_errors(
    (hits, mut found): (Vec<ItemFile>, Vec<Diagnostic>),
) -> Result<(Vec<ItemFile>, Vec<Diagnostic>), Diagnostic> {
    match found.iter().position(|diagnostic| diagnostic.severity() == Severity::Error) {
        Some(error) => Err(found.swap_remove(error)),
        None => Ok((hits, found)),
    }
}

/// The items that can be listed, and a diagnostic for each folder that cannot and each file that no id can name.
pub(crate) fn readable(tiers: &Tiers, tier: usize, kind: ItemKind) -> (Vec<ItemFile>, Vec<Diagnostic>) {
    readable_below(tiers, tier, kind, "")
}

pub(crate) fn readable_below(
    tiers: &Tiers,
    tier: usize,
    kind: ItemKind,
    folder: &str,
) -> (Vec<ItemFile>, Vec<Diagnostic>) {
    walk(tiers, tier, kind, folder, &HashSet::new())
}

fn walk(
    tiers: &Tiers,
    tier: usize,
    kind: ItemKind,
    folder: &str,
    excluded: &HashSet<String>,
) -> (Vec<ItemFile>, Vec<Diagnostic>) {
    let root = kind.folder();
    let top = if folder.is_empty() { root.to_string() } else { format!("{root}/{folder}") };
    let mut unreadable = Vec::new();
    if folder.split('/').any(|part| excluded.contains(part)) {
        return (Vec::new(), unreadable);
    }
    // Each with the index of its extension.
    let mut hits: Vec<(ItemFile, usize)> = Vec::new();
    let mut folders = vec![top.clone()];
    let mut seen = 0;
    'folders: while let Some(folder) = folders.pop() {
        let entries = match tiers.all_entries(tier, &folder) {
            Ok(entries) => entries,
            Err(error) => {
                unreadable.push(error);
                continue;
            }
        };
        for entry in entries {
            seen += 1;
            if seen > limits::SEARCHED {
                let reason = format!("it holds more than {} files and folders", limits::SEARCHED);
                unreadable.push(Diagnostic::at(Problem::Unreadable { reason }, tiers.place(tier, top)));
                break 'folders;
            }
            let path = format!("{folder}/{}", entry.name);
            if excluded.contains(&entry.name) {
                continue;
            }
            let order = |extension| kind.extensions().iter().position(|known| *known == extension);
            let item = entry.name.rsplit_once('.').and_then(|(stem, end)| Some((stem, end, order(end)?)));
            match item {
                _ if !entry.is_named && (entry.is_folder || item.is_some()) => {
                    unreadable.push(Diagnostic::at(Problem::NameNotUtf8, tiers.place(tier, path)));
                }
                _ if !entry.is_named => {}
                _ if entry.is_folder => folders.push(path),
                Some((stem, extension, order)) if !stem.is_empty() && !excluded.contains(stem) => {
                    // `path` is `root`, a slash, the id, a dot and the extension.
                    let id = path[root.len() + 1..path.len() - extension.len() - 1].to_string();
                    hits.push((ItemFile { path, id }, order));
                }
                _ => {}
            }
        }
    }
    // The items of each folder are already in order.
    hits.sort_by(|(a, left), (b, right)| a.id.cmp(&b.id).then(left.cmp(right)));
    hits.dedup_by(|(later, _), (first, _)| later.id == first.id);
    (hits.into_iter().map(|(hit, _)| hit).collect(), unreadable)
}
