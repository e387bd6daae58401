//! Conditions of hooks: whether one holds in a hook context, and why (Directives, "Configuration and hooks").

mod judgement;
mod operator;
pub mod pattern;
mod shown;
mod words;
mod work;

use std::borrow::Cow;

use crate::diagnostic::Problem;
use crate::limits;
use crate::value::{Value, look_up, python_str};

pub use judgement::{Comparison, Failure, Form, Judgement, Saw, Truth};
pub use words::words;
pub use work::Work;

use operator::Operator;
pub(crate) use shown::shown;

/// The operators of conditions.
pub(crate) const OPERATORS: [&str; 10] = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "regex", "exists"];

/// What conditions look at.
pub trait Sight {
    /// What stands at a dotted path; the whole context for an empty one.
    fn see(&self, path: &str) -> Seen<'_>;
}

/// What stands at a path.
#[derive(Debug, Clone, Copy)]
pub enum Seen<'a> {
    /// This value; null where the path leads nowhere.
    Known(&'a Value),
    /// A value that nobody may see, and what is shown in its place.
    Hidden {
        /// The value that is compared.
        value: &'a Value,
        /// What is shown.
        shown: &'a Value,
    },
    /// A value that is not known, or not the whole of it.
    Unknown,
}

impl Sight for Value {
    fn see(&self, path: &str) -> Seen<'_> {
        Seen::Known(look_up(self, path).unwrap_or(&Value::Null))
    }
}

/// What became of a condition where everything is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether it holds.
    pub holds: bool,
    /// A clause for people, naming the child that decided: `directive is "init", which does not contain "deploy"`.
    pub why: String,
    /// What the author of the condition should know.
    pub diagnostics: Vec<Problem>,
}

/// Evaluates a condition against a hook context, as [`judge`] does.
pub fn evaluate(condition: &Value, context: &Value) -> Verdict {
    let (judgement, diagnostics) = judge(condition, context);
    Verdict { holds: judgement.holds(), why: judgement.why(), diagnostics }
}

/// Judges a condition by what it sees, and says what its author should know.
///
/// An empty condition is true; `any` beats `all` beats `not` beats `path`. What the documents' system fails at is false
/// and gives a diagnostic. Children are asked in order and no more of them than needed. A comparison with a value that
/// is not known is unknown, unless no value makes it true; `any`, `all` and `not` follow Kleene's logic.
pub fn judge(condition: &Value, context: &impl Sight) -> (Judgement, Vec<Problem>) {
    judge_within(condition, context, &Work::default())
}

/// The same for one of many conditions, which may cost no more than is left for all of them.
pub fn judge_within(condition: &Value, context: &impl Sight, work: &Work) -> (Judgement, Vec<Problem>) {
    let mut evaluation = Evaluation { context, work, diagnostics: Vec::new(), takes_down: true };
    let judgement = evaluation.condition(condition, 0, true);
    (judgement, evaluation.diagnostics)
}

/// What [`judge`] comes to, without the words for it, of which nothing is taken down.
pub fn truth(condition: &Value, context: &impl Sight) -> (Truth, Vec<Problem>) {
    let work = Work::default();
    let mut evaluation = Evaluation { context, work: &work, diagnostics: Vec::new(), takes_down: false };
    let judgement = evaluation.condition(condition, 0, true);
    (judgement.truth.unwrap_or(Truth::Unknown), evaluation.diagnostics)
}

/// What it takes at least to look at all patterns of a condition, in characters.
pub(crate) fn cost_of_patterns(condition: &Value) -> usize {
    fn below(value: &Value, depth: usize) -> usize {
        match value {
            _ if depth > limits::CONDITION_LEVELS => 0,
            Value::List(list) => list.iter().map(|value| below(value, depth)).fold(0, usize::saturating_add),
            Value::Map(_) => {
                let own = match (value.get("op").and_then(Value::as_str), value.get("value").and_then(Value::as_str)) {
                    (Some("regex"), Some(text)) => pattern::cost(text),
                    _ => 0,
                };
                let children = ["any", "all", "not"].into_iter().filter_map(|key| value.get(key));
                children.map(|child| below(child, depth + 1)).fold(own, usize::saturating_add)
            }
            _ => 0,
        }
    }
    below(condition, 0)
}

/// Whether an operator of that name holds between a value and what a condition expects; none for an unknown operator and
/// for what the documents' system fails at.
pub(crate) fn holds(operator: &str, actual: &Value, expected: &Value) -> Option<bool> {
    Operator::named(operator)?.holds(actual, expected, &Work::default()).ok()
}

struct Evaluation<'a, S> {
    context: &'a S,
    /// What is left for patterns.
    work: &'a Work,
    diagnostics: Vec<Problem>,
    /// Whether anybody reads more of a judgement than its truth.
    takes_down: bool,
}

