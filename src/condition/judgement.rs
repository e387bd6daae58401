use super::Seen;
use super::operator::Operator;
use super::shown::{cut, shown};
use super::words::{question, subject};
use crate::value::Value;
use strum::IntoStaticStr;

/// What a sentence says where it would have to quote a value that is hidden.
const HIDDEN: &str = "the value of an input decides, which is hidden";

/// True, false, or nobody can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not.
    False,
    /// It depends on a value that is not known.
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

/// A condition, and what became of it and of every part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What it is.
    pub form: Form,
    /// Whether it holds; none where it was not asked, since another one had decided before.
    pub truth: Option<Truth>,
}

/// What a condition is.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// An empty one, which always holds.
    Always,
    /// `any`
    Any(Vec<Judgement>),
    /// `all`
    All(Vec<Judgement>),
    /// `not`
    Not(Box<Judgement>),
    /// A value compared with another.
    Comparison(Comparison),
    /// One that makes no sense, for this reason; it never holds.
    Invalid(&'static str),
}

/// A value compared with another.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Comparison {
    /// The path as written; empty for the whole context.
    pub path: String,
    /// The operator as written, `eq` where there is none.
    pub operator: String,
    /// What it is compared with; none where that would give a hidden value away.
    pub expected: Option<Value>,
    /// What it saw at the path.
    pub saw: Saw,
    /// Why there was nothing to compare.
    pub failure: Option<Failure>,
}

/// What a comparison saw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Saw {
    /// It did not look.
    #[default]
    Nothing,
    /// This value, cut where it is long.
    Value(String),
    /// A value that is hidden, with what is shown in its place.
    Hidden(String),
    /// A value that nobody knows.
    Unknown,
}

impl Saw {
    pub(super) fn of(seen: Seen<'_>) -> Self {
        match seen {
            Seen::Known(value) => Self::Value(shown(value)),
            Seen::Hidden { shown: instead, .. } => Self::Hidden(shown(instead)),
            Seen::Unknown => Self::Unknown,
        }
    }
}

/// Why a comparison came to nothing, and so is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// There is no such operator.
    NoOperator,
    /// The documents' system fails at it.
    Refused,
    /// An earlier pattern of the condition took too long.
    GivenUp,
}

impl Judgement {
    /// Whether it is sure to hold.
    pub fn holds(&self) -> bool {
        self.truth == Some(Truth::True)
    }

    /// A clause for people, naming the child that decided: `directive is "init", which does not contain "deploy"`.
    pub fn why(&self) -> String {
        match &self.decisive().form {
            Form::Comparison(Comparison { saw: Saw::Hidden(_), .. }) => HIDDEN.to_string(),
            _ => self.clause(),
        }
    }

    /// The part that the sentence is about.
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

    /// Whether one child was enough: the first that holds of `any`, the first that does not of `all`, or one that is
    /// unknown.
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
                    (count, Form::Any(_)) => format!("none of {count} conditions holds; the last: {last}"),
                    (count, _) => format!("all {count} conditions hold; the last: {last}"),
                }
            }
        }
    }
}

impl Comparison {
    /// What is asked: `directive contains "deploy"`.
    pub fn question(&self) -> String {
        question(&self.path, &self.operator, self.expected.as_ref())
    }

    /// What it saw: `directive is "init"`, or why there was nothing to compare; none where it did not look.
    pub fn answer(&self) -> Option<String> {
        match &self.saw {
            _ if self.failure.is_some() => Some(self.clause(false)),
            Saw::Nothing => None,
            Saw::Value(value) | Saw::Hidden(value) => Some(format!("{} is {value}", self.subject())),
            Saw::Unknown => Some(self.no_value()),
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
        let value = match &self.saw {
            Saw::Value(value) | Saw::Hidden(value) => value.as_str(),
            Saw::Unknown if self.failure.is_none() => return self.no_value(),
            Saw::Unknown => "unknown",
            Saw::Nothing => "",
        };
        let is = format!("{} is {value}", self.subject());
        let expected = self.expected.as_ref();
        match (self.failure, Operator::named(&self.operator)) {
            // No other value is shown by this word.
            (None, Some(operator)) => operator.explain(holds, is, value == "null", expected.unwrap_or(&Value::Null)),
            (Some(Failure::GivenUp), _) => {
                format!("{is}, which is not matched after a pattern that took too long")
            }
            (Some(Failure::Refused), _) => {
                let expected = expected.map_or("…".to_string(), shown);
                format!("{is}, which cannot be compared by {} with {expected}", self.operator)
            }
            (Some(Failure::NoOperator) | None, _) => {
                format!("{} is not looked at, since there is no operator `{}`", self.subject(), cut(&self.operator))
            }
        }
    }
}
