//! Bodies that hold `messages`: Anthropic's and OpenAI's, what `--format json` writes, and a bare list.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::content::Content;
use super::{Kind, Message, Sent, Tool};
use crate::prompt::Role;
use crate::value::{Read, Value};

/// An object with `messages`.
#[derive(Deserialize)]
pub struct Body {
    format: Option<String>,
    model: Option<Model>,
    system: Option<Content>,
    messages: Vec<Written>,
    tools: Option<Vec<WrittenTool>>,
    max_tokens: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Model {
    Name(String),
    Object { effective: Option<String> },
    Other(IgnoredAny),
}

#[derive(Deserialize)]
pub struct Written {
    role: Role,
    content: Option<Content>,
    text: Option<Content>,
}

#[derive(Deserialize)]
struct WrittenTool {
    #[serde(rename = "type")]
    tool_type: Option<String>,
    name: Option<String>,
    description: Option<String>,
    input_schema: Option<Read>,
    function: Option<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: Option<String>,
    description: Option<String>,
    parameters: Option<Read>,
}

impl Body {
    pub fn sent(self) -> Sent {
        let kind = self.kind();
        let mut sent = Sent::empty(kind);
        sent.messages.extend(self.system.map(|text| text.message(Role::System, "system".to_string())));
        sent.messages.extend(messages(self.messages, "messages"));
        sent.tools = Some(self.tools.unwrap_or_default().into_iter().map(Into::into).collect());
        sent.model = match self.model {
            Some(Model::Name(name)) => Some(name),
            Some(Model::Object { effective }) => effective,
            Some(Model::Other(_)) | None => None,
        };
        sent
    }

    /// The place of the system text and of tool schemas distinguishes the two providers.
    fn kind(&self) -> Kind {
        let of_anthropic = |tool: &WrittenTool| tool.input_schema.is_some();
        let tools = || self.tools.iter().flatten();
        if self.format.as_ref().is_some_and(|format| format.starts_with("rye-render.")) {
            Kind::Prompt
        } else if self.system.is_some() || tools().any(of_anthropic) {
            Kind::Anthropic
        } else if tools().any(|tool| tool.function.is_some()) || self.messages.iter().any(Written::is_systems) {
            Kind::Openai
        } else if self.max_tokens.is_some() {
            Kind::Anthropic
        } else {
            Kind::Openai
        }
    }
}

impl Written {
    fn is_systems(&self) -> bool {
        self.role == Role::System
    }
}

/// A bare list has no tools, and its system text may have been sent separately.
pub fn list(written: Vec<Written>) -> Sent {
    let tells_system = written.iter().any(Written::is_systems);
    Sent { messages: messages(written, "").collect(), tells_system, ..Sent::empty(Kind::Messages) }
}

fn messages(written: Vec<Written>, name: &str) -> impl Iterator<Item = Message> {
    written.into_iter().enumerate().map(move |(index, message)| {
        let content = message.content.or(message.text).unwrap_or_default();
        content.message(message.role, format!("{name}[{index}]"))
    })
}

impl From<WrittenTool> for Tool {
    fn from(tool: WrittenTool) -> Self {
        let WrittenTool { tool_type, name, description, input_schema, function } = tool;
        let (name, description, schema) = match function {
            Some(function) => (function.name, function.description, function.parameters),
            None => (name, description, input_schema),
        };
        Self {
            // The providers' built-in tools may have only a type.
            name: name.or(tool_type).unwrap_or_default(),
            description: description.unwrap_or_default(),
            schema: schema.map_or(Value::Null, |Read(schema)| schema),
        }
    }
}
