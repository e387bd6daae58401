//! What was really sent: a saved transcript or request body, read into one value.
//!
//! A file is told apart by what it holds, never by its name. What it cannot know is unknown here, too: a transcript
//! has no tools, and that is no statement about them.

use strum::IntoStaticStr;
mod chat;
mod content;
mod gemini;
mod read;
mod transcript;

use crate::prompt::Role;
use crate::value::Value;

pub use read::{KINDS, NotRead, read};

#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Kind {
    Transcript,
    Anthropic,
    Openai,
    Gemini,
    /// What `--format json` wrote.
    Prompt,
    /// A list of `{role, content}`.
    Messages,
}

impl Kind {
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Transcript => "a transcript",
            Self::Anthropic => "a request body of Anthropic's Messages API",
            Self::Openai => "a request body of OpenAI's Chat Completions API",
            Self::Gemini => "a request body of Google's Gemini API",
            Self::Prompt => "a prompt saved as JSON",
            Self::Messages => "a list of messages",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    pub kind: Kind,
    /// The messages in order, a system message first if there is one.
    pub messages: Vec<Message>,
    /// Whether there was no system message, if `messages` holds none; it may be that the file does not tell.
    pub tells_system: bool,
    /// Whether the messages are all there were. A transcript holds the last one of a request and none before it.
    pub is_whole: bool,
    /// The hooks and items around the directive, by name, where the file has these instead of the user message.
    pub injected: Option<Injected>,
    /// The tools in order; none if the file does not tell.
    pub tools: Option<Vec<Tool>>,
    pub model: Option<String>,
    /// The names of a request that are read no further: `temperature`, `tool_choice`.
    pub settings: Vec<String>,
    /// Messages that came after the model's first answer and were not read.
    pub later: usize,
    pub notes: Vec<String>,
}

impl Sent {
    fn empty(kind: Kind) -> Self {
        Self {
            kind,
            messages: Vec::new(),
            tells_system: true,
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
pub struct Message {
    pub role: Role,
    /// Its text; parts that the file keeps apart are joined.
    pub text: String,
    /// How many of its parts are no text: images, files, calls of tools and their results.
    pub other_parts: usize,
    /// Where it stands in the file: `line 3`, `messages[0]`.
    pub place: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Injected {
    pub before: Vec<String>,
    pub after: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    pub name: String,
    /// Its description, empty if none.
    pub description: String,
    /// Its JSON Schema; null if none.
    pub schema: Value,
}

#[cfg(test)]
mod tests;
