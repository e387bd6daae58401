//! The directives of one chain: what each declares, and the outcome.
//!
//! Matches the prompt's decisions to its chain by the positions of declarations; nothing is decided here.

mod graph;
mod scoped;
mod tree;

use std::collections::HashMap;
use std::hash::Hash;
use std::io;
use std::sync::Arc;

use serde::Serialize;

use super::json::ChainDocument;
use super::{Graph, GraphFormat, GraphScope, GraphView, diagram};
use crate::decide::request::Position;
use crate::prompt::{
    ChainMember, Decision, DecisionOutcome, Declared, Grant, HookRun, HookVerdict, ItemRef, Prompt, Slot,
};
use crate::read::item::{Hook, ItemField, Permission, ROUTING_EVENT};
use crate::text::{Source, Span};
use scoped::ScopedChain;

pub fn write(prompt: &Prompt, scope: &GraphScope, view: &GraphView, out: &mut dyn io::Write) -> io::Result<()> {
    let shown = ScopedChain::new(prompt, scope);
    let graph = || graph::graph(&shown);
    match view.format {
        GraphFormat::Tree => tree::write(&shown, view, out),
        GraphFormat::Json => view.json(&document(&graph(), &shown), out),
        GraphFormat::Dot => diagram::dot(&graph(), out),
        GraphFormat::Mermaid => diagram::mermaid(&graph(), out),
    }
}

fn document<'a>(graph: &'a Graph, shown: &'a ScopedChain) -> ChainDocument<'a> {
    ChainDocument {
        members: Some(shown.members.iter().rev().collect()),
        permissions: shown.granted,
        what_if: &shown.prompt.what_if,
        ..ChainDocument::new(graph, &shown.prompt.protocol, &shown.prompt.diagnostics)
    }
}

/// A directive of the chain, and the outcome of its declarations.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Member"))]
pub struct MemberView<'a> {
    #[serde(skip)]
    pub listed: &'a ChainMember,
    /// The id of the directive.
    pub id: &'a str,
    /// The file of the directive.
    pub source: &'a Source,
    /// Whether it can be parsed; if not, it contributes nothing and ends the chain.
    pub parsed: bool,
    /// The step to its parent; null for the root.
    pub extends: Option<ParentStep<'a>>,
    /// The knowledge items that it places, by position, in the order written.
    pub context: Vec<Placed<'a>>,
    /// Its `<suppress>` entries.
    pub suppress: Vec<Suppression<'a>>,
    /// The hooks that it declares.
    pub hooks: Vec<OwnHook<'a>>,
    /// The permissions that it declares.
    pub permissions: Vec<OwnPermission<'a>>,
    #[serde(skip)]
    pub counts: bool,
    /// The hooks that might route the leaf once its inputs have values.
    #[serde(skip)]
    pub undecided: Vec<&'a HookRun>,
}

/// The step from a directive to its parent.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Parent"))]
pub struct ParentStep<'a> {
    /// The parent's id.
    pub id: &'a str,
    /// The directive itself, or the hook that routes it.
    pub by: &'a Declared,
    /// Whether a hook or the command line sets the parent, which overrides the directive's `extends`.
    pub routed: bool,
}

/// A knowledge item that a directive places, and its outcome.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Placed<'a> {
    /// The position at which it is placed.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["system", "before", "after"])))]
    pub position: Position,
    /// The item's id.
    pub id: &'a str,
    /// The declaration.
    pub source: &'a Span,
    #[serde(skip)]
    pub decision: Option<&'a Decision>,
    /// The outcome; null if the protocol does not use placed items.
    pub outcome: Option<DecisionOutcome>,
    /// The reason, as a sentence.
    pub why: Option<&'a str>,
    /// What decided the outcome.
    pub by: Option<&'a Declared>,
    /// The item and its file.
    pub item: Option<&'a ItemRef>,
}

/// A `<suppress>` entry.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Suppress"))]
pub struct Suppression<'a> {
    /// The id of a hook or an item.
    pub id: &'a str,
    /// The declaration.
    pub source: &'a Span,
    /// What it left out; empty if it matched nothing, or if another directive in the chain already suppresses the same
    /// id.
    pub matched: Vec<Suppressed<'a>>,
    /// The member whose identical suppression takes effect instead.
    #[serde(skip)]
    pub shadowed_by: Option<&'a str>,
}

/// Something left out because a directive suppresses it.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Suppressed<'a> {
    /// Hook id or item id.
    pub name: &'a str,
    /// Its place in the assembly order.
    pub slot: Slot,
}

/// A hook that a directive declares, and its outcome.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OwnHook<'a> {
    #[serde(skip)]
    pub hook: &'a Hook,
    /// The id; null if it has none.
    pub id: Option<&'a str>,
    /// The event that triggers it.
    pub event: &'a str,
    /// The declaration.
    pub source: Option<&'a Span>,
    /// The outcome of each action; empty if the hook was not considered: only the leaf's hooks run, and only when their
    /// event occurs.
    pub actions: Vec<OwnHookAction<'a>>,
}

