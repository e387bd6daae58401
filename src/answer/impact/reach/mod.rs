//! Finds the prompts that a change can reach, by the names in the files and without rendering.
//!
//! A render looks up the directive and its parents, the names in these and in the hooks of the configuration, and what
//! every prompt needs. If none of this differs, neither does the prompt. If in doubt, a prompt counts as reached.

mod names;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use strum::VariantArray;

use indexmap::IndexMap;
use rayon::prelude::*;

use super::sides::{ImpactSides, WhichSide};
use crate::decide::with_parents;
use crate::fill::assemble::{self, Configuration, INSTRUCTION_ITEM};
use crate::fill::palette::Primary;
use crate::read::item::Hook;
use crate::read::listing;
use crate::read::store::{ItemId, ItemKind};
use crate::read::tool::read_primary;

use names::{DirectiveNames, LookupName};

/// For each directive, whether a change can reach it.
pub(super) fn reached(ids: &[&String], sides: &ImpactSides<'_>) -> Vec<bool> {
    let Some(hooks) = hooks(sides) else { return vec![true; ids.len()] };
    let requests: Vec<Option<SameRequest>> = ids.par_iter().map(|id| SameRequest::new(id, sides)).collect();
    let all = Parents::read(ids, &requests, &hooks, sides);

    let of_all = of_all(&hooks);
    let of_requests = requests.iter().flatten().flat_map(|request| request.names.iter());
    let of_known = all.known.values().flat_map(|known| known.named.own.iter().chain(&known.named.shared));
    let names: HashSet<&LookupName> = of_all.iter().chain(of_requests).chain(of_known).collect();
    let differing = differing(names, sides);

    let any = |names: &[LookupName]| names.iter().any(|name| differing.contains(name));
    let mut chains = Chains { parents: &all, any: &any, walked: HashMap::new() };
    if any(&of_all) || hooks.iter().flat_map(names::parents_of_hook).any(|parent| chains.are_reached(&parent)) {
        return vec![true; ids.len()];
    }
    let mut is_reached = |request: &Option<SameRequest>| {
        let Some(SameRequest { id, names, parent }) = request else { return true };
        let own = all.known.get(id);
        own.is_none_or(|own| own.is_broken || any(&own.named.own))
            || any(names)
            || chains.are_reached(id)
            || parent.as_ref().is_some_and(|parent| chains.are_reached(parent))
    };
    requests.iter().map(&mut is_reached).collect()
}

/// The hooks of the configuration; `None` if something that affects every prompt differs, or the configuration cannot
/// be read.
fn hooks(sides: &ImpactSides<'_>) -> Option<Vec<Hook>> {
    if !sides.same_setup {
        return None;
    }
    let read = |which| -> Option<Vec<Hook>> {
        let recording = sides.recording(which);
        let configuration = Configuration::read(&recording.tiers, sides.side(which).protocol, &mut Vec::new());
        let hooks = Arc::unwrap_or_clone(configuration.ok()?).hooks;
        // Records the imports of the primary tools, whose own files are ordinary items.
        for id in Primary::VARIANTS.iter().copied().map(Primary::tool_id) {
            let found = ItemId::parse(id).ok().and_then(|id| recording.tiers.find(ItemKind::Tool, &id).ok().flatten());
            if let Some((found, modules)) = found.and_then(|it| recording.tiers.modules(it.tier).map(|of| (it, of))) {
                // Only the files that this reads matter here.
                let _ = read_primary(&found.source, modules);
            }
        }
        (!recording.differing().any).then_some(hooks)
    };
    read(WhichSide::Left).and(read(WhichSide::Right))
}

/// The names that every prompt looks up.
fn of_all(hooks: &[Hook]) -> Vec<LookupName> {
    let instruction = names::item(ItemKind::Knowledge, INSTRUCTION_ITEM);
    let primaries =
        Primary::VARIANTS.iter().copied().filter_map(|primary| names::item(ItemKind::Tool, primary.tool_id()));
    hooks.iter().flat_map(names::of_hook).chain(instruction).chain(primaries).collect()
}

/// The request for a directive, if it is the same on both sides.
struct SameRequest {
    id: ItemId,
    names: Vec<LookupName>,
    /// The parent that the request sets.
    parent: Option<ItemId>,
}

