use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::item::{Field, Hook, HookOrigin};
use crate::prompt::{Decision, Outcome, Slot};
use crate::protocol::{Routing, RoutingOrder};

use super::configuration::Configuration;
use super::hook_context::HookContext;
use super::hooks::declared;

/// The parent that a `resolve_extends` hook sets: the first hook whose condition holds decides (Directives, "Routing").
pub(super) fn route<'a>(
    configuration: &'a Configuration,
    routing: Routing,
    context: &HookContext,
    decisions: &mut Vec<Decision>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<&'a Field> {
    let origins = [HookOrigin::Project, HookOrigin::User, HookOrigin::Builtin];
    let mut hooks: Vec<&Hook> = origins
        .into_iter()
        .flat_map(|origin| configuration.hooks(origin))
        .filter(|hook| hook.event == "resolve_extends")
        .collect();
    if routing.order == RoutingOrder::Layer {
        hooks.sort_by(|left, right| left.effective_layer().total_cmp(&right.effective_layer()));
    }

    let mut found = None;
    let mut ended_by: Option<&str> = None;
    for hook in hooks {
        let mut decide = |outcome, why: String| {
            let by = Some(declared(hook));
            let name = hook.name().to_string();
            decisions.push(Decision { name, slot: Slot::Routing, outcome, why, by, item: None, layer: None });
        };
        if let Some(earlier) = ended_by {
            decide(Outcome::NotRouted, format!("hook {earlier} comes first"));
            continue;
        }
        let verdict = context.judge(&hook.condition);
        let at = || hook.condition_span.clone().map(Location::Span);
        diagnostics.extend(verdict.diagnostics.into_iter().map(|problem| Diagnostic { problem, at: at() }));
        if !verdict.holds {
            decide(Outcome::ConditionFalse, verdict.why);
            continue;
        }
        match hook.actions.iter().find_map(|action| action.set_extends.as_ref()).filter(|field| !field.text.is_empty())
        {
            Some(target) => {
                decide(Outcome::Routed, format!("sets the parent to {}", target.as_str()));
                found = Some(target);
                ended_by = Some(hook.name());
            }
            None => {
                let stops = routing.without_target_stops;
                let problem = Problem::RoutingWithoutTarget { hook: hook.name().to_string(), stops };
                diagnostics.push(Diagnostic { problem, at: hook.span.clone().map(Location::Span) });
                decide(Outcome::NotRouted, "its condition holds, but it has no set_extends".to_string());
                if stops {
                    ended_by = Some(hook.name());
                }
            }
        }
    }
    found
}
