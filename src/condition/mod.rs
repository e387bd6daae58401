//! Conditions of hooks: whether one holds in a hook context, and why (Directives, "Configuration and hooks").

mod operator;
pub mod pattern;
mod shown;

use crate::diagnostic::Problem;
use crate::value::{Value, look_up, python_str};

use operator::Operator;
use shown::shown;

/// Conditions nested deeper are false: `any`, `all` and `not` call each other.
const MAX_DEPTH: usize = 100;

/// What became of a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether it holds.
    pub holds: bool,
    /// A clause for people, naming the child that decided: `directive is "init", which does not contain "deploy"`.
    pub why: String,
    /// What the author of the condition should know.
    pub diagnostics: Vec<Problem>,
}

/// Evaluates a condition against a hook context.
///
/// An empty condition is true; `any` beats `all` beats `not` beats `path`. What the documents' system fails at is false
/// and gives a diagnostic. Children are asked in order and no more of them than needed.
pub fn evaluate(condition: &Value, context: &Value) -> Verdict {
    let mut evaluation = Evaluation { context, diagnostics: Vec::new() };
    let (holds, why) = evaluation.condition(condition, 0);
    Verdict { holds, why, diagnostics: evaluation.diagnostics }
}

struct Evaluation<'a> {
    context: &'a Value,
    diagnostics: Vec<Problem>,
}

impl Evaluation<'_> {
    fn condition(&mut self, condition: &Value, depth: usize) -> (bool, String) {
        if depth > MAX_DEPTH {
            return self.invalid("a condition is nested more than 100 deep");
        }
        if !condition.is_true() {
            return (true, "an empty condition always holds".to_string());
        }
        if condition.as_map().is_none() {
            return self.invalid("a condition is no map");
        }
        if let Some(children) = condition.get("any") {
            return self.children(children, true, depth);
        }
        if let Some(children) = condition.get("all") {
            return self.children(children, false, depth);
        }
        if let Some(child) = condition.get("not") {
            let (holds, why) = self.condition(child, depth + 1);
            return (!holds, format!("{why} (negated)"));
        }
        self.comparison(condition)
    }

    /// `any` and `all`: the first child with the outcome that `decides` settles it.
    fn children(&mut self, children: &Value, decides: bool, depth: usize) -> (bool, String) {
        let word = if decides { "any" } else { "all" };
        let children = match children {
            Value::List(children) => children.as_slice(),
            // Python finds nothing in these either.
            Value::Str(_) | Value::Map(_) if !children.is_true() => &[],
            _ => return self.invalid("the conditions of any and all are no list"),
        };
        let mut last = String::new();
        for child in children {
            let (holds, why) = self.condition(child, depth + 1);
            if holds == decides {
                return (holds, why);
            }
            last = why;
        }
        let why = match (children.len(), decides) {
            (0, true) => format!("an empty `{word}` never holds"),
            (0, false) => format!("an empty `{word}` always holds"),
            (1, _) => last,
            (count, true) => format!("none of {count} conditions holds; the last: {last}"),
            (count, false) => format!("all {count} conditions hold; the last: {last}"),
        };
        (!decides, why)
    }

    fn comparison(&mut self, condition: &Value) -> (bool, String) {
        let path = match condition.get("path") {
            Some(Value::Str(path)) => path.as_str(),
            Some(path) if path.is_true() => return self.invalid("the path of a condition is no text"),
            _ => "",
        };
        let word = condition.get("op").map_or("eq".to_string(), python_str);
        let subject = if path.is_empty() { "the context".to_string() } else { shown::cut(path) };
        let Some(operator) = Operator::named(&word) else {
            let why = format!("{subject} is not looked at, since there is no operator `{}`", shown::cut(&word));
            self.diagnostics.push(Problem::OperatorUnknown { operator: word });
            return (false, why);
        };
        let actual = look_up(self.context, path).unwrap_or(&Value::Null);
        let expected = condition.get("value").unwrap_or(&Value::Null);
        let is = format!("{subject} is {}", shown(actual));
        // One pattern that takes too long is enough for a condition.
        if operator == Operator::Regex && self.is_exhausted() {
            return (false, format!("{is}, which is not matched after a pattern that took too long"));
        }
        match operator.holds(actual, expected) {
            Ok(holds) => (holds, operator.explain(holds, &is, actual, expected)),
            Err(problem) => {
                self.diagnostics.push(problem);
                (false, format!("{is}, which cannot be compared by {word} with {}", shown(expected)))
            }
        }
    }

    fn is_exhausted(&self) -> bool {
        self.diagnostics.iter().any(|problem| matches!(problem, Problem::PatternBacktracks { .. }))
    }

    fn invalid(&mut self, reason: &'static str) -> (bool, String) {
        self.diagnostics.push(Problem::ConditionInvalid { reason });
        (false, reason.to_string())
    }
}

#[cfg(test)]
mod tests;
