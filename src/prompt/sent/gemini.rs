//! The request body of Google's Gemini API.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::content::ReadContent;
use super::{Sent, SentKind, SentTool};
use crate::prompt::Role;
use crate::read::value::{JsonValue, Map, Value};

/// An object with `contents`.
#[derive(Deserialize)]
pub struct ReadGeminiBody {
    #[serde(rename = "systemInstruction", alias = "system_instruction")]
    system: Option<ReadContent>,
    #[serde(default)]
    contents: Vec<ReadGeminiContent>,
    #[serde(default)]
    tools: Vec<ReadGeminiTools>,
    model: Option<String>,
}

#[derive(Deserialize)]
struct ReadGeminiContent {
    role: Option<Role>,
    #[serde(default)]
    parts: ReadContent,
}

#[derive(Deserialize)]
struct ReadGeminiFunction {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(rename = "parametersJsonSchema", alias = "parameters_json_schema")]
    json_schema: Option<JsonValue>,
    parameters: Option<JsonValue>,
}

impl ReadGeminiBody {
    pub fn sent(self) -> Sent {
        let mut sent = Sent::empty(SentKind::Gemini);
        sent.messages.extend(self.system.map(|text| text.message(Role::System, "systemInstruction".to_string())));
        // The default role is `user`.
        sent.messages.extend(self.contents.into_iter().enumerate().map(|(index, written)| {
            written.parts.message(written.role.unwrap_or(Role::User), format!("contents[{index}]"))
        }));
        sent.tools = Some(self.tools.into_iter().flat_map(|ReadGeminiTools(tools)| tools).collect());
        sent.model = self.model;
        sent
    }
}

/// An entry of `tools`: functions, or a built-in tool, identified only by its name.
struct ReadGeminiTools(Vec<SentTool>);

impl<'de> Deserialize<'de> for ReadGeminiTools {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ToolsVisitor)
    }
}

struct ToolsVisitor;

impl<'de> Visitor<'de> for ToolsVisitor {
    type Value = ReadGeminiTools;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object of tools")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<ReadGeminiTools, A::Error> {
        let mut tools = Vec::new();
        while let Some(name) = fields.next_key::<String>()? {
            if matches!(name.as_str(), "functionDeclarations" | "function_declarations") {
                tools.extend(fields.next_value::<Vec<ReadGeminiFunction>>()?.into_iter().map(SentTool::from));
            } else {
                fields.next_value::<IgnoredAny>()?;
                tools.push(SentTool { name, description: String::new(), schema: Value::Null });
            }
        }
        Ok(ReadGeminiTools(tools))
    }
}

impl From<ReadGeminiFunction> for SentTool {
    fn from(function: ReadGeminiFunction) -> Self {
        let ReadGeminiFunction { name, description, json_schema, parameters } = function;
        let older = || parameters.map(|JsonValue(schema)| lower_case_types(schema));
        let schema = json_schema.map(|JsonValue(schema)| schema).or_else(older).unwrap_or_default();
        Self { name, description, schema }
    }
}

/// The older `parameters` may have type names in capitals.
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
