//! The condition of a hook (Directives, "Configuration and hooks").

use std::fmt;
use std::slice;
use std::sync::Arc;

use indexmap::IndexMap;
use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::read::limits;
use crate::read::value::{PathSyntax, Value, python_str};
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::Span;

#[derive(Clone, Default)]
pub struct Condition {
    pub form: Form,
    /// The keys that are text, with the places of their values; ignored ones too.
    pub keys: IndexMap<String, Span>,
    pub span: Option<Span>,
}

/// `any` takes precedence over `all`, then `not`, then `path`.
#[derive(Debug, Clone, Default)]
pub enum Form {
    /// An empty condition.
    #[default]
    Always,
    Any(Vec<Arc<Condition>>),
    All(Vec<Arc<Condition>>),
    Not(Arc<Condition>),
    Comparison(Comparison),
    /// The documented system fails when it evaluates this, and only then.
    Invalid(&'static str),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// With only a dot between two segments; empty for the whole context.
    pub path: String,
    /// As written; `eq` by default.
    pub op: String,
    /// `None` if `op` is unknown.
    pub operator: Option<Operator>,
    pub expected: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Operator {
    Eq,
    Ne,
    Gt,
    Gte,
    Lt,
    Lte,
    In,
    Contains,
    Regex,
    Exists,
}

impl Condition {
    /// A missing condition always holds.
    pub fn of(node: Option<&YamlNode>, paths: PathSyntax) -> Arc<Self> {
        Arc::new(node.map(|node| Self::at_depth(0, node, paths)).unwrap_or_default())
    }

    fn at_depth(depth: usize, node: &YamlNode, paths: PathSyntax) -> Self {
        let form = Form::at_depth(depth, node, paths).unwrap_or_else(Form::Invalid);
        Self { form, keys: node.keys(), span: node.span.clone() }
    }

    pub fn is_empty(&self) -> bool {
        matches!(self.form, Form::Always)
    }

    /// The place of a key, or else of the condition.
    pub fn place(&self, key: &str) -> Option<&Span> {
        self.keys.get(key).or(self.span.as_ref())
    }

    /// This condition and all within it, even if evaluation never reaches them.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let next = open.pop()?;
            let children = match &next.form {
                Form::Any(children) | Form::All(children) => children.as_slice(),
                Form::Not(child) => slice::from_ref(child),
                Form::Always | Form::Comparison(_) | Form::Invalid(_) => &[],
            };
            open.extend(children.iter().rev().map(Arc::as_ref));
            Some(next)
        })
    }

    pub fn comparisons(&self) -> impl Iterator<Item = (&Self, &Comparison)> {
        self.parts().filter_map(|part| match &part.form {
            Form::Comparison(comparison) => Some((part, comparison)),
            _ => None,
        })
    }

    /// The regular expressions.
    pub fn patterns(&self) -> impl Iterator<Item = (&Self, &str)> {
        let searches = self.comparisons().filter(|(_, comparison)| comparison.operator == Some(Operator::Regex));
        searches.filter_map(|(part, comparison)| Some((part, comparison.expected.as_str()?)))
    }
}

/// Omits the places: conditions that mean the same have the same text.
impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.form.fmt(f)
    }
}

impl Form {
    fn at_depth(depth: usize, node: &YamlNode, paths: PathSyntax) -> Result<Self, &'static str> {
        if depth > limits::CONDITION_LEVELS {
            const { assert!(limits::CONDITION_LEVELS == 100, "the message names the limit") };
            return Err("a condition is nested more than 100 levels deep");
        }
        if !node.is_true() {
            return Ok(Self::Always);
        }
        let YamlData::Map(_) = &node.data else { return Err("a condition is not a map") };
        let child = |node: &YamlNode| Arc::new(Condition::at_depth(depth + 1, node, paths));
        let children = |node: &YamlNode| match &node.data {
            YamlData::List(list) => Ok(list.iter().map(child).collect()),
            // Python iterates over these without finding anything.
            YamlData::Scalar(Value::Str(_)) | YamlData::Map(_) if !node.is_true() => Ok(Vec::new()),
            _ => Err("the value of any or all is not a list"),
        };
        if let Some(any) = node.get("any") {
            return children(any).map(Self::Any);
        }
        if let Some(all) = node.get("all") {
            return children(all).map(Self::All);
        }
        if let Some(not) = node.get("not") {
            return Ok(Self::Not(child(not)));
        }
        let path = match node.get("path") {
            Some(path) if path.is_true() => path.as_str().ok_or("the path of a condition is not text")?,
            _ => "",
        };
        let op = node.get("op").map_or_else(|| "eq".to_string(), |op| python_str(&op.value()));
        let expected = node.get("value").map(YamlNode::value).unwrap_or_default();
        let path = paths.dotted(path).into_owned();
        Ok(Self::Comparison(Comparison { path, operator: op.parse().ok(), op, expected }))
    }
}
