use crate::decide::request::WhatIf;
use crate::decide::{RouteEffect, routing_hooks};
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{ActionResult, Decision, DecisionOutcome, Declared, HookVerdict, ItemRef, Slot};
use crate::read::protocol::Routing;
use crate::read::store::ItemKind;

use super::chain::ParentStep;
use super::configuration::Configuration;
use super::hook_context::HookContext;
use super::hook_runs::{HookOutcome, HookRuns, declared};
use super::{diagnose, what_if};

#[derive(Default)]
pub(super) struct RoutingLog {
    pub decisions: Vec<Decision>,
    pub runs: HookRuns,
}

impl RoutingLog {
    pub fn command_line(&mut self, parent: &str) -> ParentStep {
        let by = what_if::flag(SET_EXTENDS);
        let why = format!("sets the parent to {parent}");
        self.decisions.push(Decision {
            by: Some(by.clone()),
            declared_by: Some(by.clone()),
            item: Some(ItemRef { kind: ItemKind::Directive, id: parent.to_string(), span: None }),
            ..Decision::new(parent, Slot::Routing, DecisionOutcome::Routed, why)
        });
        ParentStep { parent: parent.to_string(), by }
    }
}

/// Takes precedence over every hook.
const SET_EXTENDS: &str = "--set-extends";

/// The parent that a `resolve_extends` hook sets: the first hook whose condition holds decides (Directives, "Routing").
pub(super) fn route(
    configuration: &Configuration,
    routing: Routing,
    context: &HookContext,
    what_if: &WhatIf,
    considered: &mut RoutingLog,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ParentStep> {
    let hooks = routing_hooks(configuration.hooks.iter(), routing.order);
    let RoutingLog { decisions, runs } = considered;
    let mut found = None;
    let mut ended_by: Option<Declared> = what_if.set_extends.as_ref().map(|_| what_if::flag(SET_EXTENDS));
    for hook in hooks {
        let mut decide = |outcome, why: &str| {
            let (by, declared_by) = (Some(declared(hook)), Some(declared(hook)));
            decisions.push(Decision { by, declared_by, ..Decision::new(hook.name(), Slot::Routing, outcome, why) });
        };
        let not_reached = |earlier: &Declared| {
            HookOutcome::new(HookVerdict::NotReached, format!("{} comes first", earlier.by), Some(earlier.clone()))
        };
        if let Some(fate) = what_if::left_out(what_if, hook).or_else(|| ended_by.as_ref().map(not_reached)) {
            decide(DecisionOutcome::NotRouted, &fate.why);
            runs.add(hook, context, None, fate, []);
            continue;
        }
        let (judgement, problems) = context.judge(&hook.condition);
        runs.read.condition(&hook.condition, Slot::Routing);
        let is_too_costly = problems.contains(&Problem::ConditionsTooCostly);
        diagnostics.extend(problems.into_iter().map(|problem| diagnose(problem, &hook.condition.span)));
        if is_too_costly {
            break;
        }
        let mut fate = HookOutcome::of(&judgement, hook, context);
        if !judgement.holds() {
            decide(DecisionOutcome::ConditionFalse, &fate.why);
            runs.add(hook, context, Some(judgement), fate, []);
            continue;
        }
        let results = match RouteEffect::of(hook, routing) {
            RouteEffect::Sets(target) => {
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
            RouteEffect::Nothing { stops } => {
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
        runs.add(hook, context, Some(judgement), fate, results);
    }
    found
}
