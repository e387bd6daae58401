use crate::prompt::{OutputInfo, ToolEntry};
use crate::read::value::{Map, Value, map};

pub(super) const ID: &str = "rye/agent/threads/directive_return";

/// The tool that receives the declared outputs (Directives, "Tools").
pub(super) fn tool(outputs: &[OutputInfo]) -> ToolEntry {
    let property =
        |kind: &str, description: &str| Value::Map(map([("type", kind.into()), ("description", description.into())]));
    let mut properties: Map = outputs
        .iter()
        .map(|output| (Value::from(output.name.as_str()), property(&output.output_type, &output.description)))
        .collect();
    if properties.is_empty() {
        properties.insert(Value::from("result"), property("string", "Result output"));
    }
    let required = outputs.iter().filter(|output| output.required).map(|output| Value::from(output.name.as_str()));
    ToolEntry {
        name: "directive_return".to_string(),
        description: "Hands back the outputs of the directive and ends it".to_string(),
        input_schema: Value::Map(map([
            ("type", Value::from("object")),
            ("properties", Value::Map(properties)),
            ("required", Value::List(required.collect())),
        ])),
        item_id: ID.to_string(),
        primary: "execute",
        source: None,
        schema_span: None,
        description_span: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::value::to_python_json;

    fn output(name: &str, kind: &str, required: bool, description: &str) -> OutputInfo {
        let [name, output_type, description] = [name, kind, description].map(str::to_string);
        OutputInfo { name, output_type, required, description }
    }

    #[test]
    fn outputs_are_properties() {
        let outputs = [output("a", "integer", true, "A number"), output("b", "string", false, "")];
        assert_eq!(
            to_python_json(&tool(&outputs).input_schema),
            concat!(
                r#"{"type": "object", "properties": {"a": {"type": "integer", "description": "A number"}, "#,
                r#""b": {"type": "string", "description": ""}}, "required": ["a"]}"#
            )
        );
        assert_eq!(
            to_python_json(&tool(&[]).input_schema),
            concat!(
                r#"{"type": "object", "properties": {"result": {"type": "string", "description": "Result output"}}, "#,
                r#""required": []}"#
            )
        );
    }
}
