//! YAML tools: `config_schema` and `description`, or a list of `parameters`.

use std::sync::Arc;

use super::{NoSchema, ToolFile, tool};
use crate::diagnostic::Location;
use crate::read::value::{Map, Value, map};
use crate::read::yaml::{self, YamlNode, load};
use crate::text::Source;

pub(super) fn read(source: &Arc<Source>) -> Result<ToolFile, NoSchema> {
    let loaded = load(&source.whole()).map_err(|refused| NoSchema {
        reason: refused.message(),
        at: if let Some(Location::Span(span)) = refused.at { Some(span) } else { None },
    })?;
    let yaml::Loaded { node: root, keys, .. } = loaded;
    // The last duplicate key wins; a key from a merge has the span of the whole file.
    let span = |key: &str| {
        let found = keys.iter().rev().find(|found| found.name.as_str() == Some(key));
        found.map_or_else(|| source.whole(), |found| found.span.clone())
    };
    let key = |key: &str| root.get(key).map(|node| (node.value(), span(key)));
    let declared = key("config_schema").filter(|(schema, _)| schema.is_true());
    let listed = || {
        let parameters = root.get("parameters")?;
        Some((schema_of(parameters.as_list()?)?, span("parameters")))
    };
    let Some((schema, schema_span)) = declared.or_else(listed) else {
        return Err(NoSchema { reason: "it declares neither config_schema nor parameters".to_string(), at: None });
    };
    let description = key("description").and_then(|(value, span)| Some((value.as_str()?.to_string(), span)));
    tool(schema, schema_span, description)
}

/// The schema of a list of `{name, type, description, required}`; `None` if no parameter has a name.
fn schema_of(parameters: &[YamlNode]) -> Option<Value> {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for parameter in parameters {
        let value = |key, default| parameter.get(key).map_or(default, YamlNode::value);
        let name = value("name", Value::Null);
        if !name.is_true() {
            continue;
        }
        let property = [("type", value("type", "string".into())), ("description", value("description", "".into()))];
        properties.insert(name.clone(), map(property).into());
        if value("required", Value::Null).is_true() {
            required.push(name);
        }
    }
    if properties.is_empty() {
        return None;
    }
    let parts = [("type", "object".into()), ("properties", properties.into()), ("required", Value::List(required))];
    Some(map(parts).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::value::to_python_json;

    fn read_text(text: &str) -> Result<(String, String), String> {
        let source = Source::read("project".into(), "x.yaml", text.as_bytes().to_vec()).unwrap();
        match read(&source) {
            Ok(tool) => Ok((to_python_json(&tool.schema), tool.description)),
            Err(NoSchema { reason, .. }) => Err(reason),
        }
    }

    #[test]
    fn a_schema_is_declared_or_built_from_parameters() {
        for (text, schema, description) in [
            (
                "config_schema: {type: object, required: [a]}\ndescription: D",
                r#"{"type": "object", "required": ["a"]}"#,
                "D",
            ),
            (
                "parameters:\n- {name: a, required: yes, description: A}\n- {type: string}\n- x\n- {name: b, type: integer}",
                concat!(
                    r#"{"type": "object", "properties": {"a": {"type": "string", "description": "A"}, "#,
                    r#""b": {"type": "integer", "description": ""}}, "required": ["a"]}"#
                ),
                "",
            ),
            (
                "config_schema: {}\nparameters: [{name: a}]\ndescription: 5",
                r#"{"type": "object", "properties": {"a": {"type": "string", "description": ""}}, "required": []}"#,
                "",
            ),
        ] {
            assert_eq!(read_text(text), Ok((schema.to_string(), description.to_string())), "{text}");
        }
    }

    #[test]
    fn a_tool_needs_a_schema_or_parameters() {
        let none = Err("it declares neither config_schema nor parameters".to_string());
        for text in ["", "a: 1", "- config_schema", "parameters: {name: a}", "parameters: [{type: string}]"] {
            assert_eq!(read_text(text), none, "{text}");
        }
        assert_eq!(read_text("config_schema: x"), Err("its schema is not a map".to_string()));
        assert!(read_text("config_schema: {").unwrap_err().starts_with("not valid YAML: "));
    }
}
