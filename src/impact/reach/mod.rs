//! Which prompts a change can reach, told from what the files name: nothing is rendered for it.
//!
//! A render looks for the directive and its parents, for what these and the hooks of the configuration name, and for what
//! every prompt looks at. Where both sides answer all of that alike, both prompts are the same, or neither can be
//! rendered. So a prompt is reached that may ask for something else as well; one that is not reached never differs.

mod names;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use strum::VariantArray;

use rayon::prelude::*;

use super::setting::{Settings, Which};
use crate::assemble::{self, Configuration, INSTRUCTION_ITEM};
use crate::item::Hook;
use crate::palette::{Primary, search};
use crate::store::{ItemId, ItemKind};
use crate::tool::read_primary;

use names::{Name, Named};

/// Which of the directives, in their order, a change can reach.
pub(super) fn reached(ids: &[&String], settings: &Settings<'_>) -> Vec<bool> {
    let Some(hooks) = hooks(settings) else { return vec![true; ids.len()] };
    let asked: Vec<Option<Asked>> = ids.par_iter().map(|id| Asked::new(id, settings)).collect();
    let all = Parents::read(ids, &asked, &hooks, settings);

    let of_all = of_all(&hooks);
    let of_asked = asked.iter().flatten().flat_map(|asked| asked.names.iter());
    let of_known = all.known.values().flat_map(|known| known.named.own.iter().chain(&known.named.shared));
    let names: HashSet<&Name> = of_all.iter().chain(of_asked).chain(of_known).collect();
    let differing = differing(names, settings);

    let any = |names: &[Name]| names.iter().any(|name| differing.contains(name));
    let mut chains = Chains { parents: &all, any: &any, walked: HashMap::new() };
    if any(&of_all) || hooks.iter().flat_map(names::parents_of_hook).any(|parent| chains.are_reached(&parent)) {
        return vec![true; ids.len()];
    }
    let mut is_reached = |asked: &Option<Asked>| {
        let Some(Asked { id, names, parent }) = asked else { return true };
        let own = all.known.get(id);
        own.is_none_or(|own| own.is_broken || any(&own.named.own))
            || any(names)
            || chains.are_reached(id)
            || parent.as_ref().is_some_and(|parent| chains.are_reached(parent))
    };
    asked.iter().map(&mut is_reached).collect()
}

/// The hooks of the configuration; none if anything differs that decides every prompt, or there is no configuration.
fn hooks(settings: &Settings<'_>) -> Option<Vec<Hook>> {
    if !settings.is_alike() {
        return None;
    }
    let read = |which| -> Option<Vec<Hook>> {
        let looking = settings.looking(which);
        let configuration = Configuration::read(&looking.tiers, settings.side(which).protocol, &mut Vec::new());
        let hooks = Arc::unwrap_or_clone(configuration.ok()?).hooks;
        // What the primaries import; their own files are items like others.
        for id in Primary::VARIANTS.iter().copied().map(Primary::tool_id) {
            let found = ItemId::parse(id).ok().and_then(|id| looking.tiers.find(ItemKind::Tool, &id).ok().flatten());
            if let Some((found, modules)) = found.and_then(|it| looking.tiers.modules(it.tier).map(|of| (it, of))) {
                // What it comes to is for the render; here it counts what it looked at.
                let _ = read_primary(&found.source, modules);
            }
        }
        (!looking.differing().any).then_some(hooks)
    };
    read(Which::Left).and(read(Which::Right))
}

/// What every prompt looks for.
fn of_all(hooks: &[Hook]) -> Vec<Name> {
    let instruction = names::item(ItemKind::Knowledge, INSTRUCTION_ITEM);
    let primaries =
        Primary::VARIANTS.iter().copied().filter_map(|primary| names::item(ItemKind::Tool, primary.tool_id()));
    hooks.iter().flat_map(names::of_hook).chain(instruction).chain(primaries).collect()
}

/// What is asked of a directive that is there on both sides.
struct Asked {
    id: ItemId,
    /// What the request names.
    names: Vec<Name>,
    /// The parent that it sets.
    parent: Option<ItemId>,
}

