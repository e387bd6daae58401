//! The events of hooks, and the parents that they set.

use std::collections::HashMap;

use crate::decide::condition::{Truth, truth_anywhere};
use crate::decide::routing_hooks;
use crate::lint::rules::{Findings, Hook, LintFile, Problem, Project};
use crate::read::item::condition::{Comparison, Condition, Form, Operator};
use crate::read::item::{EVENTS, ROUTING_EVENT};
use crate::read::protocol::ContextScope;
use crate::text::nearest::nearest;

use super::place_of;
use super::words::{rewrite, surely_meant};

pub fn event_not_fired(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    let protocol = project.protocol;
    let is_routing = hook.event == ROUTING_EVENT;
    let why = match protocol.routing {
        _ if !hook.fires() => return,
        _ if protocol.context == ContextScope::None => format!("{} fires no event", protocol.name),
        None if is_routing => format!("{} never fires {ROUTING_EVENT}", protocol.name),
        Some(_) if is_routing && !hook.routes() => {
            format!("{ROUTING_EVENT} only runs builtin_hooks and the hooks.yaml files of the project and the user")
        }
        _ => return,
    };
    if let Some(at) = place_of(hook, "event") {
        found.at(at, format!("hook {} never runs: {why}", hook.name()));
    }
}

pub fn event_unknown(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    if hook.fires() {
        return;
    }
    let Some(at) = place_of(hook, "event") else { return };
    let nearest = nearest(&hook.event, EVENTS.into_iter());
    let problem = Problem::EventUnknown { hook: hook.name().to_string(), event: hook.event.clone(), nearest };
    let finding = found.problem(problem, &at);
    let meant = surely_meant(&hook.event, EVENTS.into_iter());
    if let Some(meant) = meant {
        finding.fix(format!("write {meant}"), rewrite(&at, &hook.event, meant));
    }
}

pub fn routing_without_target(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(rules) = project.protocol.routing else { return };
    if !hook.routes() || hook.parent().is_some() || is_misplaced(hook) {
        return;
    }
    let Some(at) = place_of(hook, "id") else { return };
    let name = hook.name().to_string();
    match truth_anywhere(&hook.condition) {
        // It never matches.
        Truth::False => {}
        Truth::True => {
            found.problem(Problem::RoutingWithoutTarget { hook: name, stops: rules.without_target_stops }, &at);
        }
        // Whether it matches is only known in a render.
        Truth::Unknown => {
            let does = if rules.without_target_stops { "still ends the search" } else { "is skipped" };
            found.at(&at, format!("hook {name} sets no parent; if its condition holds, it {does}"));
        }
    }
}

/// Whether `set_extends` is in the wrong place, which RR317 reports.
fn is_misplaced(hook: &Hook) -> bool {
    hook.written.get("set_extends").is_some()
        || hook.condition.parts().any(|part| part.keys.contains_key("set_extends"))
}

/// Further hooks are only compared for equal conditions.
const MOST_COMPARED: usize = 50;

/// The maximum number of pairs of conditions compared for one hook: nested conditions have far more pairs than parts.
const MOST_STEPS: usize = 10_000;

pub fn routing_hidden(project: &Project<'_>, found: &mut Findings<'_>) {
    let (Some(rules), Some(configuration)) = (project.protocol.routing, project.configuration.as_ref()) else { return };
    let routing = routing_hooks(configuration.hooks.iter(), rules.order);
    if routing.len() < 2 {
        return;
    }
    let mut equal: HashMap<String, &Hook> = HashMap::new();
    let mut earlier: Vec<&Hook> = Vec::new();
    let mut always: Option<&Hook> = None;
    for hook in routing {
        let condition = &hook.condition;
        let same = || equal.get(&format!("{condition:?}")).copied();
        let mut steps = MOST_STEPS;
        let wider = || earlier.iter().copied().find(|wider| implies(condition, &wider.condition, &mut steps));
        let hidden = match always {
            Some(first) => Some((first, "always holds")),
            None => same().or_else(wider).map(|first| (first, "holds whenever its own does")),
        };
        if let (Some((first, how)), Some(at)) = (hidden, place_of(hook, "id")) {
            let first_name = first.name();
            let message =
                format!("hook {} never runs: the condition of {first_name}, which comes first, {how}", hook.name());
            found.at(at, message).related_if(place_of(first, "id"), "this hook comes first");
        }
        if hook.parent().is_none() && !rules.without_target_stops {
            continue;
        }
        always = always.or_else(|| (truth_anywhere(condition) == Truth::True).then_some(hook));
        equal.entry(format!("{condition:?}")).or_insert(hook);
        if earlier.len() < MOST_COMPARED {
            earlier.push(hook);
        }
    }
}

