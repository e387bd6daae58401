//! The literals of tool files.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rye_render::internals::read::tool::{ToolFile, read_tool};
use rye_render::internals::read::value::{Value, python_repr, to_python_json};
use rye_render_fuzz::{check_span, python_of, shown, source, yaml_of};

fuzz_target!(|data: &[u8]| {
    for extension in ["py", "js", "ts", "yaml"] {
        let Some(source) = source(&format!(".ai/tools/one.{extension}"), data) else { return };
        match read_tool(&source) {
            Ok(tool) => check(&tool, data),
            Err(refused) => {
                shown(&refused.reason.replace(char::is_control, ""));
                refused.at.iter().for_each(|at| check_span(at, data));
            }
        }
    }
});

fn check(tool: &ToolFile, data: &[u8]) {
    assert!(tool.schema.as_map().is_some_and(|map| !map.is_empty()));
    check_span(&tool.schema_span, data);
    tool.description_span.iter().for_each(|span| check_span(span, data));
    to_python_json(&tool.schema);
    // The printed value reads back as the same value.
    if let Some(printed) = python_of(&tool.schema) {
        same(tool, "py", &format!("CONFIG_SCHEMA = {printed}\n"));
    }
    if let Some(printed) = yaml_of(&tool.schema) {
        same(tool, "yaml", &format!("config_schema: {printed}\n"));
    }
    if is_json(&tool.schema) {
        same(tool, "js", &format!("export const CONFIG_SCHEMA = {};\n", to_python_json(&tool.schema)));
    }
}

fn same(tool: &ToolFile, extension: &str, printed: &str) {
    let source = source(&format!("again.{extension}"), printed.as_bytes()).expect("it is UTF-8");
    match read_tool(&source) {
        Ok(again) => assert_eq!(python_repr(&again.schema), python_repr(&tool.schema), "{printed}"),
        Err(refused) => assert!(printed.matches(['[', '{']).count() > 40, "{printed}: {}", refused.reason),
    }
}

/// Whether a script reads the JSON of a value as the same value: keys are strings, and none looks like a number.
fn is_json(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) => true,
        Value::Str(text) => text.chars().all(|c| matches!(c, ' '..='~')),
        Value::List(list) => list.iter().all(is_json),
        Value::Map(map) => map.iter().all(|(key, item)| {
            key.as_str().is_some_and(|key| key.starts_with(|c: char| c.is_ascii_alphabetic()))
                && is_json(key)
                && is_json(item)
        }),
        _ => false,
    }
}
