//! Rows of `{text, inputs, env, out}`: the text of a directive with its values filled in.

use rye_render::internals::decide::request::{Environment, Redact};
use rye_render::internals::fill::interpolate::directive::{Values, interpolate};
use rye_render::internals::prompt::PromptInput;
use rye_render::internals::read::value::from_json;
use rye_render::internals::text::{InputFrom, Traced};
use serde_json::Value as Json;

/// Checks one row.
pub fn check(row: &Json) -> Result<(), String> {
    let text = row["text"].as_str().ok_or("the row has no text")?;
    let inputs: Vec<PromptInput> = row["inputs"]
        .as_object()
        .ok_or("the row has no inputs")?
        .iter()
        .map(|(name, value)| PromptInput {
            name: name.as_str().into(),
            value: from_json(value.clone()),
            from: InputFrom::Flag,
            default_span: None,
        })
        .collect();
    let environment: Environment = row["env"]
        .as_object()
        .ok_or("the row has no env")?
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_string()))
        .collect();
    let values = Values::new(&inputs, &environment, Redact::default());
    let out = interpolate(Traced::protocol(text), &values).map_err(|error| error.message())?;
    if Some(out.text()) != row["out"].as_str() {
        return Err(format!("expected {}, got {:?}", row["out"], out.text()));
    }
    Ok(())
}
