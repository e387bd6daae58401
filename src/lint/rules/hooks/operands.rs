use crate::decide::condition::pattern;
use crate::lint::rules::{Findings, Hook, LintFile, Problem, Project};
use crate::read::item::condition::{Comparison, Operator};

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
