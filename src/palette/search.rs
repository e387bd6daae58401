use std::collections::HashSet;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::store::{ItemKind, Tiers};

/// Most entries of folders that one walk looks at.
const MOST_ENTRIES: usize = 100_000;

/// The file of an item in one tier.
#[derive(Debug, PartialEq)]
pub(super) struct Hit {
    pub path: String,
    pub id: String,
}

/// The items of a kind below a folder of one tier (all of them for the empty folder), in byte order of paths.
///
/// An id stands once, with the first extension that has it. Folders and items of the `excluded` names are left out.
///
/// # Errors
///
/// Where a folder cannot be listed, or the tree is too large.
pub(super) fn below(
    tiers: &Tiers,
    tier: usize,
    kind: ItemKind,
    folder: &str,
    excluded: &HashSet<String>,
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
    while let Some(folder) = folders.pop() {
        for entry in tiers.entries(tier, &folder)? {
            seen += 1;
            if seen > MOST_ENTRIES {
                let at = Location::File { tier: Arc::clone(&tiers.list()[tier].label), path: top, position: None };
                let reason = format!("it holds more than {MOST_ENTRIES} files and folders");
                return Err(Diagnostic::at(Problem::Unreadable { reason }, at));
            }
            let path = format!("{folder}/{}", entry.name);
            if excluded.contains(&entry.name) {
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
    hits.sort_unstable_by(|(a, left), (b, right)| a.id.cmp(&b.id).then(left.cmp(right)));
    hits.dedup_by(|(later, _), (first, _)| later.id == first.id);
    let mut hits: Vec<Hit> = hits.into_iter().map(|(hit, _)| hit).collect();
    hits.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(hits)
}
