//! Typed access to single values of the settings; each error has a position.

use num_bigint::BigInt;

use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlNode, key_place};
use crate::text::Span;
use crate::text::nearest::nearest;

use super::is_null;
use crate::text::words::words;
use std::str::FromStr;
use strum::VariantArray;

/// An entry of a map.
pub struct SettingEntry<'n> {
    pub key: &'n str,
    pub value: &'n YamlNode,
    /// The position of the key.
    pub at: Option<Span>,
}

/// The entries of a map; null is an empty one. Errors call the map `what`.
pub fn entries<'n>(node: &'n YamlNode, what: &str) -> Result<Vec<SettingEntry<'n>>, Diagnostic> {
    let map = match &node.data {
        YamlData::Map(map) => map,
        _ if is_null(node) => return Ok(Vec::new()),
        _ => return Err(other(node, what, "a map")),
    };
    let entry = |(key, value): (&'n Value, &'n YamlNode)| match key.as_str() {
        Some(key) => Ok(SettingEntry { key, value, at: key_position(key, value) }),
        None => Err(refused(value, format!("a key of {what} is not text: put it in quotes"), None)),
    };
    map.iter().map(entry).collect()
}

pub fn text<'n>(node: &'n YamlNode, what: &str) -> Result<&'n str, Diagnostic> {
    node.as_str().ok_or_else(|| other(node, what, "text"))
}

/// A list of texts, or a single text.
pub fn texts<'n>(node: &'n YamlNode, what: &str) -> Result<Vec<(&'n str, &'n YamlNode)>, Diagnostic> {
    match &node.data {
        YamlData::List(list) => {
            list.iter().map(|entry| Ok((text(entry, &format!("an entry of {what}"))?, entry))).collect()
        }
        _ if is_null(node) => Ok(Vec::new()),
        _ => Ok(vec![(node.as_str().ok_or_else(|| other(node, what, "a list"))?, node)]),
    }
}

/// A whole number from `least` to `most`.
pub fn number(node: &YamlNode, what: &str, least: usize, most: usize) -> Result<usize, Diagnostic> {
    let YamlData::Scalar(Value::Int(number)) = &node.data else { return Err(other(node, what, "a whole number")) };
    let fits = *number >= BigInt::from(least) && *number <= BigInt::from(most);
    let number = usize::try_from(number).ok().filter(|_| fits);
    let bounds = if most == usize::MAX { format!("{least} or more") } else { format!("between {least} and {most}") };
    number.ok_or_else(|| refused(node, format!("{what} must be {bounds}"), None))
}

/// A word of an enum. YAML 1.1 reads a bare `off` as false.
pub fn one_of<T>(node: &YamlNode, what: &str) -> Result<T, Diagnostic>
where
    T: FromStr + VariantArray + Into<&'static str> + Copy,
{
    let word = match &node.data {
        YamlData::Scalar(Value::Bool(false)) => "off",
        _ => text(node, what)?,
    };
    word.parse().map_err(|_| {
        let known = words::<T>();
        let help = nearest(word, known.iter().copied()).map(|nearest| format!("did you mean `{nearest}`?"));
        refused(node, format!("{what} is `{word}`; use one of: {}", known.join(", ")), help)
    })
}

/// The error for an invalid value.
pub fn refused(node: &YamlNode, what: String, help: Option<String>) -> Diagnostic {
    Diagnostic { problem: Problem::InvalidSetting { what, help }, at: node.span.clone().map(Location::from) }
}

/// The error for an unknown key.
pub fn unknown<'k>(key: &str, known: impl Iterator<Item = &'k str> + Clone, at: &Option<Span>) -> Diagnostic {
    let problem = Problem::UnknownSetting {
        key: key.to_string(),
        nearest: nearest(key, known.clone()),
        known: known.map(str::to_string).collect(),
    };
    Diagnostic { problem, at: at.clone().map(Location::from) }
}

fn other(node: &YamlNode, what: &str, expected: &str) -> Diagnostic {
    refused(node, format!("{what} is {}, not {expected}", kind(node)), None)
}

fn kind(node: &YamlNode) -> &'static str {
    match &node.data {
        YamlData::List(_) | YamlData::Scalar(Value::List(_)) => "a list",
        YamlData::Map(_) | YamlData::Scalar(Value::Map(_)) => "a map",
        YamlData::Scalar(Value::Null) => "nothing",
        YamlData::Scalar(Value::Bool(_)) => "true or false",
        YamlData::Scalar(Value::Int(_) | Value::Float(_)) => "a number",
        YamlData::Scalar(Value::Str(_)) => "text",
        YamlData::Scalar(Value::Time(_)) => "a date",
        YamlData::Scalar(Value::Bytes(_)) => "bytes",
    }
}

/// The position of a key, or of its value if the key cannot be found in the text.
fn key_position(key: &str, value: &YamlNode) -> Option<Span> {
    let span = value.span.as_ref()?;
    Some(key_place(&span.source().whole(), span, key).unwrap_or_else(|| span.clone()))
}
