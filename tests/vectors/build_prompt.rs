//! The directive prompt: a row has a directive's parts and its prompt in `rye-3`.

use rye_render::internals::fill::directive_prompt::{DirectiveParts, OutputPart, Outputs, directive_prompt};
use rye_render::internals::read::protocol::Protocol;
use rye_render::internals::read::value::{from_json, python_str};
use rye_render::internals::text::Traced;
use serde_json::Value;

/// `{directive: {name, description, content, body, outputs}, prompt}`; outputs are a list of elements, or a map.
pub fn check(row: &Value) -> Result<(), String> {
    let text = |value: &Value| value.as_str().map(Traced::protocol).unwrap_or_default();
    let directive = &row["directive"];
    let output = |output: &Value| OutputPart {
        name: text(&output["name"]),
        output_type: output.get("type").map_or_else(|| Traced::protocol("string"), text),
        description: text(&output["description"]),
        required: Traced::protocol(if output["required"] == true { " [required]" } else { "" }),
    };
    // For a value that is false in Python, the label falls back to the name.
    let label = |value: &Value| {
        let value = from_json(value.clone());
        if value.is_true() { Traced::protocol(&python_str(&value)) } else { Traced::new() }
    };
    let parts = DirectiveParts {
        name: text(&directive["name"]),
        description: text(&directive["description"]),
        content: text(&directive["content"]),
        body: text(&directive["body"]),
        outputs: match &directive["outputs"] {
            Value::Array(list) => Outputs::List(list.iter().map(output).collect()),
            Value::Object(map) => {
                Outputs::Map(map.iter().map(|(name, value)| (Traced::protocol(name), label(value))).collect())
            }
            _ => Outputs::default(),
        },
        ..DirectiveParts::default()
    };
    let protocol = Protocol::builtin("rye-3").ok_or("rye-3 is built in")?;
    let prompt =
        directive_prompt(&parts, &Traced::new(), &protocol, &mut Vec::new()).map_err(|error| error.message())?;
    let expected = row["prompt"].as_str().ok_or("a row has a prompt")?;
    if prompt.text() == expected { Ok(()) } else { Err(format!("gives {:?}, expected {expected:?}", prompt.text())) }
}
