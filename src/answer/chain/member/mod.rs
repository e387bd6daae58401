//! The directives of one chain: what each declares, and the outcome.
//!
//! Matches the prompt's decisions to its chain by the positions of declarations; nothing is decided here.

mod block;
mod graph;
mod json;
mod scoped;
mod tree;

use std::collections::HashMap;
use std::hash::Hash;
use std::io;
use std::sync::Arc;

use crate::decide::request::Position;
use crate::prompt::{ChainMember, Decision, DecisionOutcome, Declared, Grant, HookRun, HookVerdict, Prompt, Slot};
use crate::read::item::{Hook, ItemField, Permission, ROUTING_EVENT};
use crate::text::{Source, Span};

use super::{GraphFormat, GraphScope, GraphView, diagram};
use scoped::ScopedChain;

pub fn write(prompt: &Prompt, scope: &GraphScope, view: &GraphView, out: &mut dyn io::Write) -> io::Result<()> {
    let shown = ScopedChain::new(prompt, scope);
    let graph = || graph::graph(&shown);
    match view.format {
        GraphFormat::Tree => tree::write(&shown, &view.readable(), out),
        GraphFormat::Json => view.json(&json::document(&graph(), &shown), out),
        GraphFormat::Dot => diagram::dot(&graph(), out),
        GraphFormat::Mermaid => diagram::mermaid(&graph(), out),
    }
}

pub struct MemberView<'a> {
    pub listed: &'a ChainMember,
    /// The id of its parent; `None` for the root.
    pub parent: Option<&'a str>,
    pub context: Vec<Placed<'a>>,
    pub suppresses: Vec<Suppression<'a>>,
    pub hooks: Vec<OwnHook<'a>>,
    /// Each permission, with what is left of its grant; `None` if nothing is left or it is not in effect.
    pub permissions: Vec<(&'a Permission, Option<&'a Grant>)>,
    pub counts: bool,
    /// The hooks that might route the leaf once its inputs have values.
    pub undecided: Vec<&'a HookRun>,
}

pub struct Placed<'a> {
    pub position: Position,
    pub field: &'a ItemField,
    /// `None` if the protocol or the mode does not use it.
    pub decision: Option<&'a Decision>,
}

pub struct OwnHook<'a> {
    pub hook: &'a Hook,
    /// The decisions about its actions; empty if the hook was not considered.
    pub actions: Vec<&'a Decision>,
    /// Whether it is shown without the items of its actions.
    pub is_pruned: bool,
}

pub struct Suppression<'a> {
    pub field: &'a ItemField,
    pub matched: Vec<&'a Decision>,
    /// The member whose identical suppression takes effect instead.
    pub shadowed_by: Option<&'a str>,
}

impl MemberView<'_> {
    /// Whether a hook or the command line sets its parent.
    pub fn is_routed(&self) -> bool {
        let is_own = |span: &Span| Arc::ptr_eq(span.source(), &self.listed.source);
        self.listed.extends.as_ref().is_some_and(|by| !by.span.as_ref().is_some_and(is_own))
    }
}

pub fn members(prompt: &Prompt) -> Vec<MemberView<'_>> {
    let facts = DeclarationIndex::of(prompt);
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
    let is_taken = run.results.iter().any(|result| result.outcome == DecisionOutcome::Routed);
    let may = if is_taken { "may not be routed" } else { "may be routed" };
    format!("{may} by hook {}: {}", run.hook.name(), run.judgement.why())
}

/// Identifies a declaration: its file and range.
type DeclarationKey = (*const Source, usize, usize);

fn place(span: &Span) -> DeclarationKey {
    (Arc::as_ptr(span.source()), span.range().start, span.range().end)
}

/// The prompt's decisions and grants by declaration.
struct DeclarationIndex<'a> {
    asked: HashMap<(Slot, DeclarationKey), Vec<&'a Decision>>,
    suppressed: HashMap<DeclarationKey, Vec<&'a Decision>>,
    /// The effective `<suppress>` for each name, and its directive.
    effective: HashMap<&'a str, (DeclarationKey, &'a str)>,
    granted: HashMap<DeclarationKey, &'a Grant>,
    /// The grants left after attenuation.
    left: HashMap<DeclarationKey, &'a Grant>,
}

