//! Conditions with a fault in a single comparison.

use std::sync::LazyLock;

use regex::Regex;

use strum::VariantNames;

use crate::decide::condition::pattern;
use crate::lint::rules::{Findings, Hook, LintFile, Problem, Project};
use crate::read::item::condition::{Comparison, Condition, Form, Operator};
use crate::read::value::{Value, order};
use crate::read::yaml::YamlNode;
use crate::text::constant_pattern;
use crate::text::nearest::nearest;

use super::contexts::{ContextValue, value_at};

/// If a condition has several of these keys, the first applies and the others are ignored.
const DECIDES: [&str; 4] = ["any", "all", "not", "path"];

pub fn condition_invalid(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    content_ignored(hook, found);
    for part in hook.condition.parts() {
        let Some(at) = &part.span else { continue };
        match &part.form {
            Form::Invalid(reason) => {
                found.problem(Problem::ConditionInvalid { reason }, at);
            }
            // `contains` and `regex` may search the whole context as text.
            Form::Comparison(Comparison { path, operator, .. })
                if path.is_empty() && !matches!(operator, Some(Operator::Contains | Operator::Regex)) =>
            {
                found.at(at, "the condition has no path, so it compares the whole context");
            }
            _ => keys_ignored(part, found),
        }
    }
}

/// In a directive, a condition consists of attributes; without any, it always holds.
fn content_ignored(hook: &Hook, found: &mut Findings<'_>) {
    let Some(at) = &hook.condition_inside else { return };
    let first = at.text().split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).find(|part| !part.is_empty());
    let what = match first.filter(|first| first.starts_with('<')) {
        Some(tag) => format!("`{tag}>` in a condition is ignored"),
        None => "the text in a condition is ignored".to_string(),
    };
    let effect =
        if hook.condition.is_empty() { "so the hook always applies" } else { "because only its attributes are read" };
    found
        .at(at, format!("{what}, {effect}"))
        .help("write `path`, `op` and `value` as attributes; only hooks in configuration have `any`, `all` and `not`");
}

fn keys_ignored(part: &Condition, found: &mut Findings<'_>) {
    let mut keys = DECIDES.iter().filter_map(|key| Some((key, part.keys.get(*key)?)));
    let Some((decides, _)) = keys.next() else { return };
    for (key, at) in keys {
        found.at(at, format!("`{key}` is ignored, because `{decides}` is in the same condition"));
    }
}

/// The names of operators in other languages.
const OTHER_NAMES: [(&str, &str); 12] = [
    ("==", "eq"),
    ("=", "eq"),
    ("equals", "eq"),
    ("is", "eq"),
    ("!=", "ne"),
    ("not_eq", "ne"),
    (">", "gt"),
    (">=", "gte"),
    ("<", "lt"),
    ("<=", "lte"),
    ("includes", "contains"),
    ("matches", "regex"),
];

pub fn operator_unknown(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    for (part, Comparison { op, .. }) in hook.condition.comparisons().filter(|(_, it)| it.operator.is_none()) {
        let Some(at) = part.place("op") else { continue };
        let finding = found.problem(Problem::OperatorUnknown { operator: op.clone() }, at);
        let other = OTHER_NAMES.iter().find(|(name, _)| name == op).map(|(_, known)| known.to_string());
        finding.suggest(other.or_else(|| nearest(op, Operator::VARIANTS.iter().copied())));
    }
}

pub fn operand_not_text(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    for (part, comparison) in hook.condition.comparisons() {
        let (Some(fault), Some(at)) = (fault(comparison), part.place("value")) else { continue };
        match fault {
            Some(problem) => drop(found.problem(problem, at)),
            None => {
                found
                    .at(at, "the value of `in` must be a list, so the condition is false")
                    .help("write a list: [a, b]");
            }
        }
    }
}

/// The fault of an operand, no matter what it is compared with; `Some(None)` is `in` without a list.
pub(super) fn fault(comparison: &Comparison) -> Option<Option<Problem>> {
    let expected = &comparison.expected;
    match comparison.operator? {
        Operator::In => expected.as_list().is_none().then_some(None),
        operator @ (Operator::Contains | Operator::Regex) if expected.as_str().is_none() => {
            Some(Some(Problem::OperandNotText { operator: operator.into_str(), found: expected.type_name() }))
        }
        _ => None,
    }
}

pub fn invalid_pattern(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    for (part, pattern) in hook.condition.patterns().filter(|_| !project.has_costly_patterns(hook)) {
        if let (Some(reason), Some(at)) = (pattern::refusal(pattern), part.place("value")) {
            found.problem(Problem::InvalidPattern { pattern: pattern.to_string(), reason }, at);
        }
    }
}

