use std::collections::HashMap;

use crate::decide::condition::{Truth, truth_anywhere};
use crate::decide::{RouteEffect, routing_hooks};
use crate::lint::rules::{Findings, Hook, Project};
use crate::read::item::condition::{Comparison, Condition, Form, Operator};

use super::place_of;

/// Further hooks are only compared for equal conditions.
const MOST_COMPARED: usize = 50;

/// The maximum number of pairs of conditions compared for one hook: nested conditions have far more pairs than parts.
const MOST_STEPS: usize = 10_000;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
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
        if matches!(RouteEffect::of(hook, rules), RouteEffect::Nothing { stops: false }) {
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
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::pages::RR308 as RULE;
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
