//! TOML with positions.

use num_bigint::BigInt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use std::ops::Range;
use std::sync::Arc;

use crate::read::value::Value;
use crate::read::yaml::{NodeMap, YamlData, YamlNode};
use crate::text::{Origin, Source, Span, Traced};

/// Reads a file; the error is its reason and its place.
pub(super) fn read(source: &Arc<Source>) -> Result<YamlNode, (String, Span)> {
    let table = DeTable::parse(source.text())
        .map_err(|error| (error.message().to_string(), place(source, error.span().unwrap_or_default())))?;
    let data = YamlData::Map(entries(table.get_ref(), Some(source)));
    Ok(YamlNode { data, span: Some(source.whole()) })
}

/// The value of `KEY=VALUE` on a command line; what is not TOML is text.
pub(super) fn value(text: &str) -> YamlNode {
    match DeValue::parse(text) {
        Ok(value) => node(&value, None),
        Err(_) => YamlNode::of(&Value::from(text)),
    }
}

fn entries(table: &DeTable<'_>, source: Option<&Arc<Source>>) -> NodeMap {
    table.iter().map(|(key, value)| (Value::from(key.get_ref().as_ref()), node(value, source))).collect()
}

fn node(value: &Spanned<DeValue<'_>>, source: Option<&Arc<Source>>) -> YamlNode {
    let data = match value.get_ref() {
        DeValue::String(text) => YamlData::Scalar(Value::from(text.as_ref())),
        DeValue::Integer(number) => {
            // No TOML number needs more digits.
            let digits = Some(number.as_str().as_bytes()).filter(|digits| digits.len() <= 64);
            let int = digits.and_then(|digits| BigInt::parse_bytes(digits, number.radix()));
            YamlData::Scalar(int.map_or(Value::Null, Value::Int))
        }
        DeValue::Float(number) => YamlData::Scalar(number.as_str().parse().map_or(Value::Null, Value::Float)),
        DeValue::Boolean(is_true) => YamlData::Scalar(Value::Bool(*is_true)),
        // No setting is a date, so that its value does not matter.
        DeValue::Datetime(_) => YamlData::Scalar(Value::Null),
        DeValue::Array(list) => YamlData::List(list.iter().map(|item| node(item, source)).collect()),
        DeValue::Table(table) => YamlData::Map(entries(table, source)),
    };
    YamlNode { data, span: source.map(|source| place(source, value.span())) }
}

fn place(source: &Arc<Source>, range: Range<usize>) -> Span {
    let end = source.text().floor_char_boundary(range.end);
    source.span(source.text().floor_char_boundary(range.start.min(end))..end)
}

/// The text of a value: exact bytes of the file where it stands there as it is, else derived from the whole value.
pub(super) fn traced(node: &YamlNode, flag: &str) -> Traced {
    let text = node.as_str().unwrap_or_default();
    let Some(span) = &node.span else { return Traced::of(text, Origin::Argument(flag.into())) };
    let inside = |quote: &str| span.text().strip_prefix(quote)?.strip_suffix(quote);
    let content = ["\"\"\"", "'''", "\"", "'"].into_iter().find_map(inside).unwrap_or_default();
    if !text.is_empty()
        && content.ends_with(text)
        && content.trim_start_matches(['\r', '\n']) == text.trim_start_matches(['\r', '\n'])
    {
        // A line feed right behind three quotes is not part of the text.
        let end = span.text().len() - (span.text().len() - content.len()) / 2;
        return Traced::file(&span.slice(end - text.len()..end));
    }
    Traced::of(text, Origin::Derived(span.clone()))
}

/// Merges tables key by key; everything else is replaced.
pub(super) fn merge(lower: YamlNode, upper: YamlNode) -> YamlNode {
    let span = upper.span;
    let data = match (lower.data, upper.data) {
        (YamlData::Map(lower), YamlData::Map(upper)) => {
            let (mut shared, mut merged): (NodeMap, NodeMap) =
                lower.into_iter().partition(|(key, _)| upper.contains_key(key));
            for (key, value) in upper {
                let value = match shared.swap_remove(&key) {
                    Some(below) => merge(below, value),
                    None => value,
                };
                merged.insert(key, value);
            }
            YamlData::Map(merged)
        }
        (_, upper) => upper,
    };
    YamlNode { data, span }
}
