use super::LookupResult;
use super::operator::Operator;
use super::words::{cut, question, shown, subject};
use crate::read::value::Value;
use strum::IntoStaticStr;

/// Replaces a sentence that would quote a hidden value.
const HIDDEN: &str = "it depends on the value of an input, which is hidden";

/// Three-valued logic (Kleene).
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Truth {
    True,
    False,
    Unknown,
}

impl Truth {
    pub(super) fn negated(self) -> Self {
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

#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub form: Form,
    /// `None` if it was not evaluated because an earlier one had decided.
    pub truth: Option<Truth>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    Always,
    Any(Vec<Judgement>),
    All(Vec<Judgement>),
    Not(Box<Judgement>),
    Comparison(Comparison),
    Invalid(&'static str),
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Comparison {
    /// As written; empty for the whole context.
    pub path: String,
    /// As written; `eq` by default.
    pub operator: String,
    /// The expected value; `None` if it would reveal a hidden one.
    pub expected: Option<Value>,
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
    /// The documents' system fails here.
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
        match &self.decisive().form {
            Form::Comparison(Comparison { actual: ActualValue::Hidden(_), .. }) => HIDDEN.to_string(),
            _ => self.clause(),
        }
    }

    fn decisive(&self) -> &Self {
        match (&self.form, self.decider()) {
            (Form::Not(child), _) => child.decisive(),
            (_, Some(child)) => child.decisive(),
            (_, None) => self,
        }
    }

    /// The child of `any` or `all` that the sentence is about: the one that settled it, else the last.
    fn decider(&self) -> Option<&Self> {
        let (Form::Any(children) | Form::All(children)) = &self.form else { return None };
        match self.is_settled_by_one() {
            true => children.iter().find(|child| child.truth == self.truth),
            false => children.last(),
        }
    }

    /// Whether one child was enough: the first true one of `any`, the first false one of `all`, or an unknown one.
    fn is_settled_by_one(&self) -> bool {
        match self.form {
            Form::Any(_) => self.truth != Some(Truth::False),
            Form::All(_) => self.truth != Some(Truth::True),
            _ => false,
        }
    }

    fn clause(&self) -> String {
        match &self.form {
            Form::Always => "an empty condition always holds".to_string(),
            Form::Invalid(reason) => reason.to_string(),
            Form::Not(child) if self.truth == Some(Truth::Unknown) => child.clause(),
            Form::Not(child) => format!("{} (negated)", child.clause()),
            Form::Comparison(comparison) => comparison.clause(self.holds()),
            Form::Any(children) | Form::All(children) => {
                let last = self.decider().map(Self::clause).unwrap_or_default();
                match (children.len(), &self.form) {
                    _ if self.is_settled_by_one() => last,
                    (0, Form::Any(_)) => "an empty `any` never holds".to_string(),
                    (0, _) => "an empty `all` always holds".to_string(),
                    (1, _) => last,
                    (count, Form::Any(_)) => format!("none of {count} conditions hold; the last: {last}"),
                    (count, _) => format!("all {count} conditions hold; the last: {last}"),
                }
            }
        }
    }
}

impl Comparison {
    pub fn question(&self) -> String {
        question(&self.path, &self.operator, self.expected.as_ref())
    }

    /// `directive is "init"`, or why nothing was compared; `None` if the path was not looked up.
    pub fn answer(&self) -> Option<String> {
        match &self.actual {
            _ if self.failure.is_some() => Some(self.clause(false)),
            ActualValue::Nothing => None,
            ActualValue::Value(value) | ActualValue::Hidden(value) => Some(format!("{} is {value}", self.subject())),
            ActualValue::Unknown => Some(self.no_value()),
        }
    }

    fn subject(&self) -> String {
        subject(&self.path)
    }

    fn no_value(&self) -> String {
        match self.path.as_str() {
            "" => "the context is only partly known here".to_string(),
            path => format!("{} has no value here", cut(path)),
        }
    }

    fn clause(&self, holds: bool) -> String {
        let value = match &self.actual {
            ActualValue::Value(value) | ActualValue::Hidden(value) => value.as_str(),
            ActualValue::Unknown if self.failure.is_none() => return self.no_value(),
            ActualValue::Unknown => "unknown",
            ActualValue::Nothing => "",
        };
        let is = format!("{} is {value}", self.subject());
        let expected = self.expected.as_ref();
        match (self.failure, self.operator.parse::<Operator>()) {
            // No other value prints as `null`.
            (None, Ok(operator)) => operator.explain(holds, is, value == "null", expected.unwrap_or(&Value::Null)),
            (Some(Failure::GivenUp), _) => {
                format!("{is}, which is not matched, since an earlier pattern took too long")
            }
            (Some(Failure::Refused), _) => {
                let expected = expected.map_or("…".to_string(), shown);
                format!("{is}, which cannot be compared by {} with {expected}", self.operator)
            }
            (Some(Failure::NoOperator) | None, _) => {
                format!("{} is not compared: there is no operator `{}`", self.subject(), cut(&self.operator))
            }
        }
    }
}
