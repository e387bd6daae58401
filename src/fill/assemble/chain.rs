//! The chain of one directive, and the hook that may set its parent.

use std::collections::HashSet;
use std::sync::Arc;

use super::configuration::Configuration;
use super::hook_context;
use super::plan::{HookOutcome, Plan, Planner, declared};
use super::{Leaf, diagnose, what_if};
use crate::decide::{DirectiveIndex, IndexedDirective, granting, routing_hooks};
use crate::diagnostic::{ChainLink, Diagnostic, Problem, Severity};
use crate::prompt::{
    ActionResult, ChainMember, Decision, DecisionOutcome, Declared, Grant, HookVerdict, ItemRef, Slot, wins_over,
};
use crate::read::item::{Directive, Permission};
use crate::read::limits;
use crate::read::protocol::{ContextScope, Protocol};
use crate::read::store::{ItemId, ItemKind, Tiers};
use crate::text::Source;

#[derive(Default)]
pub(super) struct Chain {
    members: Vec<ChainMember>,
}

/// The step to a parent: an `extends`, a routing hook or the command line.
#[derive(Debug, Clone)]
pub(super) struct ParentStep {
    pub parent: String,
    pub by: Declared,
}

impl ParentStep {
    fn of(id: &str, directive: &Directive) -> Option<Self> {
        let field = directive.parent()?;
        let by = Declared { by: id.to_string(), span: Some(field.span.clone()) };
        Some(Self { parent: field.as_str().to_string(), by })
    }
}

impl Chain {
    pub fn alone(id: &str, leaf: &Arc<Directive>) -> Self {
        let source = Arc::clone(&leaf.source);
        Self {
            members: vec![ChainMember { id: id.to_string(), source, directive: Some(Arc::clone(leaf)), extends: None }],
        }
    }

    /// The chain as an error shows it: leaf first, ending in the id that closes a cycle or is missing.
    fn links(&self, end: &str) -> Vec<ChainLink> {
        let link = |member: &ChainMember| ChainLink {
            id: member.id.clone(),
            tier: member.source.tier().to_string(),
            place: match member.extends.as_ref().and_then(|by| by.span.as_ref()) {
                Some(span) => format!("{}:{}", span.source().path(), span.line()),
                None => member.source.path().to_string(),
            },
        };
        self.members.iter().map(link).chain([ChainLink::end(end)]).collect()
    }

    pub fn members(&self) -> impl Iterator<Item = &ChainMember> {
        self.members.iter().rev()
    }

    /// The leaf's permissions, else those of the ancestor nearest the root that declares any (Directives, "Chain").
    pub fn grants(&self, diagnostics: &mut Vec<Diagnostic>) -> Vec<Grant> {
        let declares = |member: &&ChainMember| !permissions(member).is_empty();
        let Some(from) = granting(self.members.iter(), declares) else { return Vec::new() };
        let skipped: Vec<String> = self.members().filter(declares).skip(1).map(|member| member.id.clone()).collect();
        if !declares(&&self.members[0]) && !skipped.is_empty() {
            let problem = Problem::PermissionsFromRoot { from: from.id.clone(), skipped };
            diagnostics.push(Diagnostic::at(problem, &permissions(from)[0].span));
        }
        let grant = |permission: &Permission| Grant {
            capability: permission.capability.clone(),
            by: Declared { by: from.id.clone(), span: Some(permission.span.clone()) },
        };
        permissions(from).iter().map(grant).collect()
    }
}

fn permissions(member: &ChainMember) -> &[Permission] {
    member.directive.as_ref().map_or(&[], |directive| &directive.permissions)
}

