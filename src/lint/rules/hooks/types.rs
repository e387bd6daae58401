//! Evaluates conditions by the types of the values in a context (Directives, "Hook context").

use std::sync::Arc;

use crate::decide::condition::{Truth, words};
use crate::read::item::Hook;
use crate::read::item::condition::{Comparison, Condition, Form, Operator};
use crate::read::value::Value;

use super::contexts::{ContextValue, value_at};

pub(super) fn never(hook: &Hook) -> Option<String> {
    if evaluate(&hook.condition, &hook.event) != Truth::False {
        return None;
    }
    let explain = |comparison: &Comparison| {
        let what = match always_holds(&hook.event, &comparison.path)? {
            ContextValue::Number => "a whole number",
            _ => "text",
        };
        Some(format!("`{}` is false, because `{}` is always {what}", words(&hook.condition)?, comparison.path))
    };
    Some(decisive(&hook.condition).and_then(explain).unwrap_or_else(|| "no value makes its condition true".to_string()))
}

/// The only comparison of a condition.
fn decisive(condition: &Condition) -> Option<&Comparison> {
    match &condition.form {
        Form::Comparison(comparison) => Some(comparison),
        Form::Not(child) => decisive(child),
        Form::All(children) | Form::Any(children) => match children.as_slice() {
            [only] => decisive(only),
            _ => None,
        },
        _ => None,
    }
}

/// Unknown if the result depends on values.
fn evaluate(condition: &Condition, event: &str) -> Truth {
    let of = |child: &Arc<Condition>| evaluate(child, event);
    match &condition.form {
        Form::Always => Truth::True,
        Form::Comparison(comparison) => compared(comparison, event).map_or(Truth::Unknown, Truth::from),
        Form::Not(child) => of(child).negated(),
        Form::All(children) => children.iter().map(of).min().unwrap_or(Truth::True),
        Form::Any(children) => children.iter().map(of).max().unwrap_or(Truth::False),
        Form::Invalid(_) => Truth::Unknown,
    }
}

/// None if the result depends on values.
fn compared(comparison: &Comparison, event: &str) -> Option<bool> {
    let holds = always_holds(event, &comparison.path)?;
    // In Python, True equals 1.
    let may_equal = |value: &Value| match holds {
        ContextValue::Text => value.as_str().is_some(),
        _ => matches!(value, Value::Int(_) | Value::Float(_) | Value::Bool(_)),
    };
    match (comparison.operator?, &comparison.expected) {
        (Operator::Exists, _) => Some(true),
        (Operator::Eq, value) if !may_equal(value) => Some(false),
        (Operator::Ne, value) if !may_equal(value) => Some(true),
        (Operator::In, Value::List(list)) if !list.iter().any(may_equal) => Some(false),
        _ => None,
    }
}

/// The type of a value that is in every context of an event and never null.
fn always_holds(event: &str, path: &str) -> Option<ContextValue> {
    // A thread may be continued without naming the previous one.
    let holds = value_at(event, path).filter(|_| !path.contains('.') && path != "previous_thread_id")?;
    matches!(holds, ContextValue::Text | ContextValue::Number).then_some(holds)
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR311 as RULE;
    use crate::lint::testing::messages_of;

    /// The reason that the finding gives.
    fn why(event: &str, condition: &str) -> Option<String> {
        let files = format!(
            "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: h\n    event: {event}\n    condition: {condition}\n    \
             action: {{primary: fetch, item_type: knowledge, item_id: r, set_extends: b}}\n=== .ai/directives/a.md\n\
             ```xml\n<directive name=\"a\" version=\"1\"/>\n```\n\nGo.\n"
        );
        let found = messages_of(&RULE, &files, "rye-3").pop()?;
        Some(found.split_once("never applies: ").expect("it says why").1.to_string())
    }

    #[test]
    fn text_is_not_a_number() {
        for condition in [
            "{path: model, op: eq, value: 5}",
            "{path: model, value: true}",
            "{path: model, op: in, value: [1, 2]}",
            "{not: {path: model, op: exists}}",
            "{not: {path: model, op: ne, value: 5}}",
            "{any: [{path: model, value: 5}]}",
        ] {
            for event in ["build_system_prompt", "thread_started", "thread_continued"] {
                let why = why(event, condition).unwrap_or_default();
                assert!(why.ends_with(" is false, because `model` is always text"), "{condition}: {why}");
            }
            assert_eq!(why("resolve_extends", condition), None, "the released package holds a map there");
            assert_eq!(why("after_step", condition), None, "its context is not documented");
        }
        let number = "`depth eq \"0\"` is false, because `depth` is always a whole number";
        assert_eq!(why("thread_started", r#"{path: depth, value: "0"}"#).as_deref(), Some(number));
        let both = "{all: [{path: model, value: a}, {path: depth, value: a}]}";
        assert_eq!(why("thread_started", both).as_deref(), Some("no value makes its condition true"));
    }

    #[test]
    fn conditions_that_depend_on_values_pass() {
        for fine in [
            "{path: model, value: '5'}",
            "{path: model, op: in, value: [1, fast]}",
            "{path: depth, value: 0}",
            "{path: depth, value: 0.0}",
            "{path: depth, value: true}",
            "{path: model, op: exists}",
            "{path: model, op: contains, value: '5'}",
            "{path: max_turns, value: '5'}",
            "{path: spend_limit, value: 5}",
            "{path: limits.turns, value: '5'}",
            "{path: inputs.x, value: 5}",
            "{not: {path: inputs.x, op: exists}}",
            "{any: [{path: model, value: 5}, {path: inputs.x, value: 5}]}",
            "{all: [{path: model, op: exists}, {path: inputs.x, value: 5}]}",
        ] {
            assert_eq!(why("thread_started", fine), None, "{fine}");
        }
        assert_eq!(why("thread_continued", "{not: {path: previous_thread_id, op: exists}}"), None);
    }
}
