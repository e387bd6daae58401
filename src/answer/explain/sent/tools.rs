//! Which of the sent tools differ from the palette.

use std::time::Instant;

use super::Departure;
use super::lines::{lines, owned};
use crate::answer::diff::lines::differing;
use crate::answer::diff::order::Matches;
use crate::prompt::ToolEntry;
use crate::prompt::sent::SentTool;
use crate::read::value::{Value, to_json};

/// Pairs tools by name.
pub fn changes(palette: &[ToolEntry], sent: &[SentTool], deadline: Instant) -> Vec<Departure> {
    let mut pairs = Matches::new(palette.len(), sent.len());
    pairs.add_by(|tool| Some(&palette[tool].name), |index| Some(&sent[index].name));
    let mut changes = Vec::new();
    for (tool, (rendered, index)) in palette.iter().zip(&pairs.left).enumerate() {
        let name = rendered.name.clone();
        let Some(found) = index.map(|index| &sent[index]) else {
            changes.push(Departure::ToolNotSent { tool, name });
            continue;
        };
        let description = rendered.description != found.description;
        let schema = object_schema(&rendered.input_schema) != object_schema(&found.schema);
        if description || schema {
            let mut lines = differing_lines(&rendered.description, &found.description, deadline);
            lines.extend(differing_lines(&schema_text(&rendered.input_schema), &schema_text(&found.schema), deadline));
            changes.push(Departure::ToolChanged { tool, name, description, schema, lines });
        }
    }
    let extra = pairs.rest_right().into_iter().map(|index| &sent[index]);
    let extra = extra.map(|it| Departure::ToolExtra { name: it.name.clone(), about: it.description.clone() });
    changes.extend(extra);
    if !pairs.left.iter().flatten().is_sorted() {
        changes.push(Departure::ToolOrder);
    }
    changes
}

fn differing_lines(rendered: &str, sent: &str, deadline: Instant) -> Vec<[Vec<String>; 2]> {
    let (old, new) = (lines(rendered), lines(sent));
    let runs = differing(&old, &new, deadline);
    runs.map(|(rendered, sent)| [owned(&old[rendered]), owned(&new[sent])]).collect()
}

/// A schema with sorted keys, so that lines differ only where schemas do.
pub fn schema_text(schema: &Value) -> String {
    let mut json = to_json(&object_schema(schema));
    json.sort_all_objects();
    serde_json::to_string_pretty(&json).unwrap_or_default()
}

/// As in request bodies: `type` defaults to `object`, and a schema that is not a map accepts any object.
fn object_schema(schema: &Value) -> Value {
    let mut schema = schema.as_map().cloned().unwrap_or_default();
    schema.entry(Value::from("type")).or_insert_with(|| Value::from("object"));
    Value::Map(schema)
}