fn by_declaration<K: Hash + Eq, V>(pairs: impl Iterator<Item = (K, V)>) -> HashMap<K, Vec<V>> {
    let mut all: HashMap<K, Vec<V>> = HashMap::new();
    for (key, value) in pairs {
        all.entry(key).or_default().push(value);
    }
    all
}

fn declaration(declared: &Option<Declared>) -> Option<DeclarationKey> {
    declared.as_ref()?.span.as_ref().map(place)
}

fn by_place(grants: &[Grant]) -> HashMap<DeclarationKey, &Grant> {
    grants.iter().filter_map(|grant| Some((place(grant.by.span.as_ref()?), grant))).collect()
}

impl<'a> DeclarationIndex<'a> {
    fn of(prompt: &'a Prompt) -> Self {
        let decisions = prompt.decisions.iter();
        let asked = decisions.clone().filter_map(|it| Some(((it.slot, declaration(&it.declared_by)?), it)));
        let suppressed = decisions.filter(|it| it.outcome == DecisionOutcome::Suppressed);
        let mut effective = HashMap::new();
        for member in &prompt.chain {
            for field in member.directive.iter().flat_map(|directive| &directive.context.suppress) {
                effective.entry(field.as_str()).or_insert((place(&field.span), member.id.as_str()));
            }
        }
        Self {
            asked: by_declaration(asked),
            suppressed: by_declaration(suppressed.filter_map(|it| Some((declaration(&it.by)?, it)))),
            effective,
            granted: by_place(&prompt.permissions),
            left: by_place(&prompt.capabilities),
        }
    }

    fn member(&self, listed: &'a ChainMember, parent: Option<&'a str>) -> MemberView<'a> {
        let directive = listed.directive.as_deref();
        let context = directive.map(|directive| &directive.context);
        let declared = directive.map_or(&[][..], |directive| &directive.permissions);
        let permission = |permission: &'a Permission| (permission, self.left.get(&place(&permission.span)).copied());
        let hook = |hook: &'a Hook| OwnHook { hook, actions: self.actions(hook), is_pruned: false };
        let placed = context.into_iter().flat_map(Position::all_items);
        MemberView {
            listed,
            parent,
            context: placed.map(|(position, field)| self.placed(position, field)).collect(),
            suppresses: context.iter().flat_map(|it| &it.suppress).map(|field| self.suppression(field)).collect(),
            hooks: directive.iter().flat_map(|it| &it.hooks).map(hook).collect(),
            permissions: declared.iter().map(permission).collect(),
            counts: declared.iter().any(|it| self.granted.contains_key(&place(&it.span))),
            undecided: Vec::new(),
        }
    }

    fn placed(&self, position: Position, field: &'a ItemField) -> Placed<'a> {
        let decisions = self.asked.get(&(slot(position), place(&field.span)));
        Placed { position, field, decision: decisions.and_then(|all| all.first().copied()) }
    }

    fn suppression(&self, field: &'a ItemField) -> Suppression<'a> {
        let here = place(&field.span);
        let shadowed_by = self.effective.get(field.as_str()).filter(|(place, _)| *place != here).map(|(_, id)| *id);
        Suppression { field, matched: self.suppressed.get(&here).cloned().unwrap_or_default(), shadowed_by }
    }

    fn actions(&self, hook: &Hook) -> Vec<&'a Decision> {
        let Some(place) = hook.span.as_ref().map(place) else { return Vec::new() };
        let slots = [Slot::SystemHooksBefore, Slot::SystemHooksAfter, Slot::UserHooksBefore, Slot::UserHooksAfter];
        slots.into_iter().filter_map(|slot| self.asked.get(&(slot, place))).flatten().copied().collect()
    }
}

fn slot(position: Position) -> Slot {
    match position {
        Position::System => Slot::SystemChain,
        Position::Before => Slot::UserChainBefore,
        Position::After => Slot::UserChainAfter,
    }
}

#[cfg(test)]
mod tests;
