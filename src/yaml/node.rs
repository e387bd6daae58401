use indexmap::IndexMap;

use crate::text::Span;
use crate::value::Value;

/// A value of a YAML document and where it stands.
///
/// Built by the loader; merging configuration combines nodes of several files, and each keeps its own place.
#[derive(Debug, Clone)]
pub struct Node {
    /// The value.
    pub data: Data,
    /// Where it stands: the scalar as written (quotes included), or from the first to the last byte of a
    /// collection. None for a value that no file holds.
    pub span: Option<Span>,
}

/// The value of a [`Node`].
#[derive(Debug, Clone)]
pub enum Data {
    /// Neither list nor map.
    Scalar(Value),
    /// A list.
    List(Vec<Node>),
    /// A map, in order; equal keys are one key, the last value wins.
    Map(IndexMap<Value, Node>),
}

impl Node {
    /// A value that no file holds.
    pub fn of(value: &Value) -> Self {
        let data = match value {
            Value::List(list) => Data::List(list.iter().map(Self::of).collect()),
            Value::Map(map) => Data::Map(map.iter().map(|(key, item)| (key.clone(), Self::of(item))).collect()),
            scalar => Data::Scalar(scalar.clone()),
        };
        Self { data, span: None }
    }

    /// The value without positions.
    pub fn value(&self) -> Value {
        match &self.data {
            Data::Scalar(value) => value.clone(),
            Data::List(list) => Value::List(list.iter().map(Self::value).collect()),
            Data::Map(map) => Value::Map(map.iter().map(|(key, item)| (key.clone(), item.value())).collect()),
        }
    }

    /// The node of a text key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.data {
            Data::Map(map) => map.get(key),
            _ => None,
        }
    }

    /// The nodes of a list, if this is one.
    pub fn as_list(&self) -> Option<&[Node]> {
        match &self.data {
            Data::List(list) => Some(list),
            _ => None,
        }
    }

    /// The text of a scalar, if this is a `str`.
    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            Data::Scalar(value) => value.as_str(),
            _ => None,
        }
    }
}
