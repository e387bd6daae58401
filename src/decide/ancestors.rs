use std::collections::HashSet;

use indexmap::IndexMap;
use rayon::prelude::*;

use crate::read::store::ItemId;

/// Reads directives, and then level by level the parents that they name, each once.
///
/// Listings do not follow links to folders, so a parent below one is found only by its name.
pub fn with_parents<T: Send>(
    ids: impl IntoIterator<Item = ItemId>,
    read: impl Fn(&ItemId) -> T + Sync,
    parent: impl Fn(&T) -> Option<ItemId>,
) -> IndexMap<ItemId, T> {
    let mut known: IndexMap<ItemId, T> = IndexMap::new();
    let mut unknown: HashSet<ItemId> = ids.into_iter().collect();
    while !unknown.is_empty() {
        let found: Vec<_> = unknown.into_par_iter().map(|id| (read(&id), id)).collect();
        unknown = found.iter().filter_map(|(directive, _)| parent(directive)).collect();
        known.extend(found.into_iter().map(|(directive, id)| (id, directive)));
        unknown.retain(|id| !known.contains_key(id));
    }
    known
}

/// The member of a chain whose permissions apply: the directive itself if it declares any, else the one nearest the
/// root that does (Directives, "Chain").
pub fn granting<M>(mut leaf_first: impl DoubleEndedIterator<Item = M>, declares: impl Fn(&M) -> bool) -> Option<M> {
    let leaf = leaf_first.next()?;
    if declares(&leaf) { Some(leaf) } else { leaf_first.rev().find(declares) }
}
