use indexmap::IndexMap;

use crate::read::value::{Value, index};
use crate::text::Span;

/// A value of a YAML document and its position. Merged configuration combines nodes of several
/// files, each with its own position.
#[derive(Debug, Clone)]
pub struct YamlNode {
    pub data: YamlData,
    /// The scalar as written (quotes included), or the first to the last byte of a collection. `None` for a value
    /// outside any file.
    pub span: Option<Span>,
}

#[derive(Debug, Clone)]
pub enum YamlData {
    /// Neither list nor map.
    Scalar(Value),
    List(Vec<YamlNode>),
    /// In order; the last duplicate key wins.
    Map(NodeMap),
}

pub type NodeMap = IndexMap<Value, YamlNode>;

impl YamlNode {
    pub fn of(value: &Value) -> Self {
        let data = match value {
            Value::List(list) => YamlData::List(list.iter().map(Self::of).collect()),
            Value::Map(map) => YamlData::Map(map.iter().map(|(key, item)| (key.clone(), Self::of(item))).collect()),
            scalar => YamlData::Scalar(scalar.clone()),
        };
        Self { data, span: None }
    }

    pub fn value(&self) -> Value {
        match &self.data {
            YamlData::Scalar(value) => value.clone(),
            YamlData::List(list) => Value::List(list.iter().map(Self::value).collect()),
            YamlData::Map(map) => Value::Map(map.iter().map(|(key, item)| (key.clone(), item.value())).collect()),
        }
    }

    pub fn is_true(&self) -> bool {
        match &self.data {
            YamlData::Scalar(value) => value.is_true(),
            YamlData::List(list) => !list.is_empty(),
            YamlData::Map(map) => !map.is_empty(),
        }
    }

    /// The keys that are text, with the places of their values.
    pub fn keys(&self) -> IndexMap<String, Span> {
        let YamlData::Map(map) = &self.data else { return IndexMap::new() };
        let place = |(key, value): (&Value, &Self)| Some((key.as_str()?.to_string(), value.span.clone()?));
        map.iter().filter_map(place).collect()
    }

    pub fn get(&self, key: &str) -> Option<&YamlNode> {
        if let YamlData::Map(map) = &self.data { map.get(key) } else { None }
    }

    /// The node at a path, as in [`look_up`](crate::read::value::look_up).
    pub fn at(&self, path: &str) -> Option<&YamlNode> {
        path.split('.').try_fold(self, |node, part| match &node.data {
            YamlData::Map(_) => node.get(part),
            YamlData::List(list) => list.get(index(part, list.len())?),
            YamlData::Scalar(_) => None,
        })
    }

    pub fn as_list(&self) -> Option<&[YamlNode]> {
        if let YamlData::List(list) = &self.data { Some(list) } else { None }
    }

    pub fn as_str(&self) -> Option<&str> {
        if let YamlData::Scalar(value) = &self.data { value.as_str() } else { None }
    }
}
