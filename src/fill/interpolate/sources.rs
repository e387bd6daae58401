use std::sync::Arc;

use super::pipes::json;
use crate::read::value::{Value, python_repr, python_str};
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::{Origin, Span, Traced};

#[derive(Debug, Clone)]
pub struct ValueSources {
    /// A map of the values that settings, attributes or the path of a file decide.
    nodes: YamlNode,
    /// Values that are composed of text with origins, by name.
    texts: Vec<(&'static str, Arc<Traced>)>,
}

impl ValueSources {
    pub fn new(
        nodes: impl IntoIterator<Item = (&'static str, YamlNode)>,
        texts: impl IntoIterator<Item = (&'static str, Arc<Traced>)>,
    ) -> Self {
        let nodes = nodes.into_iter().map(|(name, node)| (Value::from(name), node)).collect();
        Self { nodes: YamlNode { data: YamlData::Map(nodes), span: None }, texts: texts.into_iter().collect() }
    }

    pub(super) fn print(&self, path: &str, value: &Value) -> Traced {
        if let Some((_, text)) = self.texts.iter().find(|(name, _)| *name == path) {
            return Traced::clone(text);
        }
        match value {
            Value::Map(_) => self.print_map(path, value, python_repr),
            _ => Traced::of(&python_str(value), decided(&path.into(), self.node(path))),
        }
    }

    /// A map as the pipe `json` prints it.
    pub(super) fn print_json(&self, path: &str, map: &Value) -> Traced {
        self.print_map(path, map, json)
    }

    fn print_map(&self, path: &str, map: &Value, print: fn(&Value) -> String) -> Traced {
        let mut out = Traced::new();
        push_printed(&mut out, &path.into(), String::new(), map, self.node(path), print);
        out
    }

    fn node(&self, path: &str) -> Option<&YamlNode> {
        if path.is_empty() { Some(&self.nodes) } else { self.nodes.at(path) }
    }
}

impl Default for ValueSources {
    fn default() -> Self {
        Self::new([], [])
    }
}

/// Text that is the value of a variable: what came from a file now decides the value.
pub fn as_value(name: &'static str, text: &Traced) -> Arc<Traced> {
    let name: Arc<str> = name.into();
    Arc::new(text.with_origins(|origin| match origin {
        Origin::File(span) | Origin::Derived(span) => {
            Origin::Variable { name: Arc::clone(&name), source: Some(span.clone()) }
        }
        Origin::Protocol => Origin::Variable { name: Arc::clone(&name), source: None },
        other => other.clone(),
    }))
}

fn decided(name: &Arc<str>, node: Option<&YamlNode>) -> Origin {
    Origin::Variable { name: Arc::clone(name), source: node.and_then(|node| node.span.clone()) }
}

/// Appends `lead` and the value. Each entry of a map may have its own file; the brackets and keys before an entry belong
/// to it.
fn push_printed(
    out: &mut Traced,
    name: &Arc<str>,
    lead: String,
    value: &Value,
    node: Option<&YamlNode>,
    print: fn(&Value) -> String,
) {
    match (value, node.map(|node| &node.data)) {
        (Value::Map(map), Some(YamlData::Map(nodes))) if !map.is_empty() => {
            let mut lead = lead + "{";
            for (key, item) in map {
                push_printed(out, name, format!("{lead}{}: ", print(key)), item, nodes.get(key), print);
                lead = ", ".to_string();
            }
            out.push_str("}", decided(name, node));
        }
        _ => out.push_str(&(lead + &print(value)), decided(name, node)),
    }
}

/// A printed value after pipes. A part keeps its origin if the pipes change it alone as they do in the whole; the quotes
/// of JSON belong to the first and the last part. Otherwise the file that decides all parts decides the whole.
pub(super) fn piped_text(path: &str, before: &Traced, after: &str, pipe: impl Fn(&str) -> String) -> Traced {
    let parts: Vec<String> = before.segments().map(|part| pipe(part.text)).collect();
    let inner = parts.iter().enumerate().map(|(index, part)| {
        let part = if index == 0 { part } else { part.strip_prefix('"')? };
        if index + 1 == parts.len() { Some(part) } else { part.strip_suffix('"') }
    });
    let alone = [Some(parts.iter().map(String::as_str).collect()), inner.collect::<Option<Vec<_>>>()];
    let Some(parts) = alone.into_iter().flatten().find(|parts: &Vec<&str>| parts.concat() == after) else {
        return Traced::of(after, common(path, before));
    };
    let mut out = Traced::new();
    before.segments().zip(parts).for_each(|(part, text)| out.push_str(text, part.origin.clone()));
    out
}

fn common(path: &str, text: &Traced) -> Origin {
    let mut origins = text.segments().map(|part| part.origin);
    match origins.next() {
        Some(first) if origins.all(|other| other == first) => first.clone(),
        _ => Origin::Variable { name: path.into(), source: range(text) },
    }
}

/// From the first to the last byte that decides the text, if all are in one file.
fn range(text: &Traced) -> Option<Span> {
    let mut spans = text.segments().filter_map(|part| part.origin.span());
    let first = spans.next()?;
    spans.try_fold(first.clone(), |all, next| {
        let (start, end) = (all.range().start.min(next.range().start), all.range().end.max(next.range().end));
        Arc::ptr_eq(all.source(), next.source()).then(|| all.source().span(start..end))
    })
}
