//! Values of settings and of front matter, with their places.

use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::Regex;

use crate::agents::decoding::exact;
use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::{Span, Traced, constant_pattern};

pub(super) type Map = IndexMap<String, Node>;

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub data: Data,
    /// Of a list or a map, only where it begins.
    pub place: Option<Span>,
}

#[derive(Debug, Clone)]
pub(super) enum Data {
    Null,
    Bool(bool),
    /// Of JSON, and what YAML 1.2 reads as one.
    Number(f64),
    /// Another number, or a date.
    Other,
    Text(Traced),
    List(Vec<Node>),
    Map(Map),
}

/// What happens to a list of instructions that a later file has, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lists {
    Replace,
    Add,
}

impl Node {
    pub fn map(entries: Map) -> Self {
        Self { data: Data::Map(entries), place: None }
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_map()?.get(key)
    }

    pub fn as_map(&self) -> Option<&Map> {
        if let Data::Map(map) = &self.data { Some(map) } else { None }
    }

    pub fn as_list(&self) -> Option<&[Node]> {
        if let Data::List(list) = &self.data { Some(list) } else { None }
    }

    pub fn as_text(&self) -> Option<&Traced> {
        if let Data::Text(text) = &self.data { Some(text) } else { None }
    }

    pub fn text(&self, key: &str) -> Option<&Traced> {
        self.get(key)?.as_text()
    }

    pub fn is_true(&self, key: &str) -> bool {
        matches!(self.get(key).map(|node| &node.data), Some(Data::Bool(true)))
    }

    /// The texts of a list.
    pub fn texts(&self, key: &str) -> impl Iterator<Item = &Traced> {
        self.get(key).and_then(Node::as_list).unwrap_or_default().iter().filter_map(Node::as_text)
    }

    /// The entries of a map.
    pub fn entries(&self, key: &str) -> impl Iterator<Item = (&str, &Node)> {
        let map = self.get(key).and_then(Node::as_map);
        map.into_iter().flatten().map(|(key, node)| (key.as_str(), node))
    }

    /// The values of a map.
    pub fn entries_mut(&mut self, key: &str) -> impl Iterator<Item = &mut Node> {
        let map = if let Data::Map(map) = &mut self.data { map.get_mut(key) } else { None };
        let inner = map.and_then(|node| if let Data::Map(map) = &mut node.data { Some(map) } else { None });
        inner.into_iter().flat_map(Map::values_mut)
    }

    /// Merges maps key by key, where a key keeps its place; everything else is replaced.
    pub fn merge(&mut self, upper: Node) {
        match (&mut self.data, upper.data) {
            (Data::Map(merged), Data::Map(upper)) => {
                for (key, node) in upper {
                    match merged.get_mut(&key) {
                        Some(below) => below.merge(node),
                        None => drop(merged.insert(key, node)),
                    }
                }
            }
            (below, upper_data) => (*below, self.place) = (upper_data, upper.place),
        }
    }

    /// Merges a file of settings.
    pub fn merge_settings(&mut self, mut upper: Node, lists: Lists) {
        const KEY: &str = "instructions";
        if lists == Lists::Add
            && let (Data::Map(merged), Data::Map(map)) = (&mut self.data, &mut upper.data)
            && let Some(Data::List(below)) = merged.get_mut(KEY).map(|node| &mut node.data)
            && let Some(Node { data: Data::List(mut list), .. }) = map.shift_remove(KEY)
        {
            below.append(&mut list);
        }
        self.merge(upper);
    }
}

impl From<&YamlNode> for Node {
    fn from(node: &YamlNode) -> Self {
        let data = match &node.data {
            YamlData::Scalar(Value::Null) => Data::Null,
            YamlData::Scalar(Value::Bool(value)) => Data::Bool(*value),
            YamlData::Scalar(value) => match &node.span {
                Some(span) if is_number_or_date(span.text()) => match value {
                    Value::Int(_) | Value::Float(_) => span.text().parse().map_or(Data::Other, Data::Number),
                    _ => Data::Other,
                },
                _ if value.as_str().is_some() => Data::Text(exact(&node.traced())),
                Some(span) if matches!(value, Value::Int(_) | Value::Float(_)) => Data::Text(Traced::raw(span)),
                _ => Data::Other,
            },
            YamlData::List(list) => Data::List(list.iter().map(Self::from).collect()),
            YamlData::Map(map) => {
                let entry = |(key, node): (&Value, &YamlNode)| Some((key.as_str()?.to_string(), Self::from(node)));
                Data::Map(map.iter().filter_map(entry).collect())
            }
        };
        Self { data, place: node.span.clone() }
    }
}

/// Whether `js-yaml` 3 reads a plain text as a number or a date. The core schema of YAML 1.2 differs a little.
fn is_number_or_date(written: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        let int = r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*(?::[0-5]?[0-9])*)";
        let float = r"[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?";
        let base_60 = r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*";
        let special = r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)";
        let date = r"[0-9]{4}-[0-9]{2}-[0-9]{2}";
        let time = r"[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?";
        let timestamp = format!(r"[0-9]{{4}}-[0-9]{{1,2}}-[0-9]{{1,2}}(?:[Tt]|[ \t]+){time}");
        let pattern = format!("^(?:{int}|{float}|{base_60}|{special}|{date}|{timestamp})$");
        constant_pattern(&pattern)
    });
    !written.ends_with('_') && PATTERN.is_match(written)
}
