//! Rows of `knowledge_parse.json`: the text of a file, and its metadata and text or the kind of its error.

use std::sync::Arc;

use rye_render::internals::read::item::{Knowledge, NoText, TextPlace, parse_knowledge};
use rye_render::internals::read::value::to_json;
use rye_render::internals::text::Source;
use serde_json::{Map, Value, json};

/// Compares a row with what the library reads.
pub fn check(row: &Value) -> Result<(), String> {
    let text = row["text"].as_str().ok_or("a row without a text")?;
    let source = Source::read(Arc::from("project"), ".ai/knowledge/x.md", text.as_bytes().to_vec())
        .map_err(|error| format!("{error:?}"))?;
    let actual = match parse_knowledge(&source) {
        Ok(parsed) => fields(&parsed.item),
        Err(_) => json!({"error_kind": "yaml"}),
    };
    let expected = normalised(&row["parsed"]);
    if actual == expected { Ok(()) } else { Err(format!("{text}\nexpected {expected:#}\nfound {actual:#}")) }
}

/// What a row expects, in the shape of [`fields`].
fn normalised(parsed: &Value) -> Value {
    match parsed["error_kind"].as_str() {
        // The part after the colon is the name of Python's exception.
        Some(kind) => json!({"error_kind": kind.split(':').next()}),
        None => {
            let mut expected = parsed.as_object().cloned().unwrap_or_default();
            // Here, `raw` is always the whole file; in the rows, it is empty for an item without text.
            expected.remove("raw");
            expected.into_iter().collect()
        }
    }
}

fn fields(item: &Knowledge) -> Value {
    if let TextPlace::Nowhere(NoText::FrontMatter) = item.place {
        return json!({"error_kind": "dashes_frontmatter"});
    }
    let mut out = Map::new();
    // The rows keep these keys of the metadata.
    for key in ["name", "title", "body", "content"] {
        if let Some(node) = item.metadata.get(key) {
            out.insert(key.to_string(), to_json(&node.value()));
        }
    }
    out.insert("body".to_string(), json!(item.text().text()));
    Value::Object(out)
}
