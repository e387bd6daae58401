//! Files with `messages` or `input`: request bodies of Anthropic and OpenAI, what `--format json` writes, and a bare
//! list.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::content::ReadContent;
use super::{ReadMessage, Sent, SentKind, SentTool};
use crate::prompt::Role;
use crate::read::value::{JsonValue, Value};

/// An object with `messages`.
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
