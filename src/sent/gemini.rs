//! The request body of Google's Gemini API.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::content::Content;
use super::{Kind, Sent, Tool};
use crate::prompt::Role;
use crate::value::{Map, Read, Value};

/// An object with `contents`.
#[derive(Deserialize)]
pub struct Body {
    #[serde(rename = "systemInstruction", alias = "system_instruction")]
    system: Option<Content>,
    #[serde(default)]
    contents: Vec<Written>,
    #[serde(default)]
    tools: Vec<Tools>,
    model: Option<String>,
}

#[derive(Deserialize)]
struct Written {
    role: Option<Role>,
    #[serde(default)]
    parts: Content,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(rename = "parametersJsonSchema", alias = "parameters_json_schema")]
    json_schema: Option<Read>,
    parameters: Option<Read>,
}

impl Body {
    pub fn sent(self) -> Sent {
        let mut sent = Sent::empty(Kind::Gemini);
        sent.messages.extend(self.system.map(|text| text.message(Role::System, "systemInstruction".to_string())));
        // The default role is the user's.
        sent.messages.extend(self.contents.into_iter().enumerate().map(|(index, written)| {
            written.parts.message(written.role.unwrap_or(Role::User), format!("contents[{index}]"))
        }));
        sent.tools = Some(self.tools.into_iter().flat_map(|Tools(tools)| tools).collect());
        sent.model = self.model;
        sent
    }
}

/// An entry of `tools`: functions, or a built-in tool, which only its name identifies.
struct Tools(Vec<Tool>);

impl<'de> Deserialize<'de> for Tools {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ToolsVisitor)
    }
}

struct ToolsVisitor;

impl<'de> Visitor<'de> for ToolsVisitor {
    type Value = Tools;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object of tools")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Tools, A::Error> {
        let mut tools = Vec::new();
        while let Some(name) = fields.next_key::<String>()? {
            if matches!(name.as_str(), "functionDeclarations" | "function_declarations") {
                tools.extend(fields.next_value::<Vec<Function>>()?.into_iter().map(Tool::from));
            } else {
                fields.next_value::<IgnoredAny>()?;
                tools.push(Tool { name, description: String::new(), schema: Value::Null });
            }
        }
        Ok(Tools(tools))
    }
}

impl From<Function> for Tool {
    fn from(function: Function) -> Self {
        let Function { name, description, json_schema, parameters } = function;
        let older = || parameters.map(|Read(schema)| lower_case_types(schema));
        let schema = json_schema.map(|Read(schema)| schema).or_else(older).unwrap_or_default();
        Self { name, description, schema }
    }
}

/// The older `parameters` may have types in capitals.
fn lower_case_types(schema: Value) -> Value {
    match schema {
        Value::Map(map) => Value::Map(Map::into_iter(map).map(lower_case_type).collect()),
        Value::List(list) => Value::List(list.into_iter().map(lower_case_types).collect()),
        other => other,
    }
}

fn lower_case_type((key, value): (Value, Value)) -> (Value, Value) {
    let value = match (key.as_str(), value) {
        (Some("type"), Value::Str(name)) => Value::Str(name.to_ascii_lowercase()),
        (_, value) => lower_case_types(value),
    };
    (key, value)
}