impl SameRequest {
    fn new(id: &str, sides: &ImpactSides<'_>) -> Option<Self> {
        let [left, right] = [WhichSide::Left, WhichSide::Right].map(|which| sides.side(which));
        if ![left, right].iter().all(|side| side.directives.contains_key(id)) {
            return None;
        }
        let request = (left.request)(id);
        if request != (right.request)(id) {
            return None;
        }
        let (names, parent) = names::of_request(&request);
        Some(Self { id: ItemId::parse(id).ok()?, names, parent })
    }
}

/// The directives and their parents.
struct Parents {
    known: IndexMap<ItemId, ReachedDirective>,
}

#[derive(Default)]
struct ReachedDirective {
    /// Whether its file differs.
    differs: bool,
    /// Whether neither side has a valid file.
    is_broken: bool,
    /// The names on both sides; empty if the file differs.
    named: DirectiveNames,
}

impl Parents {
    /// Reads each file once.
    fn read(ids: &[&String], requests: &[Option<SameRequest>], hooks: &[Hook], sides: &ImpactSides<'_>) -> Self {
        let set = requests.iter().flatten().filter_map(|request| request.parent.clone());
        let listed = ids.iter().filter_map(|id| ItemId::parse(id).ok());
        let named = listed.chain(set).chain(hooks.iter().flat_map(names::parents_of_hook));
        let recording = sides.recording(WhichSide::Left);
        let protocol = sides.side(WhichSide::Left).protocol;
        let read = |id: &ItemId| {
            if differs(&LookupName::Item(ItemKind::Directive, id.clone()), sides) {
                return ReachedDirective { differs: true, ..ReachedDirective::default() };
            }
            let found = recording.tiers.find(ItemKind::Directive, id).ok().flatten();
            let parsed = found.and_then(|found| assemble::directive(&found.source, &recording.tiers, protocol).ok());
            let is_broken = parsed.is_none();
            let named = parsed.map(|parsed| DirectiveNames::by(&parsed.item)).unwrap_or_default();
            ReachedDirective { differs: false, is_broken, named }
        };
        Self { known: with_parents(named, read, |known| known.named.parent.clone()) }
    }
}

/// The names whose items differ.
fn differing<'n>(names: HashSet<&'n LookupName>, sides: &ImpactSides<'_>) -> HashSet<&'n LookupName> {
    let paths = names.iter().filter_map(|name| match name {
        LookupName::Item(kind, id) => Some(kind.paths(id)),
        _ => None,
    });
    sides.read_unknown(&paths.flatten().collect::<Vec<_>>());
    names.into_par_iter().filter(|name| differs(name, sides)).collect()
}

/// Whether the items of a name differ.
fn differs(name: &LookupName, sides: &ImpactSides<'_>) -> bool {
    match name {
        // Shadowed tiers matter, because prompts record them.
        LookupName::Item(kind, id) => kind.paths(id).any(|path| sides.differs(&path)),
        LookupName::Tools(folder) => [WhichSide::Left, WhichSide::Right].into_iter().any(|which| {
            let recording = sides.recording(which);
            let below = |tier| {
                listing::below(&recording.tiers, tier, ItemKind::Tool, folder, &HashSet::new()).unwrap_or_default()
            };
            let hits = (0..recording.tiers.list().len()).flat_map(below);
            let ids: HashSet<_> = hits.filter_map(|hit| names::item(ItemKind::Tool, &hit.id)).collect();
            recording.differing().any || ids.iter().any(|tool| differs(tool, sides))
        }),
        LookupName::Unknown => true,
    }
}

/// Remembers which chains are reached.
struct Chains<'a> {
    parents: &'a Parents,
    any: &'a dyn Fn(&[LookupName]) -> bool,
    walked: HashMap<&'a ItemId, bool>,
}

impl<'a> Chains<'a> {
    /// Whether a directive or any of its parents differs, or names an item that differs.
    fn are_reached(&mut self, from: &ItemId) -> bool {
        let mut walked = Vec::new();
        let mut next = Some(from);
        let is_reached = loop {
            let Some((id, known)) = next.and_then(|id| self.parents.known.get_key_value(id)) else { break false };
            if let Some(&is_reached) = self.walked.get(id) {
                break is_reached;
            }
            // Ends the walk of a circular chain.
            self.walked.insert(id, false);
            walked.push(id);
            if known.differs || (self.any)(&known.named.shared) {
                break true;
            }
            next = known.named.parent.as_ref();
        };
        self.walked.extend(walked.into_iter().map(|id| (id, is_reached)));
        is_reached
    }
}
