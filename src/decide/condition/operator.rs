use std::cmp::Ordering;

use super::Work;
use super::pattern::{PatternError, search};
use super::words::shown;
use crate::diagnostic::Problem;
use crate::read::item::condition::{Comparison, Operator};
use crate::read::value::{Value, order, python_str};

impl Operator {
    /// Compares a value with the expected one. The error says why the documented system fails.
    pub(crate) fn holds(self, actual: &Value, expected: &Value, work: &Work) -> Result<bool, Problem> {
        match self {
            Self::Eq => Ok(actual == expected),
            Self::Ne => Ok(actual != expected),
            Self::In => Ok(expected.as_list().is_some_and(|list| list.contains(actual))),
            Self::Exists => Ok(!actual.is_null()),
            _ if actual.is_null() => Ok(false),
            Self::Gt => compare(actual, expected, Ordering::is_gt),
            Self::Gte => compare(actual, expected, Ordering::is_ge),
            Self::Lt => compare(actual, expected, Ordering::is_lt),
            Self::Lte => compare(actual, expected, Ordering::is_le),
            Self::Contains => {
                let (wanted, text) = (text(expected, "contains")?, python_str(actual));
                work.spend(text.len()).ok_or(Problem::ConditionsTooCostly)?;
                Ok(text.contains(wanted))
            }
            Self::Regex => {
                let pattern = text(expected, "regex")?;
                search(pattern, &python_str(actual), work).map_err(|error| match error {
                    PatternError::Invalid(reason) => Problem::InvalidPattern { pattern: pattern.to_string(), reason },
                    PatternError::Exhausted => Problem::ConditionsTooCostly,
                    PatternError::Backtracks => Problem::PatternBacktracks { pattern: pattern.to_string() },
                })
            }
        }
    }

    pub(super) fn never_holds(self, expected: &Value) -> bool {
        match self {
            Self::In => expected.as_list().is_none_or(<[Value]>::is_empty),
            Self::Contains | Self::Regex => expected.as_str().is_none(),
            _ => false,
        }
    }

    /// The sentence for an outcome. It starts with `is`, the clause about the value.
    pub(super) fn explain(self, holds: bool, is: String, is_null: bool, expected: &Value) -> String {
        let verb = match (self, holds) {
            (Self::Exists, _) | (Self::Eq, true) | (Self::Ne, false) => return is,
            (Self::Eq, false) | (Self::Ne, true) => return format!("{is}, not {}", shown(expected)),
            (Self::In, false) if expected.as_list().is_none() => {
                return format!("{is}, and `in` needs a list, not {}", shown(expected));
            }
            (Self::In, true) => "is in",
            (Self::In, false) => "is not in",
            // Null cannot be compared.
            _ if is_null => return is,
            (Self::Gt, true) => "is greater than",
            (Self::Gt, false) => "is not greater than",
            (Self::Gte, true) => "is at least",
            (Self::Gte, false) => "is not at least",
            (Self::Lt, true) => "is less than",
            (Self::Lt, false) => "is not less than",
            (Self::Lte, true) => "is at most",
            (Self::Lte, false) => "is not at most",
            (Self::Contains, true) => "contains",
            (Self::Contains, false) => "does not contain",
            (Self::Regex, true) => "matches",
            (Self::Regex, false) => "does not match",
        };
        format!("{is}, which {verb} {}", shown(expected))
    }
}

impl Comparison {
    /// Whether it holds for a value; `None` if it is unknown or the documented system fails.
    pub(crate) fn holds_for(&self, actual: &Value) -> Option<bool> {
        self.operator?.holds(actual, &self.expected, &Work::default()).ok()
    }
}

fn compare(actual: &Value, expected: &Value, holds: fn(Ordering) -> bool) -> Result<bool, Problem> {
    match order(actual, expected) {
        Ok(order) => Ok(order.is_some_and(holds)),
        Err(refused) => Err(Problem::Incomparable { left: refused.left, right: refused.right }),
    }
}

fn text<'a>(expected: &'a Value, operator: &'static str) -> Result<&'a str, Problem> {
    expected.as_str().ok_or(Problem::OperandNotText { operator, found: expected.type_name() })
}
