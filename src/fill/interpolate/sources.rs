use std::sync::Arc;

use crate::read::value::{Value, python_repr, python_str};
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::{Origin, Traced};

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
        // A pipe may have changed the value.
        let is_printed = |name: &str, text: &Traced| name == path && value.as_str() == Some(text.text());
        if let Some((_, text)) = self.texts.iter().find(|(name, text)| is_printed(name, text)) {
            return Traced::clone(text);
        }
        let node = if path.is_empty() { Some(&self.nodes) } else { self.nodes.at(path) };
        let name: Arc<str> = path.into();
        let is_composed = matches!((value, node.map(|it| &it.data)), (Value::Map(_), Some(YamlData::Map(_))));
        let mut out = Traced::new();
        if is_composed {
            push_repr(&mut out, &name, String::new(), value, node);
        } else {
            out.push_str(&python_str(value), decided(&name, node));
        }
        out
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

/// Appends `lead` and the value as in `python_repr`. Each entry of a map may have its own file; the brackets and keys
/// before an entry belong to it.
fn push_repr(out: &mut Traced, name: &Arc<str>, lead: String, value: &Value, node: Option<&YamlNode>) {
    match (value, node.map(|node| &node.data)) {
        (Value::Map(map), Some(YamlData::Map(nodes))) if !map.is_empty() => {
            let mut lead = lead + "{";
            for (key, item) in map {
                push_repr(out, name, format!("{lead}{}: ", python_repr(key)), item, nodes.get(key));
                lead = ", ".to_string();
            }
            out.push_str("}", decided(name, node));
        }
        _ => out.push_str(&(lead + &python_repr(value)), decided(name, node)),
    }
}
