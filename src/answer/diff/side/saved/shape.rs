//! The JSON of `render` and `explain`, as far as a side needs it.

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use crate::answer::diff::{FilePlace, Requester, SideTool};
use crate::prompt::Role;
use crate::read::value;

/// Reads null as the default.
pub fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

fn role<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Role, D::Error> {
    let word = String::deserialize(deserializer)?;
    word.parse().map_err(|_| D::Error::custom(format!("unknown role `{word}`")))
}

#[derive(Deserialize)]
pub struct SavedDocument {
    pub protocol: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub directive: SavedDirective,
    #[serde(default, deserialize_with = "or_default")]
    pub model: SavedModel,
    pub limits: Option<value::JsonValue>,
    #[serde(default, deserialize_with = "or_default")]
    pub permissions: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub capabilities: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub outputs: Vec<SavedOutput>,
    #[serde(default, deserialize_with = "or_default")]
    pub inputs: Vec<SavedInput>,
    pub chain: Option<Vec<SavedMember>>,
    pub messages: Vec<SavedMessage>,
    #[serde(default, deserialize_with = "or_default")]
    pub layers: Vec<SavedLayer>,
    pub decisions: Option<Vec<SavedDecision>>,
    pub tools: Option<Vec<SideTool>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct SavedDirective {
    pub id: Option<String>,
    pub name: Option<String>,
    pub version: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct SavedModel {
    pub id: Option<String>,
    pub tier: Option<String>,
    pub provider: Option<String>,
    pub effective: Option<String>,
}

#[derive(Deserialize)]
pub struct SavedOutput {
    pub name: String,
    #[serde(rename = "type")]
    pub output_type: Option<String>,
    pub required: Option<bool>,
    pub description: Option<String>,
}

#[derive(Deserialize)]
pub struct SavedInput {
    pub name: String,
    pub value: Option<value::JsonValue>,
    pub from: Option<String>,
}

#[derive(Deserialize)]
pub struct SavedMember {
    pub id: String,
    pub source: Option<FilePlace>,
}

#[derive(Deserialize)]
pub struct SavedMessage {
    #[serde(deserialize_with = "role")]
    pub role: Role,
    pub text: String,
    #[serde(default, deserialize_with = "or_default")]
    pub segments: Vec<SavedSegment>,
}

#[derive(Deserialize)]
pub struct SavedSegment {
    #[serde(default)]
    pub text: String,
    pub layer: Option<usize>,
    #[serde(default)]
    pub origin: SavedOrigin,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct SavedOrigin {
    pub kind: Option<String>,
    pub tier: Option<String>,
    pub path: Option<String>,
    pub start: Option<usize>,
    pub line: Option<usize>,
    pub revision: Option<String>,
}

#[derive(Deserialize)]
pub struct SavedLayer {
    #[serde(default)]
    pub message: usize,
    #[serde(default)]
    pub slot: String,
    #[serde(default)]
    pub kind: String,
    #[serde(default)]
    pub name: String,
    pub item: Option<SavedItem>,
    pub declared_by: Option<Requester>,
    #[serde(default)]
    pub wrap: bool,
}

#[derive(Deserialize)]
pub struct SavedItem {
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
    pub source: Option<SavedSource>,
}

#[derive(Deserialize)]
pub struct SavedSource {
    pub tier: String,
    pub path: String,
    pub start: Option<usize>,
    pub end: Option<usize>,
    pub line: Option<usize>,
    pub revision: Option<String>,
}

#[derive(Deserialize)]
pub struct SavedDecision {
    pub name: String,
    #[serde(default)]
    pub slot: String,
    pub outcome: String,
    #[serde(default)]
    pub why: String,
    pub by: Option<Requester>,
    pub declared_by: Option<Requester>,
}
