//! Finds the prompts that a change can reach, by the names in the files and without rendering.
//!
//! A render looks up the directive and its parents, the names in these and in the hooks of the configuration, and what
//! every prompt needs. If none of this differs, neither does the prompt. If in doubt, a prompt counts as reached.

mod names;

use std::collections::HashSet;
use std::sync::Arc;
use strum::VariantArray;

use rayon::prelude::*;

use super::sides::{ImpactSides, WhichSide};
use crate::decide::{DirectiveIndex, IndexedDirective};
use crate::fill::assemble::{self, Configuration, INSTRUCTION_ITEM};
use crate::fill::palette::Primary;
use crate::read::item::Hook;
use crate::read::listing;
use crate::read::store::{ItemId, ItemKind};
use crate::read::tool::read_primary;

use names::{LookupName, ReachedFile};

/// For each directive, whether a change can reach it.
pub(super) fn reached(ids: &[&String], sides: &ImpactSides<'_>) -> Vec<bool> {
    let Some(hooks) = hooks(sides) else { return vec![true; ids.len()] };
    let requests: Vec<Option<SameRequest>> = ids.par_iter().map(|id| SameRequest::new(id, sides)).collect();
    let index = index(ids, &requests, &hooks, sides);

    let of_all = of_all(&hooks);
    let of_requests = requests.iter().flatten().flat_map(|request| &request.names);
    let of_files = index.entries().flat_map(|(_, entry)| entry.file.own.iter().chain(&entry.file.shared));
    let differing = differing(of_all.iter().chain(of_requests).chain(of_files).collect(), sides);

    let any = |names: &[LookupName]| names.iter().any(|name| differing.contains(name));
    let reached = index.have_in_chain(|at| index[at].file.differs || any(&index[at].file.shared));
    let is_parent_reached = |id: &ItemId| index.find(id.as_str()).is_some_and(|at| reached[at]);
    if any(&of_all) || hooks.iter().flat_map(names::parents_of_hook).any(|parent| is_parent_reached(&parent)) {
        return vec![true; ids.len()];
    }
    let is_reached = |request: &Option<SameRequest>| {
        let Some(SameRequest { id, names, parent }) = request else { return true };
        // A directive that cannot be used is not in the index.
        let Some(at) = index.find(id.as_str()) else { return true };
        reached[at] || any(&index[at].file.own) || any(names) || parent.as_ref().is_some_and(is_parent_reached)
    };
    requests.iter().map(is_reached).collect()
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

/// The directives and their parents, without those that neither side can use.
fn index(
    ids: &[&String],
    requests: &[Option<SameRequest>],
    hooks: &[Hook],
    sides: &ImpactSides<'_>,
) -> DirectiveIndex<ReachedFile> {
    let set = requests.iter().flatten().filter_map(|request| request.parent.clone());
    let listed = ids.iter().filter_map(|id| ItemId::parse(id).ok());
    let recording = sides.recording(WhichSide::Left);
    let protocol = sides.side(WhichSide::Left).protocol;
    DirectiveIndex::read(listed.chain(set).chain(hooks.iter().flat_map(names::parents_of_hook)), |id| {
        if differs(&LookupName::Item(ItemKind::Directive, id.clone()), sides) {
            return Some(IndexedDirective {
                directive: None,
                file: ReachedFile { differs: true, ..Default::default() },
            });
        }
        let found = recording.tiers.find(ItemKind::Directive, id).ok()??;
        let directive = assemble::directive(&found.source, &recording.tiers, protocol).ok()?.item;
        Some(IndexedDirective { file: ReachedFile::same(&directive), directive: Some(directive) })
    })
}

fn differing<'n>(names: HashSet<&'n LookupName>, sides: &ImpactSides<'_>) -> HashSet<&'n LookupName> {
    let paths = names.iter().filter_map(|name| match name {
        LookupName::Item(kind, id) => Some(kind.paths(id)),
        _ => None,
    });
    sides.read_unknown(&paths.flatten().collect::<Vec<_>>());
    names.into_par_iter().filter(|name| differs(name, sides)).collect()
}

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
