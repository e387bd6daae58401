//! Where items are, and the directives among them.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::decide::{DirectiveIndex, IndexedDirective};
use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::read::item::{self, Directive, Parsed};
use crate::read::listing::{self, ItemFile};
use crate::read::protocol::Protocol;
use crate::read::store::{ItemId, ItemKind, Tier, Tiers};
use crate::write::progress;

#[derive(Debug, Clone)]
pub(in crate::answer::chain) struct ItemLocation {
    pub tier: usize,
    pub path: Arc<str>,
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
) -> Result<Vec<(ItemId, ItemLocation)>, Diagnostic> {
    let (files, warnings) = listing::all(tiers, kind, excluded)?;
    diagnostics.extend(warnings);
    let mut items: Vec<(ItemId, ItemLocation)> = Vec::with_capacity(files.len());
    for ItemFile { id, tier, path } in files {
        match items.last_mut() {
            Some((last, place)) if last.as_str() == id => place.shadows.push(Arc::clone(&tiers.list()[tier].label)),
            _ => {
                if let Ok(id) = ItemId::parse(&id) {
                    items.push((id, ItemLocation { tier, path: path.into(), shadows: Vec::new() }));
                }
            }
        }
    }
    Ok(items)
}

pub(in crate::answer::chain) fn find<'l>(list: &'l [(ItemId, ItemLocation)], id: &str) -> Option<&'l ItemLocation> {
    list.binary_search_by(|(known, _)| known.as_str().cmp(id)).ok().map(|at| &list[at].1)
}

pub(in crate::answer::chain) fn locate(tiers: &Tiers, kind: ItemKind, id: &ItemId) -> Option<ItemLocation> {
    tiers.list().iter().enumerate().find_map(|(tier, Tier { store, .. })| {
        let path = kind.paths(id).find(|path| store.exists(path))?;
        Some(ItemLocation { tier, path: path.into(), shadows: tiers.shadowed(kind, id, tier) })
    })
}

pub(in crate::answer::chain) struct DirectiveFile {
    pub place: ItemLocation,
    /// Rare, and larger than the rest.
    pub unusable: Option<Box<Unusable>>,
}

pub(in crate::answer::chain) struct Unusable {
    pub reason: String,
    at: Option<Location>,
}

impl Unusable {
    pub fn warning(&self, id: &str) -> Diagnostic {
        let problem = Problem::DirectiveUnusable { id: id.to_string(), reason: self.reason.clone() };
        Diagnostic { problem, at: self.at.clone() }
    }
}

/// Reads every directive in use, each file once.
pub(in crate::answer::chain) fn read(
    tiers: &Tiers,
    protocol: &Protocol,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<DirectiveIndex<DirectiveFile>, Diagnostic> {
    let listed = list(tiers, ItemKind::Directive, &Default::default(), diagnostics)?;
    let progress = progress::begin("reading", "directives", listed.len());
    let ids = listed.iter().map(|(id, _)| id.clone());
    Ok(DirectiveIndex::read(ids, |id| {
        let place = match find(&listed, id.as_str()) {
            Some(place) => {
                progress.step();
                place.clone()
            }
            None => locate(tiers, ItemKind::Directive, id)?,
        };
        Some(indexed(place, tiers, protocol))
    }))
}

fn indexed(place: ItemLocation, tiers: &Tiers, protocol: &Protocol) -> IndexedDirective<DirectiveFile> {
    let unusable = |error: &Diagnostic| Unusable { reason: error.message(), at: error.at.clone() };
    let directive = match tiers.read(place.tier, &place.path) {
        Ok(Some(source)) => item::parse_directive(&source, protocol).map(kept).map_err(|errors| {
            let error = errors.iter().find(|found| found.severity() == Severity::Error);
            error.map_or_else(|| Unusable { reason: "it cannot be parsed".to_string(), at: None }, unusable)
        }),
        Ok(None) => Err(Unusable { reason: "it is a dangling link".to_string(), at: None }),
        Err(error) => Err(unusable(&error)),
    };
    match directive {
        Ok(directive) => IndexedDirective { directive: Some(directive), file: DirectiveFile { place, unusable: None } },
        Err(unusable) => {
            IndexedDirective { directive: None, file: DirectiveFile { place, unusable: Some(unusable.into()) } }
        }
    }
}

/// Drops the largest of the parts that no graph shows, since there may be thousands of directives.
fn kept(Parsed { item, .. }: Parsed<Directive>) -> Arc<Directive> {
    Arc::new(Directive {
        description: None,
        inputs: Vec::new(),
        limits: Vec::new(),
        places: BTreeMap::new(),
        comments: Vec::new(),
        unread: Vec::new(),
        unread_attributes: Vec::new(),
        ..item
    })
}
