//! Conditions that no value can satisfy.

use crate::decide::condition::Work;
use crate::read::item::condition::{Comparison, Condition, Form, Operator};
use crate::read::value::Value;

/// Conditions with more comparisons are not checked.
const MOST: usize = 20;

pub(super) fn contradicts_itself(condition: &Condition) -> bool {
    let mut all = Required::default();
    all.add(condition);
    all.hold.len() + all.fail.len() <= MOST
        && (all.hold.iter().any(|it| all.fail.contains(it))
            || all.no_value_satisfies()
            || all.bounds_exclude_each_other())
}

/// The comparisons that must hold, and those that must fail.
#[derive(Default)]
struct Required<'f> {
    hold: Vec<&'f Comparison>,
    fail: Vec<&'f Comparison>,
}

impl<'f> Required<'f> {
    fn add(&mut self, condition: &'f Condition) {
        match &condition.form {
            Form::Comparison(comparison) => self.hold.push(comparison),
            Form::All(children) => children.iter().for_each(|child| self.add(child)),
            Form::Not(child) => {
                if let Form::Comparison(comparison) = &child.form {
                    self.fail.push(comparison);
                }
            }
            _ => {}
        }
    }

    /// Whether every value that an `eq` or `in` allows fails some other comparison.
    fn no_value_satisfies(&self) -> bool {
        // Regular expressions may be slow, so they are not run.
        let decides = |it: &&&Comparison| matches!(it.operator, Some(Operator::Eq | Operator::In));
        self.hold.iter().filter(decides).any(|decider| {
            let of_path = |it: &&&Comparison| it.path == decider.path && it.operator != Some(Operator::Regex);
            let satisfies = |value: &Value| {
                self.hold.iter().filter(of_path).all(|it| it.holds_for(value) != Some(false))
                    && self.fail.iter().filter(of_path).all(|it| it.holds_for(value) != Some(true))
            };
            match (decider.operator, &decider.expected) {
                (Some(Operator::Eq), value) => !satisfies(value),
                (_, Value::List(list)) => !list.iter().any(satisfies),
                _ => false,
            }
        })
    }

    /// Whether a lower bound exceeds an upper one.
    fn bounds_exclude_each_other(&self) -> bool {
        use Operator::{Gt, Gte, Lt, Lte};
        let with = |wanted: [Operator; 2]| {
            self.hold.iter().filter_map(move |it| it.operator.filter(|it| wanted.contains(it)).map(|found| (found, it)))
        };
        with([Gt, Gte]).any(|(above, low)| {
            with([Lt, Lte]).filter(|(_, high)| high.path == low.path).any(|(below, high)| {
                let is_within = if above == Gt || below == Lt { Gt } else { Gte };
                is_within.holds(&high.expected, &low.expected, &Work::default()) == Ok(false)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR311 as RULE;
    use crate::lint::testing::messages_of;

    fn is_found(condition: &str) -> bool {
        let files = format!(
            "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: h\n    event: thread_started\n    condition: {condition}\n    \
             action: {{primary: fetch, item_type: knowledge, item_id: r}}\n=== .ai/directives/a.md\n```xml\n\
             <directive name=\"a\" version=\"1\"/>\n```\n\nGo.\n"
        );
        let expected = [".ai/config/agent/hooks.yaml:4: hook h never applies: no value makes its condition true"];
        match messages_of(&RULE, &files, "rye-3") {
            found if found.is_empty() => false,
            found => {
                assert_eq!(found, expected, "{condition}");
                true
            }
        }
    }

    #[test]
    fn conditions_that_no_value_satisfies_are_found() {
        for all in [
            "{path: model, value: a}, {path: model, value: b}",
            "{path: model, op: in, value: [a, b]}, {path: model, op: ne, value: a}, {path: model, op: ne, value: b}",
            "{path: limits.turns, op: gt, value: 5}, {path: limits.turns, op: lt, value: 5}",
            "{path: limits.turns, op: gte, value: 5}, {all: [{path: limits.turns, op: lt, value: 5}]}",
            "{path: limits.turns, op: gte, value: 5.5}, {path: limits.turns, op: lte, value: 5}",
            "{path: inputs.x, op: exists}, {not: {path: inputs.x, op: exists}}",
            "{path: model, value: a}, {not: {path: model, op: contains, value: a}}",
        ] {
            assert!(is_found(&format!("{{all: [{all}]}}")), "{all}");
        }
        for fine in [
            "{path: limits.turns, op: gte, value: 5}, {path: limits.turns, op: lte, value: 5}",
            "{path: limits.turns, op: gt, value: 5}, {path: limits.spend, op: lt, value: 5}",
            "{path: limits.turns, op: gt, value: 5}, {path: limits.turns, op: lt, value: 6}",
            "{path: inputs.x, op: exists}, {not: {path: inputs.y, op: exists}}",
            "{path: model, value: a}, {not: {path: model, value: b}}",
            "{path: model, value: a}, {not: {all: [{path: model, value: a}, {path: depth, value: 0}]}}",
        ] {
            assert!(!is_found(&format!("{{all: [{fine}]}}")), "{fine}");
        }
        let any = "{any: [{path: model, value: a}, {path: model, value: b}]}";
        assert!(!is_found(any));
    }
}