impl Asked {
    /// None if the sides are asked for different things.
    fn new(id: &str, settings: &Settings<'_>) -> Option<Self> {
        let [left, right] = [Which::Left, Which::Right].map(|which| settings.side(which));
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

/// The directives, and the parents that are not among them.
struct Parents {
    known: HashMap<ItemId, Known>,
}

/// A directive.
#[derive(Default)]
struct Known {
    /// Whether the sides differ about its file.
    differs: bool,
    /// Whether neither side has a file that can be used.
    is_broken: bool,
    /// What it names, on both sides; nothing where they differ.
    named: Named,
}

impl Parents {
    /// Reads all of them, each file once.
    fn read(ids: &[&String], asked: &[Option<Asked>], hooks: &[Hook], settings: &Settings<'_>) -> Self {
        let set = asked.iter().flatten().filter_map(|asked| asked.parent.clone());
        let listed = ids.iter().filter_map(|id| ItemId::parse(id).ok());
        let mut unknown: HashSet<ItemId> =
            listed.chain(set).chain(hooks.iter().flat_map(names::parents_of_hook)).collect();
        let looking = settings.looking(Which::Left);
        let protocol = settings.side(Which::Left).protocol;
        let read = |id: ItemId| {
            if differs(&Name::Item(ItemKind::Directive, id.clone()), settings) {
                return (id, Known { differs: true, ..Known::default() });
            }
            let found = looking.tiers.find(ItemKind::Directive, &id).ok().flatten();
            let parsed = found.and_then(|found| assemble::directive(&found.source, &looking.tiers, protocol).ok());
            let known = match parsed {
                Some(parsed) => Known { named: Named::by(&parsed.item), ..Known::default() },
                None => Known { is_broken: true, ..Known::default() },
            };
            (id, known)
        };
        let mut known: HashMap<ItemId, Known> = HashMap::new();
        // Most are listed; what links to folders lead to is found by its name alone.
        while !unknown.is_empty() {
            let found: Vec<_> = unknown.into_par_iter().map(read).collect();
            let parents: HashSet<ItemId> = found.iter().filter_map(|(_, known)| known.named.parent.clone()).collect();
            known.extend(found);
            unknown = parents.into_iter().filter(|parent| !known.contains_key(parent)).collect();
        }
        Self { known }
    }
}

/// The names about which the sides differ.
fn differing<'n>(names: HashSet<&'n Name>, settings: &Settings<'_>) -> HashSet<&'n Name> {
    let paths = names.iter().filter_map(|name| match name {
        Name::Item(kind, id) => Some(kind.paths(id)),
        _ => None,
    });
    settings.read_unknown(&paths.flatten().collect::<Vec<_>>());
    names.into_par_iter().filter(|name| differs(name, settings)).collect()
}

/// Whether the sides differ about what a name stands for.
fn differs(name: &Name, settings: &Settings<'_>) -> bool {
    match name {
        // Of the tiers that do not count, too: a prompt tells them.
        Name::Item(kind, id) => kind.paths(id).any(|path| settings.differs(&path)),
        Name::Tools(folder) => [Which::Left, Which::Right].into_iter().any(|which| {
            let looking = settings.looking(which);
            let below =
                |tier| search::below(&looking.tiers, tier, ItemKind::Tool, folder, &HashSet::new()).unwrap_or_default();
            let hits = (0..looking.tiers.list().len()).flat_map(below);
            let ids: HashSet<_> = hits.filter_map(|hit| names::item(ItemKind::Tool, &hit.id)).collect();
            looking.differing().any || ids.iter().any(|tool| differs(tool, settings))
        }),
        Name::Unknown => true,
    }
}

/// Whether chains are reached, each directive looked at once.
struct Chains<'a> {
    parents: &'a Parents,
    any: &'a dyn Fn(&[Name]) -> bool,
    walked: HashMap<&'a ItemId, bool>,
}

impl<'a> Chains<'a> {
    /// Whether a directive or anything that it extends differs, or names something that does.
    fn are_reached(&mut self, from: &ItemId) -> bool {
        let mut walked = Vec::new();
        let mut next = Some(from);
        let is_reached = loop {
            let Some((id, known)) = next.and_then(|id| self.parents.known.get_key_value(id)) else { break false };
            if let Some(&is_reached) = self.walked.get(id) {
                break is_reached;
            }
            // In a circle one meets itself, and nothing on the way was reached.
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
