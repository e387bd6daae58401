//! The printed form of values: a row has a JSON value and its text.

use rye_render::internals::read::value::{from_json, python_str};
use serde_json::Value;

/// `{value, str}`: the value prints as the text.
pub fn check(row: &Value) -> Result<(), String> {
    let printed = python_str(&from_json(row["value"].clone()));
    match row["str"].as_str() {
        Some(expected) if expected == printed => Ok(()),
        expected => Err(format!("prints {printed:?}, expected {expected:?}")),
    }
}
