//! Request bodies of Anthropic, OpenAI and Google, what `--format json` writes, and bare lists of messages.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{ReadMessage, Sent, SentKind, SentTool};
use crate::prompt::Role;
use crate::read::value::{JsonValue, Map, Value};

/// An object with `messages` or `input`.
#[derive(Deserialize)]
pub struct ReadChatBody {
    format: Option<String>,
    model: Option<ReadModel>,
    #[serde(alias = "instructions")]
    system: Option<ReadContent>,
    #[serde(default)]
    messages: Vec<ReadChatMessage>,
    /// In place of `messages`.
    input: Option<ReadInput>,
    tools: Option<Vec<ReadChatTool>>,
    max_tokens: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ReadModel {
    Name(String),
    Object { effective: Option<String> },
    Other(IgnoredAny),
}

#[derive(Deserialize)]
pub struct ReadChatMessage {
    role: Role,
    content: Option<ReadContent>,
    text: Option<ReadContent>,
}

/// The messages of a body for the Responses API, and its other items, which have no role.
#[derive(Deserialize)]
#[serde(untagged)]
enum ReadInput {
    Text(String),
    Items(Vec<ReadItem>),
}

#[derive(Deserialize)]
struct ReadItem {
    role: Option<Role>,
    content: Option<ReadContent>,
}

impl ReadInput {
    fn messages(self) -> Vec<ReadMessage> {
        match self {
            Self::Text(text) => {
                let parts = vec![text.clone()];
                vec![ReadMessage { role: Role::User, text, parts, other_parts: 0, place: "input".to_string() }]
            }
            Self::Items(items) => {
                let message = |(index, item): (usize, ReadItem)| {
                    Some(item.content?.message(item.role?, format!("input[{index}]")))
                };
                items.into_iter().enumerate().filter_map(message).collect()
            }
        }
    }
}

#[derive(Deserialize)]
struct ReadChatTool {
    #[serde(rename = "type")]
    tool_type: Option<String>,
    name: Option<String>,
    description: Option<String>,
    input_schema: Option<JsonValue>,
    /// Of the Responses API.
    parameters: Option<JsonValue>,
    function: Option<ReadChatFunction>,
}

#[derive(Deserialize)]
struct ReadChatFunction {
    name: Option<String>,
    description: Option<String>,
    parameters: Option<JsonValue>,
}

impl ReadChatBody {
    pub fn sent(self) -> Sent {
        let kind = self.kind();
        let mut sent = Sent::empty(kind);
        let system = if kind == SentKind::Responses { "instructions" } else { "system" };
        sent.messages.extend(self.system.map(|text| text.message(Role::System, system.to_string())));
        sent.messages.extend(self.input.into_iter().flat_map(ReadInput::messages));
        sent.messages.extend(messages(self.messages, "messages"));
        sent.tools = Some(self.tools.unwrap_or_default().into_iter().map(Into::into).collect());
        sent.model = match self.model {
            Some(ReadModel::Name(name)) => Some(name),
            Some(ReadModel::Object { effective }) => effective,
            Some(ReadModel::Other(_)) | None => None,
        };
        sent
    }

    /// The two providers put the system text and tool schemas in different places.
    fn kind(&self) -> SentKind {
        let of_anthropic = |tool: &ReadChatTool| tool.input_schema.is_some();
        let tools = || self.tools.iter().flatten();
        if self.format.as_ref().is_some_and(|format| format.starts_with("rye-render.")) {
            SentKind::Prompt
        } else if self.input.is_some() {
            SentKind::Responses
        } else if self.system.is_some() || tools().any(of_anthropic) {
            SentKind::Anthropic
        } else if tools().any(|tool| tool.function.is_some()) || self.messages.iter().any(ReadChatMessage::is_systems) {
            SentKind::Openai
        } else if self.max_tokens.is_some() {
            SentKind::Anthropic
        } else {
            SentKind::Openai
        }
    }
}

impl ReadChatMessage {
    fn is_systems(&self) -> bool {
        self.role == Role::System
    }
}

/// A bare list has no tools, and its system text may have been sent separately.
pub fn list(written: Vec<ReadChatMessage>) -> Sent {
    let records_system = written.iter().any(ReadChatMessage::is_systems);
    Sent { messages: messages(written, "").collect(), records_system, ..Sent::empty(SentKind::Messages) }
}

fn messages(written: Vec<ReadChatMessage>, name: &str) -> impl Iterator<Item = ReadMessage> {
    written.into_iter().enumerate().map(move |(index, message)| {
        let content = message.content.or(message.text).unwrap_or_default();
        content.message(message.role, format!("{name}[{index}]"))
    })
}

impl From<ReadChatTool> for SentTool {
    fn from(tool: ReadChatTool) -> Self {
        let ReadChatTool { tool_type, name, description, input_schema, parameters, function } = tool;
        let (name, description, schema) = match function {
            Some(function) => (function.name, function.description, function.parameters),
            None => (name, description, input_schema.or(parameters)),
        };
        Self {
            // The providers' built-in tools may have only a type.
            name: name.or(tool_type).unwrap_or_default(),
            description: description.unwrap_or_default(),
            schema: schema.map_or(Value::Null, |JsonValue(schema)| schema),
        }
    }
}

/// The content of a message: a string, a part, a list of parts, or an object that holds any of these as `parts`.
#[derive(Debug, Default)]
pub struct ReadContent {
    parts: Vec<String>,
    other_parts: usize,
}

impl ReadContent {
    pub fn message(self, role: Role, place: String) -> ReadMessage {
        let mut text = String::new();
        self.parts.iter().for_each(|part| join(&mut text, part));
        ReadMessage { role, text, parts: self.parts, other_parts: self.other_parts, place }
    }
}

/// Adds a part after a blank line, unless a newline already separates the two: models see parts as separate texts.
fn join(text: &mut String, part: &str) {
    let meets_break = text.ends_with('\n') || part.starts_with('\n');
    if !meets_break && !text.is_empty() && !part.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(part);
}

impl<'de> Deserialize<'de> for ReadContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = ReadContent;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("text or a list of parts")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ReadContent, E> {
        Ok(ReadContent { parts: vec![text.to_string()], other_parts: 0 })
    }

    fn visit_unit<E: Error>(self) -> Result<ReadContent, E> {
        Ok(ReadContent::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<ReadContent, A::Error> {
        let mut content = ReadContent::default();
        while let Some(part) = parts.next_element::<ReadContent>()? {
            content.parts.extend(part.parts);
            content.other_parts += part.other_parts;
        }
        Ok(content)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<ReadContent, A::Error> {
        let mut content = None;
        while let Some(name) = fields.next_key::<String>()? {
            match name.as_str() {
                "text" | "parts" => content = Some(fields.next_value()?),
                _ => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        Ok(content.unwrap_or(ReadContent { parts: Vec::new(), other_parts: 1 }))
    }
}

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
