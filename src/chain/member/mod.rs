//! The directives of one chain: what each gives, and what became of it.
//!
//! What a directive declares stands in the prompt's chain, and what became of it in the prompt's decisions. The two are
//! matched by the declaration; nothing is decided here.

mod block;
pub mod graph;
pub mod json;
mod shown;
pub mod tree;

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use crate::item::{Field, Hook, Permission, ROUTING_EVENT};
use crate::prompt::{ChainMember, Decision, Declared, Grant, HookRun, HookVerdict, Outcome, Prompt, Slot};
use crate::request::Position;
use crate::text::{Source, Span};

pub use shown::Shown;

/// A directive of the chain.
pub struct Member<'a> {
    /// Its id, its file, and what leads to its parent.
    pub listed: &'a ChainMember,
    /// The id of its parent; none for the root.
    pub parent: Option<&'a str>,
    /// What it adds to each position, in the order of positions and then as written.
    pub context: Vec<Placed<'a>>,
    /// What it suppresses.
    pub suppresses: Vec<Suppression<'a>>,
    /// Its own hooks.
    pub hooks: Vec<OwnHook<'a>>,
    /// What it declares, each with what is left of it; with nothing where it does not count.
    pub permissions: Vec<(&'a Permission, Option<&'a Grant>)>,
    /// Whether its permissions are those that count.
    pub counts: bool,
    /// The hooks that would route it or not, if inputs had values; of the leaf alone.
    pub undecided: Vec<&'a HookRun>,
}

/// A knowledge item that a directive places.
pub struct Placed<'a> {
    /// Where.
    pub position: Position,
    /// The declaration.
    pub field: &'a Field,
    /// What became of it; none where the protocol or the mode does not ask for it.
    pub decision: Option<&'a Decision>,
}

/// A hook that a directive declares.
pub struct OwnHook<'a> {
    /// The declaration.
    pub hook: &'a Hook,
    /// What became of its actions; nothing where it was not considered.
    pub actions: Vec<&'a Decision>,
    /// Whether it is shown without the items of its actions.
    pub is_pruned: bool,
}

/// A `<suppress>`.
pub struct Suppression<'a> {
    /// The declaration.
    pub field: &'a Field,
    /// What it left out.
    pub matched: Vec<&'a Decision>,
    /// The directive of the chain that says the same and was heard first.
    pub said_by: Option<&'a str>,
}

impl Member<'_> {
    /// Whether something else than the directive itself leads to its parent: a hook, or the command line.
    pub fn is_routed(&self) -> bool {
        let is_own = |span: &Span| Arc::ptr_eq(span.source(), &self.listed.source);
        self.listed.extends.as_ref().is_some_and(|by| !by.span.as_ref().is_some_and(is_own))
    }
}

/// The members of a prompt's chain, leaf first, root last.
pub fn members(prompt: &Prompt) -> Vec<Member<'_>> {
    let facts = Facts::of(prompt);
    let leaf_first = prompt.chain.iter().rev();
    let parents = leaf_first.clone().skip(1).map(|parent| Some(parent.id.as_str())).chain([None]);
    let mut members: Vec<_> = leaf_first.zip(parents).map(|(listed, parent)| facts.member(listed, parent)).collect();
    if let Some(leaf) = members.first_mut() {
        leaf.undecided = prompt.hooks.iter().filter(|run| is_undecided_route(run)).collect();
    }
    members
}

fn is_undecided_route(run: &HookRun) -> bool {
    let has_target = run.hook.parent().is_some();
    has_target && run.verdict == HookVerdict::Unknown && run.hook.event == ROUTING_EVENT
}

/// `may be routed by hook web: inputs.env has no value here`
fn may_be_routed(run: &HookRun) -> String {
    let is_taken = run.results.iter().any(|result| result.outcome == Outcome::Routed);
    let may = if is_taken { "may not be routed" } else { "may be routed" };
    format!("{may} by hook {}: {}", run.hook.name(), run.judgement.why())
}

/// A declaration, as what it can be found by.
type Place = (*const Source, usize, usize);

fn place(span: &Span) -> Place {
    (Arc::as_ptr(span.source()), span.range().start, span.range().end)
}