/// Fails if the chains of `ids` are too long in total; `all` is the number of directives.
pub fn check_chains(ids: &[&str], all: usize, tiers: &Tiers, protocol: &Protocol) -> Result<(), Diagnostic> {
    let most = limits::CHAINED.max(limits::CHAINED_EACH * all);
    // A chain has at most as many members as there are directives.
    if protocol.context == ContextScope::None || ids.len().saturating_mul(all) <= most {
        return Ok(());
    }
    let ids: Vec<ItemId> = ids.iter().filter_map(|id| ItemId::parse(id).ok()).collect();
    let read = |id: &ItemId| {
        let found = tiers.find(ItemKind::Directive, id).ok().flatten();
        let parsed = found.and_then(|found| super::directive(&found.source, tiers, protocol).ok());
        Some(IndexedDirective { directive: parsed.map(|parsed| parsed.item), file: () })
    };
    let index = DirectiveIndex::read(ids.iter().cloned(), read);
    // A circular chain is refused when its directive is rendered.
    let lengths = ids.iter().filter_map(|id| index.find(id.as_str())).map(|at| index.chain_length(at));
    let sum = lengths.fold(0, usize::saturating_add);
    if sum > most {
        let unit = "directives in the chains of all prompts together";
        return Err(Diagnostic::new(Problem::OverLimit { limit: most as u64, unit }));
    }
    Ok(())
}

/// Takes precedence over every hook.
const SET_EXTENDS: &str = "--set-extends";

impl Planner<'_> {
    /// Walks from the leaf to the root. `route` replaces the leaf's `extends`.
    pub fn chain(&mut self, leaf: &Leaf, route: Option<ParentStep>) -> Result<Chain, Diagnostic> {
        let Self { request, tiers, protocol, .. } = *self;
        let id = request.directive.id.as_str();
        let mut chain = Chain::alone(id, &leaf.directive);
        let mut seen = HashSet::from([id.to_string()]);
        let mut next = route.or_else(|| ParentStep::of(id, &leaf.directive));
        while let Some(link) = next.take() {
            let parent = link.parent.clone();
            if let Some(child) = chain.members.last_mut() {
                child.extends = Some(link.by.clone());
            }
            if !seen.insert(parent.clone()) {
                let chain = chain.links(&parent);
                return Err(diagnose(Problem::CircularExtends { chain }, &link.by.span));
            }
            let id = ItemId::parse(&parent)
                .map_err(|reason| diagnose(Problem::InvalidId { id: parent.clone(), reason }, &link.by.span))?;
            let Some(found) = tiers.find(ItemKind::Directive, &id)? else {
                let nearest = tiers.nearest_id(ItemKind::Directive, &id);
                let chain = chain.links(&parent);
                return Err(diagnose(Problem::ParentNotFound { id: parent, chain, nearest }, &link.by.span));
            };
            let directive = match super::directive(&found.source, tiers, protocol) {
                Ok(parsed) => {
                    self.diagnostics.extend(parsed.diagnostics);
                    Some(parsed.item)
                }
                Err(errors) => {
                    let reason = errors
                        .iter()
                        .find(|diagnostic| diagnostic.severity() == Severity::Error)
                        .map_or_else(|| "it cannot be parsed".to_string(), Diagnostic::message);
                    let problem = Problem::ParentUnusable { id: parent.clone(), reason };
                    self.diagnostics.push(diagnose(problem, &link.by.span));
                    None
                }
            };
            next = directive.as_ref().and_then(|directive| ParentStep::of(&parent, directive));
            chain.members.push(ChainMember { id: parent, source: found.source, directive, extends: None });
        }
        Ok(chain)
    }

    /// The parent that the command line sets.
    pub fn typed_parent(&mut self) -> Option<ParentStep> {
        let parent = self.request.what_if.set_extends.as_deref()?;
        let by = what_if::flag(SET_EXTENDS);
        let why = format!("sets the parent to {parent}");
        self.routing.push(Decision {
            by: Some(by.clone()),
            declared_by: Some(by.clone()),
            item: Some(ItemRef { kind: ItemKind::Directive, id: parent.to_string(), span: None }),
            ..Decision::new(parent, Slot::Routing, DecisionOutcome::Routed, why)
        });
        Some(ParentStep { parent: parent.to_string(), by })
    }

    /// The parent that a `resolve_extends` hook sets: the first hook whose condition holds decides (Directives,
    /// "Routing").
    pub fn route(&mut self, leaf: &Leaf, configuration: &Configuration) -> Option<ParentStep> {
        let Self { request, protocol, .. } = *self;
        let rules = protocol.routing?;
        let context = hook_context::routing(request, leaf, protocol);
        let hooks = routing_hooks(configuration.hooks.iter(), rules.order);
        let Self { routing: decisions, runs, diagnostics, .. } = self;
        let mut found = None;
        let mut ended_by: Option<Declared> = request.what_if.set_extends.as_ref().map(|_| what_if::flag(SET_EXTENDS));
        for hook in hooks {
            let mut decide = |outcome, why: &str| {
                let (by, declared_by) = (Some(declared(hook)), Some(declared(hook)));
                decisions.push(Decision { by, declared_by, ..Decision::new(hook.name(), Slot::Routing, outcome, why) });
            };
            let not_reached = |earlier: &Declared| {
                HookOutcome::new(HookVerdict::NotReached, format!("{} comes first", earlier.by), Some(earlier.clone()))
            };
            if let Some(fate) = what_if::left_out(&request.what_if, hook).or_else(|| ended_by.as_ref().map(not_reached))
            {
                decide(DecisionOutcome::NotRouted, &fate.why);
                runs.add(hook, &context, None, fate, []);
                continue;
            }
            let (judgement, problems) = context.judge(&hook.condition);
            runs.read.condition(&hook.condition, Slot::Routing);
            let is_too_costly = problems.contains(&Problem::ConditionsTooCostly);
            diagnostics.extend(problems.into_iter().map(|problem| diagnose(problem, &hook.condition.span)));
            if is_too_costly {
                break;
            }
            let mut fate = HookOutcome::of(&judgement, hook, &context);
            if !judgement.holds() {
                decide(DecisionOutcome::ConditionFalse, &fate.why);
                runs.add(hook, &context, Some(judgement), fate, []);
                continue;
            }
            let results = match hook.parent() {
                Some(target) => {
                    let chosen = hook.actions.iter().position(|action| action.set_extends.is_some());
                    let why = format!("sets the parent to {}", target.as_str());
                    decide(DecisionOutcome::Routed, &why);
                    let by = Declared { span: Some(target.span.clone()), ..declared(hook) };
                    found = Some(ParentStep { parent: target.as_str().to_string(), by });
                    ended_by = Some(declared(hook));
                    let other = || ("another action sets it".to_string(), DecisionOutcome::NotRouted);
                    let result = |index| {
                        let (why, outcome) =
                            if Some(index) == chosen { (why.clone(), DecisionOutcome::Routed) } else { other() };
                        ActionResult { outcome, why }
                    };
                    (0..hook.actions.len()).map(result).collect()
                }
                None => {
                    let stops = rules.without_target_stops;
                    let problem = Problem::RoutingWithoutTarget { hook: hook.name().to_string(), stops };
                    diagnostics.push(diagnose(problem, &hook.span));
                    fate.why = "its condition holds, but it has no set_extends".to_string();
                    decide(DecisionOutcome::NotRouted, &fate.why);
                    if stops {
                        ended_by = Some(declared(hook));
                    }
                    Vec::new()
                }
            };
            runs.add(hook, &context, Some(judgement), fate, results);
        }
        found
    }
}

