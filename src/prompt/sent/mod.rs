//! What was actually sent: a saved transcript or request body, detected by its content, not its name. What the file
//! does not record is unknown: a transcript lists no tools, but some may have been sent.

mod bodies;
mod transcript;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};
use strum::IntoStaticStr;

use crate::diagnostic::without_place;
use crate::prompt::Role;
use crate::read::value::Value;
use bodies::{ReadChatBody, ReadChatMessage, ReadGeminiBody};

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

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct NotRead {
    pub what: String,
    pub help: &'static str,
    /// 1-based line and byte column.
    pub place: Option<(usize, usize)>,
}

pub const KINDS: &str = "give a transcript (JSON lines), a request body for Anthropic, OpenAI (Chat Completions, Responses) or Gemini, \
                     what --format json wrote, or a JSON list of {role, content}";

impl NotRead {
    fn json(error: &serde_json::Error) -> Self {
        Self::json_as("a saved transcript or request body", KINDS, error)
    }

    pub fn json_as(what: &str, help: &'static str, error: &serde_json::Error) -> Self {
        let sentence = error.to_string();
        let reason = without_place(&sentence);
        let (what, help) = match error.classify() {
            serde_json::error::Category::Data => (format!("this cannot be read as {what}: {reason}"), help),
            _ => {
                let fault = if reason.contains("recursion") { "it is nested too deeply" } else { "it is not JSON" };
                (format!("not {what}: {fault}"), "correct the file here, or save it again")
            }
        };
        Self { what, help, place: Some((error.line(), error.column())) }
    }

    /// The error for a line that was parsed by itself.
    fn line(number: usize, error: &serde_json::Error) -> Self {
        Self { place: Some((number, error.column())), ..Self::json(error) }
    }

    fn of_no_kind(what: &str) -> Self {
        Self { what: format!("this is {what}, not a transcript or a request"), help: KINDS, place: None }
    }
}

/// # Errors
///
/// The text is not JSON, or JSON of an unknown kind.
pub fn read(text: &str) -> Result<Sent, NotRead> {
    let wrong = |error| NotRead::json(&error);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.trim_start().chars().next() {
        Some('{') => {}
        Some('[') => return serde_json::from_str::<Vec<ReadChatMessage>>(text).map(bodies::list).map_err(wrong),
        Some(_) => {
            serde_json::from_str::<IgnoredAny>(text).map_err(wrong)?;
            return Err(NotRead::of_no_kind("a single value"));
        }
        None => return Err(NotRead::of_no_kind("empty")),
    }
    // In a transcript, this parses only the first line.
    let first = serde_json::Deserializer::from_str(text).into_iter::<BTreeMap<String, IgnoredAny>>().next();
    let mut names = first.transpose().map_err(wrong)?.unwrap_or_default();
    const EVENT: [&str; 2] = ["event_type", "event"];
    const CONTENTS: [&str; 3] = ["contents", "systemInstruction", "system_instruction"];
    let has = |name: &&str| names.contains_key(*name);
    let (is_event, contents) = (EVENT.iter().any(has), CONTENTS.iter().any(has));
    const MESSAGES: [&str; 2] = ["messages", "input"];
    let (has_type, messages) = (has(&"type"), MESSAGES.iter().any(has));
    let read = [&EVENT[..], &CONTENTS, &MESSAGES, &["type", "system", "instructions", "tools", "model"]].concat();
    names.retain(|name, _| !read.contains(&name.as_str()));
    let request = |sent: Sent| match sent.kind {
        // The other keys of a prompt are not settings.
        SentKind::Prompt => sent,
        _ => Sent { settings: names.into_keys().collect(), ..sent },
    };
    // `type` may also name an event.
    if is_event || (has_type && !messages && !contents) {
        transcript::read(text)
    } else if messages {
        serde_json::from_str(text).map(ReadChatBody::sent).map(request).map_err(wrong)
    } else if contents {
        serde_json::from_str(text).map(ReadGeminiBody::sent).map(request).map_err(wrong)
    } else {
        Err(NotRead::of_no_kind("an object without `messages`, `contents` or an event name"))
    }
}

/// Ignores a value that is not text.
pub fn text_or_nothing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        Other(IgnoredAny),
    }
    Ok(match Either::deserialize(deserializer)? {
        Either::Text(text) => Some(text),
        Either::Other(IgnoredAny) => None,
    })
}

#[cfg(test)]
mod tests;
