//! What was actually sent: a saved transcript or request body, detected by its content, not its name. What the file
//! does not record is unknown: a transcript lists no tools, but some may have been sent.

mod chat;
mod content;
mod gemini;
mod read;
mod transcript;

use strum::IntoStaticStr;

use crate::prompt::Role;
use crate::read::value::Value;

pub use read::{KINDS, NotRead, read, text_or_nothing};

#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum SentKind {
    Transcript,
    Anthropic,
    Openai,
    Responses,
    Gemini,
    /// What `--format json` wrote.
    Prompt,
    /// A list of `{role, content}`.
    Messages,
}

impl SentKind {
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Transcript => "a transcript",
            Self::Anthropic => "a request body for Anthropic's Messages API",
            Self::Openai => "a request body for OpenAI's Chat Completions API",
            Self::Responses => "a request body for OpenAI's Responses API",
            Self::Gemini => "a request body for Google's Gemini API",
            Self::Prompt => "a prompt saved as JSON",
            Self::Messages => "a list of messages",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    pub kind: SentKind,
    /// The messages in order, a system message first if there is one.
    pub messages: Vec<ReadMessage>,
    /// Whether a missing system message means that there was none, rather than that it is not recorded.
    pub records_system: bool,
    /// Whether all messages are recorded. A transcript holds only the last message of a request.
    pub is_whole: bool,
    /// The names of hooks and items around the directive, if the file records these instead of the user message.
    pub injected: Option<InjectedNames>,
    /// `None` if the file does not record tools.
    pub tools: Option<Vec<SentTool>>,
    pub model: Option<String>,
    /// Other keys of a request, whose values are ignored: `temperature`, `tool_choice`.
    pub settings: Vec<String>,
    /// Messages after the model's first answer, which are ignored.
    pub later: usize,
    pub notes: Vec<String>,
}

impl Sent {
    /// Each part as a message of its own, as the prompt of a coding agent has them.
    pub fn by_part(self) -> Self {
        let split = |ReadMessage { role, text, parts, other_parts, place }: ReadMessage| {
            let is_one = parts.len() < 2;
            let texts = if is_one { vec![text] } else { parts };
            texts.into_iter().enumerate().map(move |(index, text)| ReadMessage {
                role,
                text,
                parts: Vec::new(),
                other_parts: if index == 0 { other_parts } else { 0 },
                place: if is_one { place.clone() } else { format!("{place}, part {}", index + 1) },
            })
        };
        Self { messages: self.messages.into_iter().flat_map(split).collect(), ..self }
    }

    fn empty(kind: SentKind) -> Self {
        Self {
            kind,
            messages: Vec::new(),
            records_system: true,
            is_whole: true,
            injected: None,
            tools: None,
            model: None,
            settings: Vec::new(),
            later: 0,
            notes: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ReadMessage {
    pub role: Role,
    /// The text parts, joined.
    pub text: String,
    pub parts: Vec<String>,
    /// The number of images, files, tool calls and their results.
    pub other_parts: usize,
    /// `line 3`, `messages[0]`
    pub place: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InjectedNames {
    pub before: Vec<String>,
    pub after: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SentTool {
    pub name: String,
    pub description: String,
    /// Null if there is none.
    pub schema: Value,
}

#[cfg(test)]
mod tests;
