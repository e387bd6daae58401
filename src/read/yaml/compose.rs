//! Composes events into nodes: tags, anchors, merge keys, duplicate keys.

use std::collections::HashMap;
use std::ops::Range;

use indexmap::IndexMap;
use indexmap::map::Entry;

use super::core_scalar;
use super::document::{Dialect, DocumentKey, Loaded, Refusal, YamlLimits};
use super::events::{Properties, YamlEvent, YamlEvents};
use super::node::{YamlData, YamlNode};
use super::scalar;
use super::tag::YamlTag;
use super::weight::Weight;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::value::{Value, python_str};
use crate::text::Span;

/// The text to parse instead of the document's, with the same length.
#[derive(Clone, Copy)]
pub(super) struct ParsedText<'a> {
    pub text: &'a str,
    /// The character that replaces byte order marks.
    pub mark: Option<char>,
}

pub(super) fn compose(
    document: &Span,
    written: ParsedText<'_>,
    limits: YamlLimits,
    dialect: Dialect,
) -> Result<Loaded, Refusal> {
    let events = YamlEvents::of(written.text, dialect)?;
    let mut composer = Composer {
        document,
        mark: written.mark,
        dialect,
        events,
        limits,
        nodes: 0,
        repeated: 0,
        anchors: HashMap::new(),
        keys: Vec::new(),
        diagnostics: Vec::new(),
    };
    let node = composer.document()?;
    Ok(Loaded { node, keys: composer.keys, diagnostics: composer.diagnostics })
}

struct Composer<'a> {
    document: &'a Span,
    mark: Option<char>,
    dialect: Dialect,
    events: YamlEvents<'a>,
    limits: YamlLimits,
    nodes: usize,
    /// Bytes of text that anchors and aliases have repeated.
    repeated: usize,
    /// By the parser's number for each anchor.
    anchors: HashMap<usize, Anchor>,
    /// The entries of the document, if it is a map.
    keys: Vec<DocumentKey>,
    diagnostics: Vec<Diagnostic>,
}

struct Anchor {
    composed: Composed,
    weight: Weight,
}

/// A node, and the tag that decides its meaning as a key.
#[derive(Clone)]
struct Composed {
    node: YamlNode,
    tag: YamlTag,
    range: Range<usize>,
}