/// The outcome of a hook's action.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OwnHookAction<'a> {
    #[serde(skip)]
    pub decision: &'a Decision,
    /// The outcome.
    pub outcome: DecisionOutcome,
    /// The reason, as a sentence.
    pub why: &'a str,
    /// What decided the outcome.
    pub by: Option<&'a Declared>,
    /// The item and its file.
    pub item: Option<&'a ItemRef>,
}

/// A permission that a directive declares, and its effect in the chain.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Permission"))]
pub struct OwnPermission<'a> {
    /// The capability.
    pub capability: &'a str,
    /// The declaration.
    pub source: &'a Span,
    /// Whether the permissions of this directive are the ones in effect.
    pub counts: bool,
    /// What a parent thread leaves of it; null if it is not in effect, or if nothing is left.
    pub leaves: Option<&'a str>,
}

impl MemberView<'_> {
    /// Whether a hook or the command line sets its parent.
    pub fn is_routed(&self) -> bool {
        self.extends.as_ref().is_some_and(|step| step.routed)
    }
}

impl<'a> ParentStep<'a> {
    fn of(member: &'a ChainMember, parent: &'a ChainMember) -> Option<Self> {
        let by = member.extends.as_ref()?;
        let is_own = |span: &Span| Arc::ptr_eq(span.source(), &member.source);
        Some(Self { id: &parent.id, by, routed: !by.span.as_ref().is_some_and(is_own) })
    }
}

pub fn members(prompt: &Prompt) -> Vec<MemberView<'_>> {
    let facts = DeclarationIndex::of(prompt);
    let leaf_first = prompt.chain.iter().rev();
    let parents = leaf_first.clone().skip(1).map(Some).chain([None]);
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
    suppressed: HashMap<DeclarationKey, Vec<Suppressed<'a>>>,
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
        let suppressed =
            suppressed.filter_map(|it| Some((declaration(&it.by)?, Suppressed { name: &it.name, slot: it.slot })));
        let mut effective = HashMap::new();
        for member in &prompt.chain {
            for field in member.directive.iter().flat_map(|directive| &directive.context.suppress) {
                effective.entry(field.as_str()).or_insert((place(&field.span), member.id.as_str()));
            }
        }
        Self {
            asked: by_declaration(asked),
            suppressed: by_declaration(suppressed),
            effective,
            granted: by_place(&prompt.permissions),
            left: by_place(&prompt.capabilities),
        }
    }

    fn member(&self, listed: &'a ChainMember, parent: Option<&'a ChainMember>) -> MemberView<'a> {
        let directive = listed.directive.as_deref();
        let context = directive.map(|directive| &directive.context);
        let declared = directive.map_or(&[][..], |directive| &directive.permissions);
        let counts = declared.iter().any(|it| self.granted.contains_key(&place(&it.span)));
        let permission = |Permission { capability, span, .. }: &'a Permission| OwnPermission {
            capability,
            source: span,
            counts,
            leaves: self.left.get(&place(span)).map(|grant| grant.capability.as_str()),
        };
        let placed = context.into_iter().flat_map(Position::all_items);
        MemberView {
            listed,
            id: &listed.id,
            source: &listed.source,
            parsed: directive.is_some(),
            extends: parent.and_then(|parent| ParentStep::of(listed, parent)),
            context: placed.map(|(position, field)| self.placed(position, field)).collect(),
            suppress: context.iter().flat_map(|it| &it.suppress).map(|field| self.suppression(field)).collect(),
            hooks: directive.iter().flat_map(|it| &it.hooks).map(|hook| self.hook(hook)).collect(),
            permissions: declared.iter().map(permission).collect(),
            counts,
            undecided: Vec::new(),
        }
    }

    fn placed(&self, position: Position, field: &'a ItemField) -> Placed<'a> {
        let decisions = self.asked.get(&(slot(position), place(&field.span)));
        let decision = decisions.and_then(|all| all.first().copied());
        Placed {
            position,
            id: field.as_str(),
            source: &field.span,
            decision,
            outcome: decision.map(|it| it.outcome),
            why: decision.map(|it| it.why.as_str()),
            by: decision.and_then(|it| it.by.as_ref()),
            item: decision.and_then(|it| it.item.as_ref()),
        }
    }

    fn suppression(&self, field: &'a ItemField) -> Suppression<'a> {
        let here = place(&field.span);
        let shadowed_by = self.effective.get(field.as_str()).filter(|(place, _)| *place != here).map(|(_, id)| *id);
        let matched = self.suppressed.get(&here).cloned().unwrap_or_default();
        Suppression { id: field.as_str(), source: &field.span, matched, shadowed_by }
    }

    fn hook(&self, hook: &'a Hook) -> OwnHook<'a> {
        let slots = [Slot::SystemHooksBefore, Slot::SystemHooksAfter, Slot::UserHooksBefore, Slot::UserHooksAfter];
        let place = hook.span.as_ref().map(place);
        let asked = slots.into_iter().filter_map(|slot| self.asked.get(&(slot, place?))).flatten();
        let action = |decision: &&'a Decision| OwnHookAction {
            decision,
            outcome: decision.outcome,
            why: &decision.why,
            by: decision.by.as_ref(),
            item: decision.item.as_ref(),
        };
        let (id, source) = (hook.id.as_deref(), hook.span.as_ref());
        OwnHook { hook, id, event: &hook.event, source, actions: asked.map(action).collect() }
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
