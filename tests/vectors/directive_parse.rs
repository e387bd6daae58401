//! Rows of `directive_parse.json`: the text of a file, and its fields or the kind of its error.

use std::sync::Arc;

use rye_render::internals::diagnostic::{Diagnostic, Severity};
use rye_render::internals::read::item::{Directive, Hook, HookAction, ItemField, ModelDeclaration, parse_directive};
use rye_render::internals::read::protocol::Protocol;
use rye_render::internals::read::value::to_json;
use rye_render::internals::read::yaml::YamlNode;
use rye_render::internals::text::Source;
use serde_json::{Map, Value, json};

/// Compares a row with what the library reads.
pub fn check(row: &Value) -> Result<(), String> {
    let text = row["text"].as_str().ok_or("a row without a text")?;
    let source = Source::read(Arc::from("project"), ".ai/directives/x.md", text.as_bytes().to_vec())
        .map_err(|error| format!("{error:?}"))?;
    let protocol = Protocol::builtin("rye-3").ok_or("rye-3 is built in")?;
    let actual = match parse_directive(&source, &protocol) {
        Ok(parsed) => fields(&parsed.item),
        Err(diagnostics) => {
            let error = diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
            json!({"error_kind": error.map(Diagnostic::code)})
        }
    };
    let expected = normalised(&row["parsed"]);
    if actual == expected { Ok(()) } else { Err(format!("{text}\nexpected {expected:#}\nfound {actual:#}")) }
}

/// What a row expects, in the shape of [`fields`].
fn normalised(parsed: &Value) -> Value {
    if parsed.get("error_kind").is_some() {
        return parsed.clone();
    }
    let mut expected = parsed.as_object().cloned().unwrap_or_default();
    for key in ["permissions", "hooks", "inputs", "outputs"] {
        // An `<outputs>` in the metadata leaves text instead of a list: nothing is declared.
        let list = expected.get(key).filter(|value| value.is_array()).cloned();
        expected.insert(key.to_string(), list.unwrap_or_else(|| json!([])));
    }
    for (key, empty) in [
        ("context", json!({"system": [], "before": [], "after": [], "suppress": []})),
        ("limits", json!({})),
        ("model", json!({})),
    ] {
        expected.entry(key).or_insert(empty);
    }
    expected.remove("acknowledged_risks");
    for permission in expected["permissions"].as_array_mut().into_iter().flatten() {
        *permission = json!(permission["content"].as_str().unwrap_or_default().replace('/', "."));
    }
    for hook in expected["hooks"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        hook.remove("content");
        hook.remove("inputs");
        let single = hook.remove("action");
        let actions = hook.entry("actions").or_insert_with(|| single.into_iter().collect());
        for action in actions.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            action.entry("params").or_insert(json!({}));
        }
        let layer = hook.get("layer").and_then(Value::as_str).and_then(|layer| layer.parse::<f64>().ok());
        hook.insert("layer".to_string(), json!(layer));
        hook.entry("condition").or_insert(Value::Null);
    }
    sorted(Value::Object(expected))
}

fn fields(directive: &Directive) -> Value {
    let list = |fields: &[ItemField]| fields.iter().map(ItemField::as_str).map(String::from).collect::<Vec<_>>();
    let context = &directive.context;
    let mut out = Map::new();
    let declared = [
        ("name", &directive.name),
        ("version", &directive.version),
        ("extends", &directive.extends),
        ("category", &directive.category),
        ("description", &directive.description),
    ];
    put(&mut out, declared);
    out.insert("model".into(), model(&directive.model));
    let limits = directive.limits.iter().map(|limit| (limit.name.clone(), to_json(&limit.value)));
    out.insert("limits".into(), limits.collect());
    out.insert("permissions".into(), directive.permissions.iter().map(|granted| json!(granted.capability)).collect());
    let entries = json!({"system": list(&context.system), "before": list(&context.before),
        "after": list(&context.after), "suppress": list(&context.suppress)});
    out.insert("context".into(), entries);
    out.insert("hooks".into(), directive.hooks.iter().map(hook).collect());
    let inputs = directive.inputs.iter().map(|input| {
        let mut out = Map::new();
        put(&mut out, [("default", &input.default), ("description", &input.description)]);
        out.insert("name".into(), json!(input.name.as_str()));
        out.insert("type".into(), json!(input.input_type));
        out.insert("required".into(), json!(input.required));
        Value::Object(out)
    });
    out.insert("inputs".into(), inputs.collect());
    let outputs = directive.outputs.iter().map(|output| {
        let mut out = Map::new();
        put(&mut out, [("description", &output.description)]);
        out.insert("name".into(), json!(output.name.as_ref().map_or("", ItemField::as_str)));
        out.insert("type".into(), json!(output.output_type.as_ref().map_or("string", ItemField::as_str)));
        out.insert("required".into(), json!(output.required.is_some()));
        Value::Object(out)
    });
    out.insert("outputs".into(), outputs.collect());
    for (key, span) in [("preamble", &directive.preamble), ("content", &directive.content), ("body", &directive.body)] {
        out.insert(key.into(), json!(span.text()));
    }
    sorted(Value::Object(out))
}

fn put<const N: usize>(out: &mut Map<String, Value>, fields: [(&str, &Option<ItemField>); N]) {
    for (key, field) in fields {
        if let Some(field) = field {
            out.insert(key.to_string(), json!(field.as_str()));
        }
    }
}

fn model(model: &ModelDeclaration) -> Value {
    let mut out = Map::new();
    put(&mut out, [("tier", &model.tier), ("id", &model.id), ("provider", &model.provider)]);
    Value::Object(out)
}

fn hook(hook: &Hook) -> Value {
    json!({
        "id": hook.id,
        "event": hook.event,
        "layer": hook.layer,
        "position": hook.position,
        "condition": to_json(&hook.written.get("condition").map(YamlNode::value).unwrap_or_default()),
        "actions": hook.actions.iter().map(action).collect::<Vec<_>>(),
    })
}

fn action(action: &HookAction) -> Value {
    let mut out = Map::new();
    put(&mut out, [("item_id", &action.item_id), ("set_extends", &action.set_extends)]);
    for (key, text) in [("primary", &action.primary), ("item_type", &action.item_type)] {
        if let Some(text) = text {
            out.insert(key.to_string(), json!(text));
        }
    }
    out.insert("params".into(), to_json(&rye_render::internals::read::value::Value::Map(action.params.clone())));
    Value::Object(out)
}

/// Sorts the keys of every map, so that their order does not matter.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(sorted).collect()),
        // Numbers compare by value, not by how they are written.
        Value::Number(number) => json!(number.as_f64()),
        scalar => scalar,
    }
}
