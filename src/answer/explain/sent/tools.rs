//! Which of the sent tools differ from the palette.

use std::collections::{HashMap, VecDeque};

use crate::prompt::ToolEntry;
use crate::prompt::sent::SentTool;
use crate::read::value::{Value, to_json};

#[derive(Debug, Clone, PartialEq)]
pub enum ToolChange {
    NotSent { tool: usize },
    Extra { sent: usize },
    Changed { tool: usize, sent: usize, description: bool, schema: bool },
}

/// Pairs tools by name. The flag says whether the tools that both have are in the same order.
pub fn changes(palette: &[ToolEntry], sent: &[SentTool]) -> (Vec<ToolChange>, bool) {
    let mut by_name: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (index, tool) in sent.iter().enumerate() {
        by_name.entry(&tool.name).or_default().push_back(index);
    }
    let mut changes = Vec::new();
    let mut order = Vec::new();
    for (tool, rendered) in palette.iter().enumerate() {
        let Some(index) = by_name.get_mut(rendered.name.as_str()).and_then(VecDeque::pop_front) else {
            changes.push(ToolChange::NotSent { tool });
            continue;
        };
        order.push(index);
        let found = &sent[index];
        let description = rendered.description != found.description;
        let schema = object_schema(&rendered.input_schema) != object_schema(&found.schema);
        if description || schema {
            changes.push(ToolChange::Changed { tool, sent: index, description, schema });
        }
    }
    let mut extra: Vec<_> = by_name.into_values().flatten().collect();
    extra.sort_unstable();
    changes.extend(extra.into_iter().map(|sent| ToolChange::Extra { sent }));
    (changes, order.is_sorted())
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