impl<S: Sight> Evaluation<'_, S> {
    /// One that is not asked is taken down all the same, without looking at anything.
    fn condition(&mut self, condition: &Value, depth: usize, asked: bool) -> Judgement {
        if depth > limits::CONDITION_LEVELS {
            const { assert!(limits::CONDITION_LEVELS == 100, "the words say how deep") };
            return self.invalid("a condition is nested more than 100 deep", asked);
        }
        if !condition.is_true() {
            return Judgement { form: Form::Always, truth: asked.then_some(Truth::True) };
        }
        if condition.as_map().is_none() {
            return self.invalid("a condition is no map", asked);
        }
        if let Some(children) = condition.get("any") {
            return self.children(children, true, depth, asked);
        }
        if let Some(children) = condition.get("all") {
            return self.children(children, false, depth, asked);
        }
        if let Some(child) = condition.get("not") {
            let child = self.condition(child, depth + 1, asked);
            let truth = child.truth.map(Truth::negated);
            return Judgement { form: Form::Not(Box::new(child)), truth };
        }
        self.comparison(condition, asked)
    }

    /// `any` and `all`: the first child with the outcome that `decides` settles it.
    fn children(&mut self, children: &Value, decides: bool, depth: usize, asked: bool) -> Judgement {
        let children = match children {
            Value::List(children) => children.as_slice(),
            // Python finds nothing in these either.
            Value::Str(_) | Value::Map(_) if !children.is_true() => &[],
            _ => return self.invalid("the conditions of any and all are no list", asked),
        };
        let mut truth = Truth::from(!decides);
        let mut judged = Vec::with_capacity(children.len());
        for child in children {
            let settled = truth == Truth::from(decides);
            let child = self.condition(child, depth + 1, asked && !settled);
            match child.truth {
                Some(found) if found == Truth::from(decides) => truth = found,
                Some(Truth::Unknown) => truth = Truth::Unknown,
                _ => {}
            }
            if self.takes_down {
                judged.push(child);
            } else if truth == Truth::from(decides) {
                break;
            }
        }
        let form = if decides { Form::Any(judged) } else { Form::All(judged) };
        Judgement { form, truth: asked.then_some(truth) }
    }

    fn comparison(&mut self, condition: &Value, asked: bool) -> Judgement {
        let path = match condition.get("path") {
            Some(Value::Str(path)) => path,
            Some(path) if path.is_true() => return self.invalid("the path of a condition is no text", asked),
            _ => "",
        };
        let operator = condition.get("op").map_or(Cow::Borrowed("eq"), |operator| match operator {
            Value::Str(operator) => Cow::Borrowed(operator.as_str()),
            other => Cow::Owned(python_str(other)),
        });
        let expected = condition.get("value").unwrap_or(&Value::Null);
        let mut comparison = Comparison::default();
        let truth = asked.then(|| self.compare(path, &operator, expected, &mut comparison));
        if self.takes_down {
            let is_hidden = matches!(comparison.saw, Saw::Hidden(_));
            comparison.expected = (!is_hidden).then(|| expected.clone());
            (comparison.path, comparison.operator) = (path.to_string(), operator.into_owned());
        }
        Judgement { form: Form::Comparison(comparison), truth }
    }

    fn compare(&mut self, path: &str, named: &str, expected: &Value, comparison: &mut Comparison) -> Truth {
        let Some(operator) = Operator::named(named) else {
            comparison.failure = Some(Failure::NoOperator);
            self.diagnostics.push(Problem::OperatorUnknown { operator: named.to_string() });
            return Truth::False;
        };
        let seen = self.context.see(path);
        if self.takes_down {
            comparison.saw = Saw::of(seen);
        }
        let (Seen::Known(value) | Seen::Hidden { value, .. }) = seen else {
            return if operator.never_holds(expected) { Truth::False } else { Truth::Unknown };
        };
        // One pattern that takes too long is enough for a condition.
        if operator == Operator::Regex && self.is_exhausted() {
            comparison.failure = Some(Failure::GivenUp);
            return Truth::False;
        }
        match operator.holds(value, expected, self.work) {
            Ok(holds) => holds.into(),
            Err(problem) => {
                comparison.failure = Some(Failure::Refused);
                self.diagnostics.push(problem);
                Truth::False
            }
        }
    }

    fn is_exhausted(&self) -> bool {
        self.diagnostics.iter().any(|problem| matches!(problem, Problem::PatternBacktracks { .. }))
    }

    fn invalid(&mut self, reason: &'static str, asked: bool) -> Judgement {
        if asked {
            self.diagnostics.push(Problem::ConditionInvalid { reason });
        }
        Judgement { form: Form::Invalid(reason), truth: asked.then_some(Truth::False) }
    }
}

#[cfg(test)]
mod tests;