/// What the prompt says about declarations.
struct Facts<'a> {
    /// Decisions by slot and what asked for the thing.
    asked: HashMap<(Slot, Place), Vec<&'a Decision>>,
    /// What was left out, by the `<suppress>` that says so.
    suppressed: HashMap<Place, Vec<&'a Decision>>,
    /// The `<suppress>` that was heard, and its directive, by what it names.
    heard: HashMap<&'a str, (Place, &'a str)>,
    /// What the chain grants, by declaration.
    granted: HashMap<Place, &'a Grant>,
    /// What is left of it.
    left: HashMap<Place, &'a Grant>,
}

fn by_declaration<K: Hash + Eq, V>(pairs: impl Iterator<Item = (K, V)>) -> HashMap<K, Vec<V>> {
    let mut all: HashMap<K, Vec<V>> = HashMap::new();
    for (key, value) in pairs {
        all.entry(key).or_default().push(value);
    }
    all
}

fn declaration(declared: &Option<Declared>) -> Option<Place> {
    declared.as_ref()?.span.as_ref().map(place)
}

fn by_place(grants: &[Grant]) -> HashMap<Place, &Grant> {
    grants.iter().filter_map(|grant| Some((place(grant.by.span.as_ref()?), grant))).collect()
}

impl<'a> Facts<'a> {
    fn of(prompt: &'a Prompt) -> Self {
        let decisions = prompt.decisions.iter();
        let asked = decisions.clone().filter_map(|it| Some(((it.slot, declaration(&it.declared_by)?), it)));
        let suppressed = decisions.filter(|it| it.outcome == Outcome::Suppressed);
        let mut heard = HashMap::new();
        for member in &prompt.chain {
            for field in member.directive.iter().flat_map(|directive| &directive.context.suppress) {
                heard.entry(field.as_str()).or_insert((place(&field.span), member.id.as_str()));
            }
        }
        Self {
            asked: by_declaration(asked),
            suppressed: by_declaration(suppressed.filter_map(|it| Some((declaration(&it.by)?, it)))),
            heard,
            granted: by_place(&prompt.permissions),
            left: by_place(&prompt.capabilities),
        }
    }

    fn member(&self, listed: &'a ChainMember, parent: Option<&'a str>) -> Member<'a> {
        let Some(directive) = listed.directive.as_deref() else {
            let (context, suppresses, hooks, permissions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            return Member {
                listed,
                parent,
                context,
                suppresses,
                hooks,
                permissions,
                counts: false,
                undecided: Vec::new(),
            };
        };
        let context = &directive.context;
        let permission = |permission: &'a Permission| (permission, self.left.get(&place(&permission.span)).copied());
        Member {
            listed,
            parent,
            context: Position::all_items(context).map(|(position, field)| self.placed(position, field)).collect(),
            suppresses: context.suppress.iter().map(|field| self.suppression(field)).collect(),
            hooks: directive.hooks.iter().map(|hook| self.hook(hook)).collect(),
            permissions: directive.permissions.iter().map(permission).collect(),
            counts: directive.permissions.iter().any(|it| self.granted.contains_key(&place(&it.span))),
            undecided: Vec::new(),
        }
    }

    fn placed(&self, position: Position, field: &'a Field) -> Placed<'a> {
        let decisions = self.asked.get(&(slot(position), place(&field.span)));
        Placed { position, field, decision: decisions.and_then(|all| all.first().copied()) }
    }

    fn suppression(&self, field: &'a Field) -> Suppression<'a> {
        let here = place(&field.span);
        let said_by = self.heard.get(field.as_str()).filter(|(place, _)| *place != here).map(|(_, id)| *id);
        Suppression { field, matched: self.suppressed.get(&here).cloned().unwrap_or_default(), said_by }
    }

    fn hook(&self, hook: &'a Hook) -> OwnHook<'a> {
        OwnHook { hook, actions: self.actions(hook), is_pruned: false }
    }

    fn actions(&self, hook: &Hook) -> Vec<&'a Decision> {
        let Some(place) = hook.span.as_ref().map(place) else { return Vec::new() };
        let slots = [Slot::SystemHooksBefore, Slot::SystemHooksAfter, Slot::UserHooksBefore, Slot::UserHooksAfter];
        slots.into_iter().filter_map(|slot| self.asked.get(&(slot, place))).flatten().copied().collect()
    }
}

/// The slot of what a directive places there.
fn slot(position: Position) -> Slot {
    match position {
        Position::System => Slot::SystemChain,
        Position::Before => Slot::UserChainBefore,
        Position::After => Slot::UserChainAfter,
    }
}

#[cfg(test)]
mod tests;
