//! Hook conditions: whether one holds in a hook context, and why (Directives, "Configuration and hooks").

mod judgement;
mod operator;
pub mod pattern;
mod words;

use std::borrow::Cow;
use std::cell::Cell;

use crate::diagnostic::Problem;
use crate::read::limits;
use crate::read::value::{Value, look_up, python_str};

pub use judgement::{ActualValue, Comparison, Failure, Form, Judgement, Truth};
pub use words::words;

use operator::Operator;
pub(crate) use words::shown;

pub(crate) const OPERATORS: [&str; 10] = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "regex", "exists"];

pub trait ValueLookup {
    /// Looks up a dotted path; an empty one means the whole context.
    fn look_up(&self, path: &str) -> LookupResult<'_>;
}

#[derive(Debug, Clone, Copy)]
pub enum LookupResult<'a> {
    /// Null if the path does not exist.
    Known(&'a Value),
    /// Views must show `shown` instead of `value`.
    Hidden { value: &'a Value, shown: &'a Value },
    /// Unknown, wholly or in part.
    Unknown,
}

impl ValueLookup for Value {
    fn look_up(&self, path: &str) -> LookupResult<'_> {
        LookupResult::Known(look_up(self, path).unwrap_or(&Value::Null))
    }
}

/// Judges a condition, and reports mistakes in it.
///
/// An empty condition is true; `any` takes precedence over `all`, then `not`, then `path`. Where the documented system
/// fails, the result is false with a diagnostic. Children are evaluated in order, and only as needed. A comparison with
/// an unknown value is unknown, unless no value makes it true; `any`, `all` and `not` follow Kleene's logic.
pub fn judge(condition: &Value, context: &impl ValueLookup) -> (Judgement, Vec<Problem>) {
    judge_within(condition, context, &Work::default())
}

/// Judges one of several conditions that share a budget.
pub fn judge_within(condition: &Value, context: &impl ValueLookup, work: &Work) -> (Judgement, Vec<Problem>) {
    let mut evaluation = Evaluation { context, work, diagnostics: Vec::new(), is_recorded: true };
    let judgement = evaluation.condition(condition, 0, true);
    (judgement, evaluation.diagnostics)
}

/// The truth that [`judge`] returns, without the sentences, which is faster.
pub fn truth(condition: &Value, context: &impl ValueLookup) -> (Truth, Vec<Problem>) {
    let work = Work::default();
    let mut evaluation = Evaluation { context, work: &work, diagnostics: Vec::new(), is_recorded: false };
    let judgement = evaluation.condition(condition, 0, true);
    (judgement.truth.unwrap_or(Truth::Unknown), evaluation.diagnostics)
}

/// The minimum work to evaluate all patterns of a condition, in characters.
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

/// Whether an operator holds between a value and an expected one; `None` if it is unknown or the documented system
/// fails.
pub(crate) fn holds(operator: &str, actual: &Value, expected: &Value) -> Option<bool> {
    operator.parse::<Operator>().ok()?.holds(actual, expected, &Work::default()).ok()
}

/// The budget of all conditions of an event, in characters that may be examined.
///
/// It counts possible work, not actual work, so the same conditions are refused on every machine.
#[derive(Debug)]
pub struct Work {
    left: Cell<usize>,
}

impl Work {
    /// Spends from the budget. If there is too little left, the budget drops to zero.
    #[must_use]
    pub fn spend(&self, cost: usize) -> Option<()> {
        let left = self.left.get().checked_sub(cost);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ())
    }
}

impl Default for Work {
    fn default() -> Self {
        Self { left: Cell::new(limits::CONDITION_WORK) }
    }
}

struct Evaluation<'a, S> {
    context: &'a S,
    work: &'a Work,
    diagnostics: Vec<Problem>,
    /// Whether to record more than the truth.
    is_recorded: bool,
}

impl<S: ValueLookup> Evaluation<'_, S> {
    /// Evaluates a condition if `asked`, else only records it.
    fn condition(&mut self, condition: &Value, depth: usize, asked: bool) -> Judgement {
        if depth > limits::CONDITION_LEVELS {
            const { assert!(limits::CONDITION_LEVELS == 100, "the message names the limit") };
            return self.invalid("a condition is nested more than 100 deep", asked);
        }
        if !condition.is_true() {
            return Judgement { form: Form::Always, truth: asked.then_some(Truth::True) };
        }
        if condition.as_map().is_none() {
            return self.invalid("a condition is not a map", asked);
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

    /// `any` and `all`: the first child whose outcome is `decides` settles it.
    fn children(&mut self, children: &Value, decides: bool, depth: usize, asked: bool) -> Judgement {
        let children = match children {
            Value::List(children) => children.as_slice(),
            // Python iterates over these without finding anything.
            Value::Str(_) | Value::Map(_) if !children.is_true() => &[],
            _ => return self.invalid("the conditions of any and all are not a list", asked),
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
            if self.is_recorded {
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
            Some(path) if path.is_true() => return self.invalid("the path of a condition is not text", asked),
            _ => "",
        };
        let operator = condition.get("op").map_or(Cow::Borrowed("eq"), |operator| match operator {
            Value::Str(operator) => Cow::Borrowed(operator.as_str()),
            other => Cow::Owned(python_str(other)),
        });
        let expected = condition.get("value").unwrap_or(&Value::Null);
        let mut comparison = Comparison::default();
        let truth = asked.then(|| self.compare(path, &operator, expected, &mut comparison));
        if self.is_recorded {
            let is_hidden = matches!(comparison.actual, ActualValue::Hidden(_));
            comparison.expected = (!is_hidden).then(|| expected.clone());
            (comparison.path, comparison.operator) = (path.to_string(), operator.into_owned());
        }
        Judgement { form: Form::Comparison(comparison), truth }
    }

    fn compare(&mut self, path: &str, named: &str, expected: &Value, comparison: &mut Comparison) -> Truth {
        let Ok(operator) = named.parse::<Operator>() else {
            comparison.failure = Some(Failure::NoOperator);
            self.diagnostics.push(Problem::OperatorUnknown { operator: named.to_string() });
            return Truth::False;
        };
        let found = self.context.look_up(path);
        if self.is_recorded {
            comparison.actual = ActualValue::of(found);
        }
        let (LookupResult::Known(value) | LookupResult::Hidden { value, .. }) = found else {
            return if operator.never_holds(expected) { Truth::False } else { Truth::Unknown };
        };
        // After one pattern that takes too long, the others of a condition are not tried.
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
