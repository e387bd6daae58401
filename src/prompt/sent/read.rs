//! Detects the kind of a file and reads it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};

use super::chat::{self, ReadChatMessage};
use super::{Sent, SentKind, gemini, transcript};
use crate::diagnostic::without_place;

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
    pub(super) fn line(number: usize, error: &serde_json::Error) -> Self {
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
        Some('[') => return serde_json::from_str::<Vec<ReadChatMessage>>(text).map(chat::list).map_err(wrong),
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
        serde_json::from_str(text).map(chat::ReadChatBody::sent).map(request).map_err(wrong)
    } else if contents {
        serde_json::from_str(text).map(gemini::ReadGeminiBody::sent).map(request).map_err(wrong)
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
