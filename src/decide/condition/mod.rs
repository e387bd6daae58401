//! Hook conditions: whether one holds in a hook context, and why (Directives, "Configuration and hooks").

mod judgement;
mod operator;
pub mod pattern;
mod words;

use std::cell::Cell;
use std::sync::Arc;

use crate::diagnostic::Problem;
use crate::read::item::condition::{Comparison, Condition, Form, Operator};
use crate::read::limits;
use crate::read::value::{Value, look_up};

pub use judgement::{ActualValue, Failure, Judgement, Truth};
pub use words::words;

pub(crate) use words::shown;

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

/// Judges a condition, and reports mistakes in it. Conditions of the same event share a budget.
///
/// An empty condition is true. Where the documented system fails, the result is false with a diagnostic. Children are
/// evaluated in order, and only as needed. A comparison with an unknown value is unknown, unless no value makes it
/// true; `any`, `all` and `not` follow Kleene's logic.
pub fn judge(condition: &Arc<Condition>, context: &impl ValueLookup, work: &Work) -> (Judgement, Vec<Problem>) {
    let mut evaluation = Evaluation { context, work, problems: Vec::new() };
    let judgement = evaluation.judge(condition, true);
    (judgement, evaluation.problems)
}

/// The truth that [`judge`] returns, without the values that it saw, which is faster.
pub fn truth(condition: &Condition, context: &impl ValueLookup) -> (Truth, Vec<Problem>) {
    let work = Work::default();
    let mut evaluation = Evaluation { context, work: &work, problems: Vec::new() };
    let truth = evaluation.truth(condition, true, None);
    (truth.unwrap_or(Truth::Unknown), evaluation.problems)
}

/// The truth in every context; unknown if it may depend on the context.
pub(crate) fn truth_anywhere(condition: &Condition) -> Truth {
    struct UnknownContext;
    impl ValueLookup for UnknownContext {
        fn look_up(&self, _: &str) -> LookupResult<'_> {
            LookupResult::Unknown
        }
    }
    truth(condition, &UnknownContext).0
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
    problems: Vec<Problem>,
}

impl<'a, S: ValueLookup> Evaluation<'a, S> {
    /// Evaluates a condition if `asked`, else only records it.
    fn judge(&mut self, condition: &Arc<Condition>, asked: bool) -> Judgement {
        let mut judgement = Judgement {
            condition: Arc::clone(condition),
            truth: None,
            children: Vec::new(),
            actual: ActualValue::Nothing,
            failure: None,
        };
        judgement.truth = self.truth(condition, asked, Some(&mut judgement));
        judgement
    }

    /// `None` unless `asked`; `record` receives everything but the truth.
    fn truth(&mut self, condition: &Condition, asked: bool, mut record: Option<&mut Judgement>) -> Option<Truth> {
        match &condition.form {
            Form::Any(children) | Form::All(children) => {
                // The first child with this outcome settles it.
                let decides = Truth::from(matches!(condition.form, Form::Any(_)));
                let mut truth = decides.negated();
                for child in children {
                    let is_settled = truth == decides;
                    if is_settled && record.is_none() {
                        break;
                    }
                    if let Some(found) = self.child(child, asked && !is_settled, &mut record) {
                        truth = if decides == Truth::True { truth.max(found) } else { truth.min(found) };
                    }
                }
                asked.then_some(truth)
            }
            Form::Not(child) => self.child(child, asked, &mut record).map(Truth::negated),
            _ if !asked => None,
            Form::Always => Some(Truth::True),
            Form::Comparison(comparison) => {
                let (found, truth) = self.compare(comparison);
                if let Some(record) = record {
                    record.actual = found.map(ActualValue::of).unwrap_or_default();
                    record.failure = truth.err();
                }
                Some(truth.unwrap_or(Truth::False))
            }
            Form::Invalid(reason) => {
                self.problems.push(Problem::ConditionInvalid { reason });
                Some(Truth::False)
            }
        }
    }

    fn child(&mut self, child: &Arc<Condition>, asked: bool, record: &mut Option<&mut Judgement>) -> Option<Truth> {
        let Some(parent) = record else { return self.truth(child, asked, None) };
        let judgement = self.judge(child, asked);
        let truth = judgement.truth;
        parent.children.push(judgement);
        truth
    }

    /// What the path leads to, if it was looked up, and the result.
    fn compare(&mut self, comparison: &Comparison) -> (Option<LookupResult<'a>>, Result<Truth, Failure>) {
        let Comparison { path, op, operator, expected } = comparison;
        let Some(operator) = *operator else {
            self.problems.push(Problem::OperatorUnknown { operator: op.clone() });
            return (None, Err(Failure::NoOperator));
        };
        let found = self.context.look_up(path);
        let (LookupResult::Known(value) | LookupResult::Hidden { value, .. }) = found else {
            return (Some(found), Ok(if operator.never_holds(expected) { Truth::False } else { Truth::Unknown }));
        };
        // After one pattern that takes too long, the others of a condition are not tried.
        let backtracks = |problem: &Problem| matches!(problem, Problem::PatternBacktracks { .. });
        if operator == Operator::Regex && self.problems.iter().any(backtracks) {
            return (Some(found), Err(Failure::GivenUp));
        }
        let truth = operator.holds(value, expected, self.work).map(Truth::from).map_err(|problem| {
            self.problems.push(problem);
            Failure::Refused
        });
        (Some(found), truth)
    }
}

#[cfg(test)]
mod tests;
