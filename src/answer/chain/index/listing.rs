use std::collections::HashSet;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::read::listing::{self, ItemFile};
use crate::read::store::{ItemId, ItemKind, Tier, Tiers};

#[derive(Debug, Clone)]
pub(in crate::answer::chain) struct ItemLocation {
    pub tier: usize,
    pub path: String,
    /// The labels of the tiers whose copies are shadowed.
    pub shadows: Vec<Arc<str>>,
}

/// The items of a kind, sorted by id, each in the first tier that has it.
///
/// Links to folders are not followed, so only [`locate`] finds items below them. Invalid ids give warnings.
pub(in crate::answer::chain) fn list(
    tiers: &Tiers,
    kind: ItemKind,
    excluded: &HashSet<String>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<(String, ItemLocation)>, Diagnostic> {
    let (files, warnings) = listing::all(tiers, kind, excluded)?;
    diagnostics.extend(warnings);
    let mut items: Vec<(String, ItemLocation)> = Vec::with_capacity(files.len());
    for ItemFile { id, tier, path } in files {
        match items.last_mut() {
            Some((last, place)) if *last == id => place.shadows.push(Arc::clone(&tiers.list()[tier].label)),
            _ if ItemId::parse(&id).is_err() => {}
            _ => items.push((id, ItemLocation { tier, path, shadows: Vec::new() })),
        }
    }
    Ok(items)
}

pub(in crate::answer::chain) fn find<'l>(list: &'l [(String, ItemLocation)], id: &str) -> Option<&'l ItemLocation> {
    list.binary_search_by(|(known, _)| known.as_str().cmp(id)).ok().map(|at| &list[at].1)
}

pub(in crate::answer::chain) fn locate(tiers: &Tiers, kind: ItemKind, id: &ItemId) -> Option<ItemLocation> {
    tiers.list().iter().enumerate().find_map(|(tier, Tier { store, .. })| {
        let path = kind.paths(id).find(|path| store.exists(path))?;
        Some(ItemLocation { tier, path, shadows: tiers.shadowed(kind, id, tier) })
    })
}
