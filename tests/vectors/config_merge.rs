//! Merging configuration: a row has two configurations and the merged result.

use rye_render::internals::read::config::merge;
use rye_render::internals::read::value::{from_json, to_json};
use rye_render::internals::read::yaml::YamlNode;
use serde_json::Value;

/// `{base, override, out}`: key order matters too.
pub fn check(row: &Value) -> Result<(), String> {
    let node = |key: &str| YamlNode::of(&from_json(row[key].clone()));
    let merged = merge(node("base"), node("override"), &mut Vec::new());
    let (merged, expected) = (to_json(&merged.value()).to_string(), row["out"].to_string());
    if merged == expected { Ok(()) } else { Err(format!("gives {merged}, expected {expected}")) }
}
