use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::item::{Hook, HookOrigin};
use crate::prompt::{ActionResult, Decision, Declared, HookVerdict, ItemRef, Outcome, Slot};
use crate::protocol::{Routing, RoutingOrder};
use crate::request::WhatIf;
use crate::store::ItemKind;

use super::chain::Link;
use super::configuration::Configuration;
use super::hook_context::HookContext;
use super::hook_runs::{Fate, HookRuns};
use super::hooks::declared;
use super::what_if;

/// The hooks that may set a parent, in the order in which they are asked, from those of each origin.
pub(crate) fn in_order<T: Copy, Hooks: IntoIterator<Item = T>>(
    of_origin: impl Fn(HookOrigin) -> Hooks,
    hook: impl Fn(&T) -> &Hook,
    order: RoutingOrder,
) -> Vec<T> {
    let mut hooks: Vec<T> =
        HookOrigin::ROUTING.into_iter().flat_map(of_origin).filter(|it| hook(it).routes()).collect();
    if order == RoutingOrder::Layer {
        hooks.sort_by(|left, right| hook(left).effective_layer().total_cmp(&hook(right).effective_layer()));
    }
    hooks
}

/// What was considered for a parent.
#[derive(Default)]
pub(super) struct Considered {
    pub decisions: Vec<Decision>,
    pub runs: HookRuns,
}

impl Considered {
    /// The parent that the command line sets.
    pub fn command_line(&mut self, parent: &str) -> Link {
        let by = what_if::flag(SET_EXTENDS);
        self.decisions.push(Decision {
            name: parent.to_string(),
            slot: Slot::Routing,
            outcome: Outcome::Routed,
            why: format!("sets the parent to {parent}"),
            by: Some(by.clone()),
            declared_by: Some(by.clone()),
            item: Some(ItemRef { kind: ItemKind::Directive, id: parent.to_string(), span: None }),
            layer: None,
        });
        Link { parent: parent.to_string(), by }
    }
}

/// The flag that comes before every hook.
const SET_EXTENDS: &str = "--set-extends";

/// The parent that a `resolve_extends` hook sets: the first hook whose condition holds decides (Directives, "Routing").
pub(super) fn route(
    configuration: &Configuration,
    routing: Routing,
    context: &HookContext,
    what_if: &WhatIf,
    considered: &mut Considered,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Link> {
    let hooks = in_order(|origin| configuration.hooks(origin), |hook| hook, routing.order);
    let Considered { decisions, runs } = considered;
    let mut found = None;
    let mut ended_by: Option<Declared> = what_if.set_extends.as_ref().map(|_| what_if::flag(SET_EXTENDS));
    for hook in hooks {
        let mut decide = |outcome, why: String| {
            let by = Some(declared(hook));
            let name = hook.name().to_string();
            let declared_by = by.clone();
            decisions.push(Decision {
                name,
                slot: Slot::Routing,
                outcome,
                why,
                by,
                declared_by,
                item: None,
                layer: None,
            });
        };
        if what_if::leaves_out(what_if, hook) {
            decide(Outcome::NotRouted, what_if::LEFT_OUT.to_string());
            let by = what_if::flag("--without-hook");
            runs.add(hook, context, None, Fate::decided(HookVerdict::LeftOut, what_if::LEFT_OUT, Some(by)), []);
            continue;
        }
        if let Some(earlier) = &ended_by {
            let why = format!("{} comes first", earlier.by);
            decide(Outcome::NotRouted, why.clone());
            runs.add(hook, context, None, Fate::decided(HookVerdict::NotReached, why, Some(earlier.clone())), []);
            continue;
        }
        let (judgement, problems) = context.judge(&hook.condition);
        let at = || hook.condition_span.clone().map(Location::Span);
        let is_too_costly = problems.contains(&Problem::ConditionsTooCostly);
        diagnostics.extend(problems.into_iter().map(|problem| Diagnostic { problem, at: at() }));
        if is_too_costly {
            break;
        }
        let mut fate = Fate::of(&judgement, hook, context);
        if !judgement.holds() {
            decide(Outcome::ConditionFalse, fate.why.clone());
            runs.add(hook, context, Some(judgement), fate, []);
            continue;
        }
        let mut targets = hook.actions.iter().enumerate().filter_map(|(at, it)| Some((at, it.set_extends.as_ref()?)));
        let results = match targets.next().filter(|(_, target)| !target.text.is_empty()) {
            Some((chosen, target)) => {
                let why = format!("sets the parent to {}", target.as_str());
                decide(Outcome::Routed, why.clone());
                let by = Declared { span: Some(target.span.clone()), ..declared(hook) };
                found = Some(Link { parent: target.as_str().to_string(), by });
                ended_by = Some(declared(hook));
                let result = |index| match index == chosen {
                    true => ActionResult { outcome: Outcome::Routed, why: why.clone() },
                    false => ActionResult { outcome: Outcome::NotRouted, why: "another action sets it".to_string() },
                };
                (0..hook.actions.len()).map(result).collect()
            }
            None => {
                let stops = routing.without_target_stops;
                let problem = Problem::RoutingWithoutTarget { hook: hook.name().to_string(), stops };
                diagnostics.push(Diagnostic { problem, at: hook.span.clone().map(Location::Span) });
                fate.why = "its condition holds, but it has no set_extends".to_string();
                decide(Outcome::NotRouted, fate.why.clone());
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