impl Composer<'_> {
    fn document(&mut self) -> Result<YamlNode, Refusal> {
        if let YamlEvent::End = self.events.next()? {
            return Ok(YamlNode { data: YamlData::Scalar(Value::Null), span: None });
        }
        let event = self.events.next()?;
        let (root, _) = self.value(event, 0)?;
        match self.events.next()? {
            YamlEvent::Document(at) => Err(Refusal::new(at..at, "expected a single document")),
            _ => Ok(root),
        }
    }

    /// A value and its range; an aliased value has the range of the alias.
    fn value(&mut self, event: YamlEvent, depth: usize) -> Result<(YamlNode, Range<usize>), Refusal> {
        let Composed { node, tag, range } = self.node(event, depth)?;
        if matches!(tag, YamlTag::Merge | YamlTag::Default) {
            return Err(Refusal::new(
                range,
                "`<<` and `=` are special keys and cannot be values; quote them to write the text",
            ));
        }
        Ok((node, range))
    }

    fn node(&mut self, event: YamlEvent, depth: usize) -> Result<Composed, Refusal> {
        let (anchor, composed) = match event {
            YamlEvent::Alias { anchor, range } => return self.alias(anchor, range, depth),
            YamlEvent::Scalar { text, plain, range, properties } => {
                let text = match self.mark {
                    Some(mark) => text.replace(mark, "\u{feff}").into(),
                    None => text,
                };
                (properties.anchor, self.scalar(&text, plain, range, &properties)?)
            }
            YamlEvent::Empty { at, .. } => return self.empty(at),
            YamlEvent::List { start, properties } => (properties.anchor, self.list(start, &properties, depth + 1)?),
            YamlEvent::Map { start, properties } => (properties.anchor, self.map(start, &properties, depth + 1)?),
            YamlEvent::Document(at) | YamlEvent::Close { end: at } => {
                return Err(Refusal::new(at..at, "a value is missing"));
            }
            YamlEvent::End => {
                let end = self.document.text().len();
                return Err(Refusal::new(end..end, "a value is missing"));
            }
        };
        if anchor > 0 {
            let weight = Weight::of(&composed.node);
            self.repeat(weight, depth, &composed.range)?;
            self.anchors.insert(anchor, Anchor { composed: composed.clone(), weight });
        }
        Ok(composed)
    }

    fn count(&mut self, nodes: usize, depth: usize, range: &Range<usize>) -> Result<(), Refusal> {
        self.nodes += nodes;
        if self.nodes > self.limits.nodes {
            let reason = format!("more than {} values, counting what anchors and aliases repeat", self.limits.nodes);
            return Err(Refusal::limit(range.clone(), reason));
        }
        if depth > self.limits.depth {
            return Err(Refusal::limit(range.clone(), format!("nested deeper than {} levels", self.limits.depth)));
        }
        Ok(())
    }

    /// Counts a value that an anchor keeps or an alias repeats.
    fn repeat(&mut self, weight: Weight, depth: usize, range: &Range<usize>) -> Result<(), Refusal> {
        self.repeated += weight.bytes;
        if self.repeated > self.limits.bytes {
            let reason = format!("anchors and aliases repeat more than {} bytes", self.limits.bytes);
            return Err(Refusal::limit(range.clone(), reason));
        }
        self.count(weight.nodes, depth + weight.depth, range)
    }

    fn alias(&mut self, anchor: usize, range: Range<usize>, depth: usize) -> Result<Composed, Refusal> {
        let Some(Anchor { composed, weight }) = self.anchors.get(&anchor) else {
            return Err(Refusal::new(range, "an alias inside the value it names"));
        };
        let (composed, weight) = (Composed { range: range.clone(), ..composed.clone() }, *weight);
        self.repeat(weight, depth, &range)?;
        Ok(composed)
    }

    /// The written tag, or `untagged`.
    fn tag(&self, properties: &Properties, untagged: YamlTag, at: &Range<usize>) -> Result<YamlTag, Refusal> {
        match (properties.tag.as_deref(), self.dialect) {
            // PyYAML ignores `!`.
            (None, _) | (Some("!"), Dialect::PyYaml) => Ok(untagged),
            (Some(name), Dialect::PyYaml) => {
                YamlTag::named(name).ok_or_else(|| Refusal::new(at.clone(), format!("unknown tag `{name}`")))
            }
            (Some(name), Dialect::Core) => {
                let meaningless = if matches!(untagged, YamlTag::Seq | YamlTag::Map) { untagged } else { YamlTag::Str };
                Ok(YamlTag::named(name).unwrap_or(meaningless))
            }
        }
    }

    fn scalar(
        &mut self,
        text: &str,
        plain: bool,
        range: Range<usize>,
        properties: &Properties,
    ) -> Result<Composed, Refusal> {
        self.count(1, 0, &range)?;
        // With `!`, even quoted text is resolved.
        let untagged = match self.dialect {
            _ if !plain && properties.tag.is_none() => YamlTag::Str,
            Dialect::PyYaml => scalar::resolve(text),
            Dialect::Core => core_scalar::resolve(text),
        };
        let tag = self.tag(properties, untagged, &range)?;
        let value = match self.dialect {
            Dialect::PyYaml => scalar::construct(tag, text),
            Dialect::Core => core_scalar::construct(tag, text),
        };
        let value = value.map_err(|reason| Refusal::new(range.clone(), reason))?;
        Ok(self.composed(YamlData::Scalar(value), tag, range))
    }

    fn empty(&mut self, at: usize) -> Result<Composed, Refusal> {
        self.count(1, 0, &(at..at))?;
        Ok(self.composed(YamlData::Scalar(Value::Null), YamlTag::Null, at..at))
    }

    fn composed(&self, data: YamlData, tag: YamlTag, range: Range<usize>) -> Composed {
        Composed { node: YamlNode { data, span: Some(self.document.slice(range.clone())) }, tag, range }
    }

    fn list(&mut self, start: usize, properties: &Properties, depth: usize) -> Result<Composed, Refusal> {
        let first = start..start;
        self.count(1, depth, &first)?;
        let tag = self.tag(properties, YamlTag::Seq, &first)?;
        let mut list = Vec::new();
        let end = loop {
            match self.events.next()? {
                YamlEvent::Close { end } => break end.max(start),
                event => list.push(self.value(event, depth)?.0),
            }
        };
        match tag {
            YamlTag::Seq => {}
            YamlTag::Omap | YamlTag::Pairs => list.iter_mut().try_for_each(|item| pair(item, &first))?,
            _ => return Err(Refusal::new(first, "this tag cannot be used on a list")),
        }
        Ok(self.composed(YamlData::List(list), tag, start..end))
    }

    fn map(&mut self, start: usize, properties: &Properties, depth: usize) -> Result<Composed, Refusal> {
        let first = start..start;
        self.count(1, depth, &first)?;
        let tag = self.tag(properties, YamlTag::Map, &first)?;
        if !matches!(tag, YamlTag::Map | YamlTag::Set) {
            return Err(Refusal::new(first, "this tag cannot be used on a map"));
        }
        let mut own = IndexMap::new();
        let mut merged = IndexMap::new();
        let end = loop {
            let key = match self.events.next()? {
                YamlEvent::Close { end } => break end.max(start),
                YamlEvent::Empty { at, asked: false } if self.dialect == Dialect::PyYaml => {
                    return Err(Refusal::new(at..at, "a key is missing before `:`"));
                }
                event => self.node(event, depth)?,
            };
            let event = self.events.next()?;
            self.check_line(&key, &event)?;
            let (value, value_range) = self.value(event, depth)?;
            let YamlData::Scalar(name) = key.node.data else {
                if self.dialect == Dialect::Core {
                    continue;
                }
                return Err(Refusal::new(key.range, "a list or a map cannot be a key"));
            };
            if depth == 1 {
                self.key(&name, start, key.range.clone(), value_range.end);
            }
            match key.tag {
                YamlTag::Merge => merge(&mut merged, value).map_err(|reason| Refusal::new(key.range, reason))?,
                _ => self.insert(&mut own, name, value, key.range)?,
            }
        };
        // Merged entries come first; the map's own entries override their values but keep their positions.
        let mut map = if merged.is_empty() { own } else { merged.into_iter().chain(own).collect() };
        if tag == YamlTag::Set {
            map.values_mut().for_each(|value| value.data = YamlData::Scalar(Value::Null));
        }
        Ok(self.composed(YamlData::Map(map), tag, start..end))
    }

    /// A map may not begin on the line of its key. The parser does not check this if the key is empty.
    fn check_line(&self, key: &Composed, value: &YamlEvent) -> Result<(), Refusal> {
        let YamlEvent::Map { start, .. } = value else { return Ok(()) };
        let text = self.document.text();
        let between = text.get(key.range.end..*start).unwrap_or("\n");
        let is_wrong = key.range.is_empty()
            && !text[*start..].starts_with('{')
            && between.trim() == ":"
            && !between.contains('\n');
        match is_wrong {
            true => Err(Refusal::new(*start..*start, "mapping values are not allowed in this context")),
            false => Ok(()),
        }
    }

    /// Records an entry of the document's own map, which begins at `map`.
    fn key(&mut self, name: &Value, map: usize, range: Range<usize>, value_end: usize) {
        let text = self.document.text();
        // A line in braces may hold many entries; otherwise each begins a line, its anchor included.
        let start = if text[map..].starts_with('{') {
            range.start
        } else {
            let line = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
            let indented = line + text[line..].len() - text[line..].trim_start_matches(' ').len();
            indented.min(range.start)
        };
        // An empty value ends before the colon.
        let rest = &text[range.end..];
        let colon = rest.trim_start_matches(' ').strip_prefix(':').map_or(range.end, |after| text.len() - after.len());
        self.keys.push(DocumentKey { name: name.clone(), span: self.document.slice(start..value_end.max(colon)) });
    }

    fn insert(
        &mut self,
        map: &mut IndexMap<Value, YamlNode>,
        key: Value,
        value: YamlNode,
        range: Range<usize>,
    ) -> Result<(), Refusal> {
        match map.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(value);
            }
            Entry::Occupied(entry) if self.dialect == Dialect::Core => {
                let reason = format!("the key `{}` is repeated", python_str(entry.key()));
                return Err(Refusal::new(range, reason));
            }
            Entry::Occupied(mut entry) => {
                let problem = Problem::DuplicateKey { key: python_str(entry.key()) };
                self.diagnostics.push(Diagnostic::at(problem, self.document.slice(range)));
                entry.insert(value);
            }
        }
        Ok(())
    }
}

/// Turns a map with one entry into a list of two.
fn pair(item: &mut YamlNode, at: &Range<usize>) -> Result<(), Refusal> {
    match &item.data {
        YamlData::Map(map) if map.len() == 1 => {
            let pair = map.iter().flat_map(|(key, value)| [YamlNode::of(key), value.clone()]).collect();
            item.data = YamlData::List(pair);
            Ok(())
        }
        _ => Err(Refusal::new(at.clone(), "each item under this tag must be a map with one entry")),
    }
}

/// Merges a map, or a list of maps of which the first wins.
fn merge(into: &mut IndexMap<Value, YamlNode>, value: YamlNode) -> Result<(), &'static str> {
    match value.data {
        YamlData::Map(map) => into.extend(map),
        YamlData::List(list) => {
            for item in list.into_iter().rev() {
                let YamlData::Map(map) = item.data else { return Err("`<<` merges maps only") };
                into.extend(map);
            }
        }
        YamlData::Scalar(_) => return Err("`<<` merges a map or a list of maps"),
    }
    Ok(())
}
