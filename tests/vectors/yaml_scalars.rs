//! YAML documents: a row has YAML text, and the type, printed form and JSON of its value, or an error.

use std::sync::Arc;

use rye_render::internals::read::value::{python_str, to_json};
use rye_render::internals::read::yaml::load;
use rye_render::internals::text::Source;
use serde_json::Value;

/// `{yaml, type, str, json?}` or `{yaml, error}`: the kind of error is not compared.
pub fn check(row: &Value) -> Result<(), String> {
    let text = row["yaml"].as_str().ok_or("the row has no `yaml`")?;
    let source = Source::read(Arc::from("project"), "x.yaml", text.into()).map_err(|refused| format!("{refused:?}"))?;
    let loaded = load(&source.whole());
    let value = match (loaded, row.get("error")) {
        (Ok(loaded), None) => loaded.node.value(),
        (Err(refused), Some(_)) if refused.code() == "invalid_yaml" => return Ok(()),
        (loaded, expected) => return Err(format!("gives {loaded:?}, expected error {expected:?}")),
    };
    let expect = |what: &str, actual: Value| match row.get(what) {
        Some(expected) if *expected != actual => Err(format!("{what} is {actual}, expected {expected}")),
        _ => Ok(()),
    };
    expect("type", value.type_name().into())?;
    expect("str", python_str(&value).into())?;
    expect("json", to_json(&value))
}
