use indexmap::IndexMap;

use crate::text::Span;
use crate::value::Value;

/// A value of a YAML document and its place. Merged configuration combines nodes of several files, each with its own
/// place.
#[derive(Debug, Clone)]
pub struct Node {
    pub data: Data,
    /// The scalar as written (quotes included), or the first to the last byte of a collection. `None` for a value
    /// outside any file.
    pub span: Option<Span>,
}

#[derive(Debug, Clone)]
pub enum Data {
    /// Neither list nor map.
    Scalar(Value),
    List(Vec<Node>),
    /// In order; the last of equal keys wins.
    Map(IndexMap<Value, Node>),
}

impl Node {
    pub fn of(value: &Value) -> Self {
        let data = match value {
            Value::List(list) => Data::List(list.iter().map(Self::of).collect()),
            Value::Map(map) => Data::Map(map.iter().map(|(key, item)| (key.clone(), Self::of(item))).collect()),
            scalar => Data::Scalar(scalar.clone()),
        };
        Self { data, span: None }
    }

    pub fn value(&self) -> Value {
        match &self.data {
            Data::Scalar(value) => value.clone(),
            Data::List(list) => Value::List(list.iter().map(Self::value).collect()),
            Data::Map(map) => Value::Map(map.iter().map(|(key, item)| (key.clone(), item.value())).collect()),
        }
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        if let Data::Map(map) = &self.data { map.get(key) } else { None }
    }

    pub fn as_list(&self) -> Option<&[Node]> {
        if let Data::List(list) = &self.data { Some(list) } else { None }
    }

    pub fn as_str(&self) -> Option<&str> {
        if let Data::Scalar(value) = &self.data { value.as_str() } else { None }
    }
}