/// Decisions for the copies in lower tiers that items in use shadow.
pub(super) fn shadowed(chain: &Chain, plan: &Plan, tiers: &Tiers) -> Vec<Decision> {
    let members = chain.members().map(|member| (Slot::Chain, ItemKind::Directive, &member.id, &*member.source));
    let items = plan.entries.iter().filter(|entry| entry.text.is_some()).filter_map(|entry| {
        let item = entry.decision.item.as_ref().filter(|item| item.kind == ItemKind::Knowledge)?;
        Some((entry.decision.slot, item.kind, &item.id, &**item.span.as_ref()?.source()))
    });
    let mut seen = HashSet::new();
    members
        .chain(items)
        .filter(|(_, kind, id, _)| seen.insert((*kind, *id)))
        .filter_map(|(slot, kind, id, source)| decision(slot, kind, id, source, tiers))
        .collect()
}

fn decision(slot: Slot, kind: ItemKind, id: &str, source: &Source, tiers: &Tiers) -> Option<Decision> {
    let winner = tiers.list().iter().position(|tier| *tier.label == *source.tier())?;
    let copies = tiers.shadowed(kind, &ItemId::parse(id).ok()?, winner);
    (!copies.is_empty()).then(|| Decision {
        item: Some(ItemRef { kind, id: id.to_string(), span: None }),
        ..Decision::new(id, slot, DecisionOutcome::Shadowed, wins_over(source.tier(), &copies.join(" and ")))
    })
}