pub fn incomparable(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    for (part, Comparison { path, operator, expected, .. }) in hook.condition.comparisons() {
        if !matches!(operator, Some(Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte)) {
            continue;
        }
        let Some(sample) = sample(&hook.event, path, project) else { continue };
        if let (Err(refused), Some(at)) = (order(&sample, expected), part.place("value")) {
            found.problem(Problem::Incomparable { left: refused.left, right: refused.right }, at);
        }
    }
}

/// A value of the type at a path, if the type is known.
fn sample(event: &str, path: &str, project: &Project<'_>) -> Option<Value> {
    match value_at(event, path)? {
        ContextValue::Text | ContextValue::Number | ContextValue::Truth if path.contains('.') => None,
        ContextValue::Text => Some(Value::from("")),
        ContextValue::Number => Some(Value::from(0)),
        ContextValue::Truth => Some(Value::from(false)),
        ContextValue::Limits => {
            let defaults = project.configuration.as_ref()?.limit_defaults.as_ref()?;
            // A directive may set text instead, but text is not compared with numbers.
            let default = defaults.get(&Value::from(path.strip_prefix("limits.")?)).map(YamlNode::value);
            default.filter(|value| value.as_str().is_none())
        }
        _ => None,
    }
}

pub fn pattern_backtracks(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    for (part, pattern) in hook.condition.patterns().filter(|(_, pattern)| repeats_a_repetition(pattern)) {
        if let Some(at) = part.place("value") {
            found.at(at, format!("`{pattern}` nests repetitions, which may take forever"));
        }
    }
}

/// Whether a group that only repeats one character is itself repeated, and what follows it may fail.
fn repeats_a_repetition(pattern: &str) -> bool {
    // One character is a class, an escape, or any other that is not an operator.
    static REPEATED: LazyLock<Regex> =
        LazyLock::new(|| constant_pattern(r"(?s)\((?:\?:)?(?:\[.[^\]]*\]|\\.|[^()|*+?^${\\\[])[+*]\)[+*]"));
    REPEATED.find_iter(pattern).any(|found| {
        let rest = &pattern[found.end()..];
        !is_escaped(&pattern[..found.start()]) && !rest.trim_start_matches(')').is_empty() && !rest.starts_with('+')
    })
}

fn is_escaped(before: &str) -> bool {
    (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
}

#[cfg(test)]
mod condition_invalid_tests {
    use crate::lint::rule::RR312 as RULE;
    use crate::lint::testing::examples;
    use crate::lint::testing::messages_of;

    fn of(condition: &str) -> Vec<String> {
        let of_composed = r#"<condition op="eq" value="fast"/>"#;
        let found = messages_of(&RULE, &examples(&RULE).composed.0.replace(of_composed, condition), "rye-3");
        found.into_iter().filter_map(|line| Some(line.split_once(": ")?.1.to_string())).collect()
    }

    #[test]
    fn the_content_of_a_condition_in_a_directive_is_ignored() {
        for (condition, message) in [
            (
                r#"<condition><all><condition path="directive" op="eq" value="z"/></all></condition>"#,
                "`<all>` in a condition is ignored, so the hook always applies",
            ),
            (
                r#"<condition path="directive" op="contains" value="deploy"><not path="model"/></condition>"#,
                "`<not>` in a condition is ignored, because only its attributes are read",
            ),
            (
                "<condition>\n  model == fast\n</condition>",
                "the text in a condition is ignored, so the hook always applies",
            ),
        ] {
            assert_eq!(of(condition), [message], "{condition}");
        }
        for fine in [
            r#"<condition path="directive" op="contains" value="deploy"/>"#,
            r#"<condition path="directive" op="contains" value="deploy"> <!-- why --> </condition>"#,
            "<condition/>",
        ] {
            assert_eq!(of(fine), [""; 0], "{fine}");
        }
    }
}

#[cfg(test)]
mod pattern_backtracks_tests {
    use super::*;

    #[test]
    fn nested_repetitions_that_may_fail_are_found() {
        for pattern in [r"^(a+)+$", r"(?:\w*)*!", r"([a-z]+)*x", r"((\d+)+)$", r"([]a]+)+b"] {
            assert!(repeats_a_repetition(pattern), "{pattern}");
        }
        for pattern in
            [r"(a+)+", r"((a+)+)", r"(a+)?$", r"(ab+)+$", r"(\w+/)*x", r"\(a+)+$", r"(a+){2}$", "(", "([", "(["]
        {
            assert!(!repeats_a_repetition(pattern), "{pattern}");
        }
    }

    #[test]
    fn a_long_class_is_scanned_once() {
        for count in [100_000, 200_000] {
            let open = "([".repeat(count);
            assert!(!repeats_a_repetition(&open));
            assert!(!repeats_a_repetition(&format!("{open}]")));
            assert!(repeats_a_repetition(&format!("{open}a]+)+b")));
            assert!(!repeats_a_repetition(&"([a]".repeat(count)));
        }
    }
}