/// Whether `wide` certainly holds wherever `narrow` does; false when the steps run out.
fn implies(narrow: &Condition, wide: &Condition, steps: &mut usize) -> bool {
    let Some(left) = steps.checked_sub(1) else { return false };
    *steps = left;
    match (&narrow.form, &wide.form) {
        (_, Form::Always) => true,
        (_, Form::Any(children)) if children.iter().any(|child| implies(narrow, child, steps)) => true,
        (_, Form::All(children)) => children.iter().all(|child| implies(narrow, child, steps)),
        (Form::All(children), _) => children.iter().any(|child| implies(child, wide, steps)),
        (Form::Any(children), _) => !children.is_empty() && children.iter().all(|child| implies(child, wide, steps)),
        (Form::Comparison(narrow), Form::Comparison(wide)) => narrow.path == wide.path && compares_less(narrow, wide),
        _ => false,
    }
}

fn compares_less(narrow: &Comparison, wide: &Comparison) -> bool {
    let expected = &narrow.expected;
    let allows = |value| wide.holds_for(value) == Some(true);
    match narrow.operator {
        _ if (&narrow.op, expected) == (&wide.op, &wide.expected) => true,
        Some(Operator::Eq) => allows(expected),
        Some(Operator::In) => expected.as_list().is_some_and(|list| list.iter().all(allows)),
        // A value that contains a string also contains its substrings.
        Some(Operator::Contains) if wide.operator == Some(Operator::Contains) => allows(expected),
        _ => false,
    }
}

#[cfg(test)]
mod routing_hidden_tests {
    use crate::lint::LintOptions;
    use crate::lint::rule::RR308 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    /// A condition nested in `depth` others.
    fn nested(word: &str, depth: usize, innermost: &str) -> String {
        format!("{}{innermost}{}", format!("{{{word}: [").repeat(depth), "]}".repeat(depth))
    }

    /// Whether the second of two routes is found to be hidden by the first.
    fn is_hidden(first: &str, second: &str) -> bool {
        let hook = |id: &str, condition: &str| {
            format!("  - {{id: {id}, event: resolve_extends, condition: {condition}, action: {{set_extends: base}}}}\n")
        };
        let hooks = hook("first", first) + &hook("second", second);
        let base = "```xml\n<directive name=\"base\" version=\"1.0.0\"/>\n```\n\nStart.\n";
        let text = format!("=== .ai/config/agent/hooks.yaml\nhooks:\n{hooks}=== .ai/directives/base.md\n{base}");
        let found = found(Example(text.leak()), &LintOptions::default());
        found.iter().any(|finding| finding.rule.code == RULE.code)
    }

    #[test]
    fn deeply_nested_conditions_are_compared_quickly() {
        let comparison = |value: &str| format!("{{path: directive, op: eq, value: {value}}}");
        for depth in [4, 40, 80] {
            let (any, all) = (nested("any", depth, &comparison("a")), nested("all", depth, &comparison("b")));
            assert!(!is_hidden(&any, &all), "{depth}");
            // This is found without comparing every pair.
            assert!(is_hidden(&any, &nested("all", depth, &comparison("a"))), "{depth}");
        }
    }
}
