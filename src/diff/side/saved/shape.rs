//! The JSON of `render` and `explain`, as far as a side needs it.

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use crate::diff::{Asker, Place, Tool};
use crate::prompt::Role;
use crate::value;

/// Reads null as the default.
pub fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

fn role<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Role, D::Error> {
    let word = String::deserialize(deserializer)?;
    word.parse().map_err(|_| D::Error::custom(format!("no role `{word}`")))
}

#[derive(Deserialize)]
pub struct Document {
    #[serde(default, deserialize_with = "or_default")]
    pub protocol: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub directive: Directive,
    #[serde(default, deserialize_with = "or_default")]
    pub model: Model,
    pub limits: Option<value::Read>,
    #[serde(default, deserialize_with = "or_default")]
    pub permissions: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub capabilities: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub outputs: Vec<Output>,
    #[serde(default, deserialize_with = "or_default")]
    pub inputs: Vec<Input>,
    pub chain: Option<Vec<Member>>,
    pub messages: Vec<WrittenMessage>,
    #[serde(default, deserialize_with = "or_default")]
    pub layers: Vec<WrittenLayer>,
    pub decisions: Option<Vec<WrittenDecision>>,
    pub tools: Option<Vec<Tool>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Directive {
    pub id: Option<String>,
    pub name: Option<String>,
    pub version: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Model {
    pub id: Option<String>,
    pub tier: Option<String>,
    pub provider: Option<String>,
    pub effective: Option<String>,
}

#[derive(Deserialize)]
pub struct Output {
    pub name: String,
    #[serde(rename = "type")]
    pub output_type: Option<String>,
    pub required: Option<bool>,
    pub description: Option<String>,
}

#[derive(Deserialize)]
pub struct Input {
    pub name: String,
    pub value: Option<value::Read>,
    pub from: Option<String>,
}

#[derive(Deserialize)]
pub struct Member {
    pub id: String,
    pub source: Option<Place>,
}

#[derive(Deserialize)]
pub struct WrittenMessage {
    #[serde(deserialize_with = "role")]
    pub role: Role,
    pub text: String,
    #[serde(default, deserialize_with = "or_default")]
    pub segments: Vec<Segment>,
}

#[derive(Deserialize)]
pub struct Segment {
    #[serde(default)]
    pub text: String,
    pub layer: Option<usize>,
    #[serde(default)]
    pub origin: Origin,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Origin {
    pub kind: Option<String>,
    pub tier: Option<String>,
    pub path: Option<String>,
    pub start: Option<usize>,
    pub line: Option<usize>,
    pub revision: Option<String>,
}

#[derive(Deserialize)]
pub struct WrittenLayer {
    #[serde(default)]
    pub message: usize,
    #[serde(default)]
    pub slot: String,
    #[serde(default)]
    pub kind: String,
    #[serde(default)]
    pub name: String,
    pub item: Option<WrittenItem>,
    pub declared_by: Option<Asker>,
    #[serde(default)]
    pub wrap: bool,
}

#[derive(Deserialize)]
pub struct WrittenItem {
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
    pub source: Option<Source>,
}

#[derive(Deserialize)]
pub struct Source {
    pub tier: String,
    pub path: String,
    pub start: Option<usize>,
    pub end: Option<usize>,
    pub line: Option<usize>,
    pub revision: Option<String>,
}

#[derive(Deserialize)]
pub struct WrittenDecision {
    pub name: String,
    #[serde(default)]
    pub slot: String,
    pub outcome: String,
    #[serde(default)]
    pub why: String,
    pub by: Option<Asker>,
    pub declared_by: Option<Asker>,
}
