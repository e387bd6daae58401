//! Rows of `{template, context, out}`: hook text with the values of its context, before the final trim.

use rye_render::internals::decide::request::Redact;
use rye_render::internals::fill::interpolate::hook::{Values, interpolate};
use rye_render::internals::prompt::PromptInput;
use rye_render::internals::read::protocol::Protocol;
use rye_render::internals::read::value::{from_json, python_str};
use rye_render::internals::text::{InputFrom, Traced};
use serde_json::Value as Json;

/// Checks one row.
pub fn check(row: &Json) -> Result<(), String> {
    let template = row["template"].as_str().ok_or("the row has no template")?;
    let context = from_json(row["context"].clone());
    let inputs: Vec<PromptInput> = row["context"]["inputs"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| PromptInput {
            name: name.as_str().into(),
            value: from_json(value.clone()),
            from: InputFrom::Flag,
            default_span: None,
        })
        .collect();
    let expected = match &row["out"] {
        Json::Null => None,
        out => Some(python_str(&from_json(out.clone()))),
    };
    let protocol = Protocol::builtin("rye-3").ok_or("rye-3 is built in")?;
    let values = Values::new(&context, &inputs, &protocol, Redact::default());
    let out = interpolate(Traced::protocol(template), &values).map_err(|error| error.message())?;
    let out = out.text.map(|text| text.text().to_string());
    if out != expected {
        return Err(format!("expected {expected:?}, got {out:?}"));
    }
    Ok(())
}
