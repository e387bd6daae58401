//! A transcript: one JSON object per line, each an event.
//!
//! The agent system writes `event_type` and `payload`; `--format events` writes `event` and the fields next to it.
//! Three events show the first request of a thread: the system message, what hooks put around the directive, and the
//! last message to the model, which is the only one in a new thread.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::bodies::ReadContent;
use super::{NotRead, Sent, SentKind, text_or_nothing};
use crate::prompt::Role;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct EventName {
    #[serde(deserialize_with = "text_or_nothing")]
    event_type: Option<String>,
    #[serde(deserialize_with = "text_or_nothing")]
    event: Option<String>,
    #[serde(rename = "type", deserialize_with = "text_or_nothing")]
    plain: Option<String>,
    payload: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct EventPayload<T> {
    payload: T,
}

/// `system_prompt`
#[derive(Deserialize)]
struct SystemPrompt {
    text: ReadContent,
}

/// `cognition_in`
#[derive(Deserialize)]
struct CognitionIn {
    role: Option<Role>,
    text: ReadContent,
}

/// `context_injected`: both positions at once, or one of them with its blocks.
#[derive(Deserialize)]
struct ContextInjected {
    #[serde(default)]
    before: Vec<String>,
    #[serde(default)]
    after: Vec<String>,
    position: Option<String>,
    #[serde(default)]
    blocks: Vec<InjectedBlock>,
}

#[derive(Deserialize)]
struct InjectedBlock {
    #[serde(default)]
    id: String,
}

/// Skips a truncated last line, such as one left by a killed thread.
pub fn read(text: &str) -> Result<Sent, NotRead> {
    let mut reader =
        TranscriptReader { sent: Sent::empty(SentKind::Transcript), has_begun: false, is_over: false, starts: 0 };
    reader.sent.records_system = false;
    reader.sent.is_whole = false;
    let mut lines = text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    while let Some((index, line)) = lines.next() {
        let number = index + 1;
        match reader.line(line, number) {
            Err(error) if error.is_eof() && lines.peek().is_none() && reader.has_begun => {
                reader.sent.notes.push(format!("line {number}, the last, is truncated and was skipped"));
            }
            Err(error) => return Err(NotRead::line(number, &error)),
            Ok(()) => {}
        }
    }
    reader.finish()
}

struct TranscriptReader {
    sent: Sent,
    has_begun: bool,
    /// Whether the first request is complete.
    is_over: bool,
    starts: usize,
}

impl TranscriptReader {
    fn line(&mut self, line: &str, number: usize) -> Result<(), serde_json::Error> {
        let event: EventName = serde_json::from_str(line)?;
        let place = format!("line {number}");
        match event.event_type.as_deref().or(event.event.as_deref()).or(event.plain.as_deref()) {
            Some("system_prompt") => {
                self.starts += 1;
                self.is_over |= self.has_message();
                if !self.is_over {
                    let SystemPrompt { text } = fields(line, &event)?;
                    self.sent.messages.push(text.message(Role::System, place));
                }
            }
            Some("context_injected") if !self.is_over => {
                let ContextInjected { before, after, position, blocks } = fields(line, &event)?;
                let injected = self.sent.injected.get_or_insert_default();
                injected.before.extend(before);
                injected.after.extend(after);
                let ids = blocks.into_iter().map(|block| block.id);
                match position.as_deref() {
                    Some("after") => injected.after.extend(ids),
                    _ => injected.before.extend(ids),
                }
            }
            Some("cognition_in") if !self.is_over => {
                let CognitionIn { role, text } = fields(line, &event)?;
                self.sent.messages.push(text.message(role.unwrap_or(Role::User), place));
                self.is_over = true;
            }
            Some("cognition_in" | "cognition_out") => {
                self.is_over = true;
                self.sent.later += 1;
            }
            _ => {}
        }
        self.has_begun = true;
        Ok(())
    }

    /// Whether a message was read, or the names recorded in its place.
    fn has_message(&self) -> bool {
        !self.sent.messages.is_empty() || self.sent.injected.is_some()
    }

    fn finish(self) -> Result<Sent, NotRead> {
        let Self { mut sent, starts, is_over, .. } = self;
        if sent.messages.is_empty() && sent.injected.is_none() {
            let what = "this transcript contains no request: no system_prompt, context_injected or cognition_in event";
            return Err(NotRead {
                what: what.to_string(),
                help: "give the transcript of a thread that started",
                place: None,
            });
        }
        // The system message comes first in a request, so a later event without it shows that there was none.
        sent.records_system = is_over || sent.injected.is_some();
        if sent.messages.iter().any(|message| message.role != Role::System) {
            sent.injected = None;
        }
        if starts > 1 {
            sent.notes.push(format!("it holds {starts} requests; only the first is compared"));
        }
        Ok(sent)
    }
}

/// The fields are in the payload or next to the event's name.
fn fields<'a, T: Deserialize<'a>>(line: &'a str, event: &EventName) -> Result<T, serde_json::Error> {
    match event.payload {
        Some(_) => serde_json::from_str::<EventPayload<T>>(line).map(|nested| nested.payload),
        None => serde_json::from_str(line),
    }
}
