use super::LookupResult;
use super::words::{cut, question, shown, subject};
use crate::read::item::condition::{Comparison, Condition, Form};
use crate::read::value::Value;
use std::sync::Arc;
use strum::IntoStaticStr;

/// Replaces a sentence that would quote a hidden value.
const HIDDEN: &str = "it depends on the value of an input, which is hidden";

/// Three-valued logic (Kleene): `any` is the maximum, `all` the minimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Truth {
    False,
    Unknown,
    True,
}

impl Truth {
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
        }
    }
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

#[derive(Debug, Clone)]
pub struct Judgement {
    pub condition: Arc<Condition>,
    /// `None` if it was not evaluated because an earlier one had decided.
    pub truth: Option<Truth>,
    /// One for each child of the condition.
    pub children: Vec<Judgement>,
    pub actual: ActualValue,
    pub failure: Option<Failure>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ActualValue {
    #[default]
    Nothing,
    Value(String),
    Hidden(String),
    Unknown,
}

impl ActualValue {
    pub(super) fn of(found: LookupResult<'_>) -> Self {
        match found {
            LookupResult::Known(value) => Self::Value(shown(value)),
            LookupResult::Hidden { shown: instead, .. } => Self::Hidden(shown(instead)),
            LookupResult::Unknown => Self::Unknown,
        }
    }
}

/// Why a comparison failed, which makes it false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    NoOperator,
    /// The documented system fails here.
    Refused,
    /// Skipped, since an earlier pattern of the condition took too long.
    GivenUp,
}

impl Judgement {
    pub fn holds(&self) -> bool {
        self.truth == Some(Truth::True)
    }

    /// A clause about the child that decided: `directive is "init", which does not contain "deploy"`.
    pub fn why(&self) -> String {
        match self.decisive().actual {
            ActualValue::Hidden(_) => HIDDEN.to_string(),
            _ => self.clause(),
        }
    }

    fn decisive(&self) -> &Self {
        self.decider().map_or(self, Self::decisive)
    }

    /// The child that the sentence is about: the one that settled it, else the last.
    fn decider(&self) -> Option<&Self> {
        match self.is_settled_by_one() {
            true => self.children.iter().find(|child| child.truth == self.truth),
            false => self.children.last(),
        }
    }

    /// Whether one child was enough: the first true one of `any`, the first false one of `all`, or an unknown one.
    fn is_settled_by_one(&self) -> bool {
        match self.condition.form {
            Form::Any(_) => self.truth != Some(Truth::False),
            Form::All(_) => self.truth != Some(Truth::True),
            _ => false,
        }
    }

    fn clause(&self) -> String {
        let last = || self.decider().map(Self::clause).unwrap_or_default();
        match (&self.condition.form, self.children.len()) {
            (Form::Always, _) => "an empty condition always holds".to_string(),
            (Form::Invalid(reason), _) => reason.to_string(),
            (Form::Comparison(comparison), _) => self.compared(comparison),
            (Form::Not(_), _) if self.truth != Some(Truth::Unknown) => format!("{} (negated)", last()),
            (Form::Any(_), 0) => "an empty `any` never holds".to_string(),
            (Form::All(_), 0) => "an empty `all` always holds".to_string(),
            (Form::Not(_), _) | (_, 1) => last(),
            _ if self.is_settled_by_one() => last(),
            (Form::Any(_), count) => format!("none of {count} conditions hold; the last: {}", last()),
            (Form::All(_), count) => format!("all {count} conditions hold; the last: {}", last()),
        }
    }

    pub fn question(&self, comparison: &Comparison) -> String {
        question(comparison, self.expected(comparison))
    }

    /// The expected value, unless it would reveal a hidden one.
    pub fn expected<'c>(&self, comparison: &'c Comparison) -> Option<&'c Value> {
        (!matches!(self.actual, ActualValue::Hidden(_))).then_some(&comparison.expected)
    }

    /// `directive is "init"`, or why nothing was compared; `None` if the path was not looked up.
    pub fn answer(&self, comparison: &Comparison) -> Option<String> {
        match &self.actual {
            _ if self.failure.is_some() => Some(self.compared(comparison)),
            ActualValue::Nothing => None,
            ActualValue::Value(value) | ActualValue::Hidden(value) => {
                Some(format!("{} is {value}", subject(&comparison.path)))
            }
            ActualValue::Unknown => Some(no_value(&comparison.path)),
        }
    }

    fn compared(&self, comparison: &Comparison) -> String {
        let Comparison { path, op, operator, .. } = comparison;
        let value = match &self.actual {
            ActualValue::Value(value) | ActualValue::Hidden(value) => value.as_str(),
            ActualValue::Unknown if self.failure.is_none() => return no_value(path),
            ActualValue::Unknown => "unknown",
            ActualValue::Nothing => "",
        };
        let is = format!("{} is {value}", subject(path));
        let expected = self.expected(comparison);
        match (self.failure, operator) {
            // No other value prints as `null`.
            (None, Some(operator)) => {
                operator.explain(self.holds(), is, value == "null", expected.unwrap_or(&Value::Null))
            }
            (Some(Failure::GivenUp), _) => {
                format!("{is}, which is not matched, since an earlier pattern took too long")
            }
            (Some(Failure::Refused), _) => {
                let expected = expected.map_or("…".to_string(), shown);
                format!("{is}, which cannot be compared by {op} with {expected}")
            }
            (Some(Failure::NoOperator) | None, _) => {
                format!("`{}` is not an operator, so {} is not compared", cut(op), subject(path))
            }
        }
    }
}

fn no_value(path: &str) -> String {
    match path {
        "" => "the context is only partly known here".to_string(),
        path => format!("{} has no value here", cut(path)),
    }
}
