//! Lists the items of a kind: each id once per tier, with the first extension. Links to folders are not followed.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::read::limits;
use crate::read::store::{ItemKind, StoreEntry, Tiers};

/// The file of an item in one tier.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ItemFile {
    pub id: String,
    /// Index of the tier.
    pub tier: usize,
    pub path: String,
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
    let (mut hits, _) = without_errors(walk(tiers, tier, kind, folder, excluded, 1))?;
    hits.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(hits)
}

/// The items of all tiers by id in byte order, then by tier, with warnings about files that no id can name.
///
/// # Errors
///
/// See [`below`].
pub(crate) fn all(
    tiers: &Tiers,
    kind: ItemKind,
    excluded: &HashSet<String>,
) -> Result<(Vec<ItemFile>, Vec<Diagnostic>), Diagnostic> {
    without_errors(of_tiers(tiers, kind, "", excluded))
}

/// Like [`all`], for one folder; skips folders that cannot be listed and returns errors about them.
pub(crate) fn readable(tiers: &Tiers, kind: ItemKind, folder: &str) -> (Vec<ItemFile>, Vec<Diagnostic>) {
    of_tiers(tiers, kind, folder, &HashSet::new())
}

/// Like [`readable`], for one whole tier and without the errors.
pub(crate) fn readable_in(tiers: &Tiers, tier: usize, kind: ItemKind) -> Vec<ItemFile> {
    walk(tiers, tier, kind, "", &HashSet::new(), 1).0
}

/// The folders of a tier with what they hold, each before those in it.
pub(crate) struct ListedFolders<'t> {
    tiers: &'t Tiers,
    tier: usize,
    /// Those to come, the next one last; `None` for what is not listed yet.
    stack: Vec<(String, Option<FolderList>)>,
    /// How many waited when the last one was taken.
    waiting: usize,
    at_once: usize,
}

type FolderList = Result<Vec<StoreEntry>, Diagnostic>;

impl<'t> ListedFolders<'t> {
    /// Few enough that not much is listed beyond a limit. For fewer, other threads are not worth it.
    pub const SEVERAL: usize = 8;

    /// `at_once` is 1 or [`Self::SEVERAL`], which is not for work that may hold a lock: a thread that waits for others takes
    /// up other work meanwhile, which may need the same lock.
    pub fn below(tiers: &'t Tiers, tier: usize, top: String, at_once: usize) -> Self {
        Self { tiers, tier, stack: vec![(top, None)], waiting: 0, at_once }
    }

    /// Those entered from one folder come in this order, before those that wait already.
    pub fn enter(&mut self, folder: String) {
        self.stack.push((folder, None));
    }

    pub fn next(&mut self) -> Option<(String, FolderList)> {
        let (tiers, tier) = (self.tiers, self.tier);
        self.stack[self.waiting..].reverse();
        let from = self.stack.len().saturating_sub(self.at_once);
        let list = |(folder, listed): &mut (String, Option<FolderList>)| {
            listed.get_or_insert_with(|| tiers.all_entries(tier, folder));
        };
        match &mut self.stack[from..] {
            [.., (_, Some(_))] => {}
            all if all.len() == Self::SEVERAL => all.par_iter_mut().for_each(list),
            few => few.last_mut().into_iter().for_each(list),
        }
        let (folder, listed) = self.stack.pop()?;
        self.waiting = self.stack.len();
        Some((folder, listed?))
    }
}

fn of_tiers(
    tiers: &Tiers,
    kind: ItemKind,
    folder: &str,
    excluded: &HashSet<String>,
) -> (Vec<ItemFile>, Vec<Diagnostic>) {
    let of_tier = |tier| walk(tiers, tier, kind, folder, excluded, ListedFolders::SEVERAL);
    let of_each: Vec<_> = (0..tiers.list().len()).into_par_iter().map(of_tier).collect();
    let (items, diagnostics): (Vec<_>, Vec<_>) = of_each.into_iter().unzip();
    // The first tier has most.
    let mut lists = items.into_iter();
    let mut items: Vec<ItemFile> = lists.next().unwrap_or_default();
    items.extend(lists.flatten());
    // A stable sort keeps the order of the tiers, and is fast because the items of each are already in order.
    items.sort_by(|left, right| left.id.cmp(&right.id));
    (items, diagnostics.into_iter().flatten().collect())
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
/// `at_once` is the one of [`ListedFolders::below`].
fn walk(
    tiers: &Tiers,
    tier: usize,
    kind: ItemKind,
    folder: &str,
    excluded: &HashSet<String>,
    at_once: usize,
) -> (Vec<ItemFile>, Vec<Diagnostic>) {
    let root = kind.folder();
    let top = if folder.is_empty() { root.to_string() } else { format!("{root}/{folder}") };
    let mut unreadable = Vec::new();
    if folder.split('/').any(|part| excluded.contains(part)) {
        return (Vec::new(), unreadable);
    }
    // Each with the index of its extension.
    let mut hits: Vec<(ItemFile, usize)> = Vec::new();
    let mut folders = ListedFolders::below(tiers, tier, top.clone(), at_once);
    let mut seen = 0;
    'folders: while let Some((folder, entries)) = folders.next() {
        let entries = match entries {
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
                _ if entry.is_folder && (kind == ItemKind::Tool || item.is_none()) => folders.enter(path),
                Some((stem, extension, order)) if !stem.is_empty() && !excluded.contains(stem) => {
                    // `path` is `root`, a slash, the id, a dot and the extension.
                    let id = path[root.len() + 1..path.len() - extension.len() - 1].to_string();
                    if entry.is_folder {
                        folders.enter(path.clone());
                    }
                    hits.push((ItemFile { id, tier, path }, order));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::read::store::{MemoryStore, ReadOptions, Tier, TierKind};

    #[test]
    fn folders_come_in_order_each_before_those_in_it() {
        let paths = (0..20).flat_map(|a| (0..10).map(move |b| format!("top/{a:02}/{b}/x.md")));
        let store: MemoryStore = paths.map(|path| (path, "")).collect();
        let (kind, label) = (TierKind::Project, "project".into());
        let tier = Tier { kind, label, store: Arc::new(store), root: None, modules: None };
        let tiers = Tiers::new(vec![tier], ReadOptions::default());
        let mut folders = ListedFolders::below(&tiers, 0, "top".to_string(), ListedFolders::SEVERAL);
        let (mut order, mut expected) = (Vec::new(), vec!["top".to_string()]);
        while let Some((folder, entries)) = folders.next() {
            let below = entries.unwrap().into_iter().filter(|entry| entry.is_folder);
            below.for_each(|entry| folders.enter(format!("{folder}/{}", entry.name)));
            order.push(folder);
        }
        for a in 0..20 {
            expected.push(format!("top/{a:02}"));
            expected.extend((0..10).map(|b| format!("top/{a:02}/{b}")));
        }
        assert_eq!(order, expected);
    }
}
