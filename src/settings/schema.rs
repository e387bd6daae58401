//! The JSON Schema of the settings, for editors.

use serde_json::{Value as Json, json};
use strum::VariantArray;

use super::{KEYS, Key, LINT_KEYS};
use crate::lint::documented::DOCUMENTED;
use crate::lint::{Field, Level};
use crate::tokens::Tokenizer;
use crate::words::words;

/// The schema, made of the tables that the file is read by.
pub fn generated() -> String {
    let lint: serde_json::Map<String, Json> =
        LINT_KEYS.iter().map(|key| (key.name.to_string(), of_lint(key))).collect();
    let of_file = |key: &Key| match key.name {
        "protocol" => described(key, json!({"type": "string"})),
        "protocols" => {
            let protocol = json!({"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}});
            described(key, json!({"type": ["array", "null"], "items": protocol}))
        }
        "examples" => {
            described(key, json!({"type": ["object", "null"], "additionalProperties": {"type": ["object", "null"]}}))
        }
        _ => described(key, closed(lint.clone())),
    };
    let properties = KEYS.iter().map(|key| (key.name.to_string(), of_file(key))).collect();
    let mut schema = closed(properties);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("settings of rye-render");
    schema["description"] = json!("The file .ai/config/rye-render.yaml.");
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

fn of_lint(key: &Key) -> Json {
    // Some readers of YAML take a bare `off` for false.
    let levels: Vec<Json> =
        Level::VARIANTS.iter().copied().map(|level| json!(level.into_str())).chain([json!(false)]).collect();
    let levels = json!({"enum": levels});
    let texts = json!({"anyOf": [{"type": ["string", "null"]}, {"type": "array", "items": {"type": "string"}}]});
    let rules = json!({"type": ["object", "null"], "additionalProperties": levels});
    let shape = match key.name {
        "select" | "ignore" | "exclude" => texts,
        "fail_on" => levels,
        "rules" => rules,
        "options" => {
            closed(DOCUMENTED.iter().map(|row| (row.name.to_string(), of_option(row.field(), row.meaning))).collect())
        }
        "budgets" => json!({"type": ["object", "null"], "additionalProperties": {"type": "integer", "minimum": 1}}),
        "paths" => {
            let properties = [("files", texts.clone()), ("ignore", texts), ("rules", rules)];
            let mut entry = closed(properties.map(|(name, shape)| (name.to_string(), shape)).into_iter().collect());
            entry["type"] = json!("object");
            entry["required"] = json!(["files"]);
            json!({"type": ["array", "null"], "items": entry})
        }
        other => panic!("the schema knows nothing of `{other}`"),
    };
    described(key, shape)
}

fn of_option(field: Field, meaning: &str) -> Json {
    let mut shape = match field {
        Field::Count(_) => json!({"type": "integer", "minimum": 1}),
        Field::Percent(_) => json!({"type": "integer", "minimum": 1, "maximum": 100}),
        Field::Tokenizer(_) => json!({"enum": words::<Tokenizer>()}),
    };
    shape["description"] = json!(plain(meaning));
    shape
}

fn closed(properties: serde_json::Map<String, Json>) -> Json {
    json!({"type": ["object", "null"], "properties": properties, "additionalProperties": false})
}

fn described(key: &Key, mut shape: Json) -> Json {
    shape["description"] = json!(plain(key.meaning));
    shape
}

/// A sentence without what only a page of documents shows.
fn plain(meaning: &str) -> String {
    let mut text = String::new();
    let mut rest = meaning;
    while let Some((before, link)) = rest.split_once("](") {
        text += &before.replace('[', "");
        rest = link.split_once(')').map_or("", |(_, rest)| rest);
    }
    (text + rest).replace('`', "")
}
