//! Where the request that was sent departs from the prompt.

mod lines;
mod pairs;
mod tools;

use std::time::{Duration, Instant};

use serde::Serialize;

use self::lines::changes;
use crate::prompt::sent::{ReadMessage, Sent, SentKind};
use crate::prompt::{Prompt, Role, TranscriptEvent};
use crate::text::Span;

pub use self::lines::{DepartingLines, lines};
pub(crate) use self::pairs::{MessagePairs, pair};
pub use self::tools::schema_text;

/// The time limit for all texts together; after that, whatever is left counts as one change.
const TIME_LIMIT: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub struct Departures {
    pub kind: SentKind,
    pub notes: Vec<String>,
    /// In the order of the prompt.
    pub list: Vec<Departure>,
    pub compared: Vec<ComparedPart>,
    pub unknown: Vec<ComparedPart>,
    /// Messages from the model's first answer on, which are not part of the prompt.
    pub later: usize,
    /// Other messages of an agent's request, which name no file: its own, and what the user typed.
    pub own: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedPart {
    Message(usize),
    Injected,
    Palette,
    Model,
}

#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Departure {
    /// Lines of a message differ.
    Lines {
        /// Index into the prompt's messages.
        message: usize,
        /// Its place in the file.
        place: String,
        #[serde(flatten)]
        change: DepartingLines,
    },
    /// A message has parts that are not text.
    OtherParts {
        /// Index into the prompt's messages.
        message: usize,
        /// Its place in the file.
        place: String,
        count: usize,
    },
    MessageNotSent {
        /// Index into the prompt's messages.
        message: usize,
    },
    MessageExtra {
        role: &'static str,
        /// Its place in the file.
        place: String,
        text: String,
    },
    /// The hooks or items around the directive differ.
    Injected { position: &'static str, rendered: Vec<String>, sent: Vec<String> },
    ToolNotSent {
        /// Index into the prompt's tools.
        tool: usize,
        name: String,
    },
    ToolExtra {
        name: String,
        #[serde(skip)]
        about: String,
    },
    /// A tool's description or schema differs.
    ToolChanged {
        /// Index into the prompt's tools.
        tool: usize,
        name: String,
        description: bool,
        schema: bool,
        /// The runs of lines that differ, as rendered and as sent.
        #[serde(skip)]
        lines: Vec<[Vec<String>; 2]>,
    },
    /// The tools are in a different order.
    ToolOrder,
    /// The model differs.
    Model { rendered: String, sent: String },
}

impl Departures {
    pub fn new(prompt: &Prompt, sent: Sent) -> Self {
        let mut it = Self {
            kind: sent.kind,
            notes: Vec::new(),
            list: Vec::new(),
            compared: Vec::new(),
            unknown: Vec::new(),
            later: sent.later,
            own: 0,
        };
        let deadline = Instant::now() + TIME_LIMIT;
        it.messages(prompt, &sent, deadline);
        it.injected(prompt, &sent);
        it.tools(prompt, &sent, deadline);
        it.model(prompt, &sent);
        Self { notes: sent.notes, ..it }
    }

    fn messages(&mut self, prompt: &Prompt, sent: &Sent, deadline: Instant) {
        let rendered: Vec<_> = prompt.messages.iter().map(|message| (message.role.as_sent(), message.text())).collect();
        let texts: Vec<_> = sent.messages.iter().map(|message| (message.role, message.text.as_str())).collect();
        let pairs = pair(&rendered, &texts, sent.records_system, sent.is_whole);
        self.unknown.extend(pairs.unknown.into_iter().map(ComparedPart::Message));
        self.later += pairs.later;
        for (message, index) in pairs.list {
            self.compared.extend(message.map(ComparedPart::Message));
            let found = index.map(|index| &sent.messages[index]);
            match (message, found) {
                (Some(message), Some(found)) => {
                    let place = || found.place.clone();
                    let changes = changes(&prompt.messages[message], &found.text, deadline);
                    let changes =
                        changes.into_iter().map(|change| Departure::Lines { message, place: place(), change });
                    self.list.extend(changes);
                    if found.other_parts > 0 {
                        self.list.push(Departure::OtherParts { message, place: place(), count: found.other_parts });
                    }
                }
                (Some(message), None) => self.list.push(Departure::MessageNotSent { message }),
                (None, Some(found)) if is_own(prompt, found) => self.own += 1,
                (None, Some(found)) => self.list.push(Departure::MessageExtra {
                    role: found.role.into_str(),
                    place: found.place.clone(),
                    text: found.text.clone(),
                }),
                (None, None) => {}
            }
        }
    }

    /// Compares the names of hooks and items, which a transcript may record instead of the user message.
    fn injected(&mut self, prompt: &Prompt, sent: &Sent) {
        let Some(sent) = &sent.injected else { return };
        let rendered = prompt.events.iter().find_map(|event| match event {
            TranscriptEvent::ContextInjected { before, after } => Some((before, after)),
            TranscriptEvent::SystemPrompt { .. } => None,
        });
        let Some((before, after)) = rendered else { return };
        self.compared.push(ComparedPart::Injected);
        for (position, rendered, sent) in [("before", before, &sent.before), ("after", after, &sent.after)] {
            if rendered != sent {
                self.list.push(Departure::Injected { position, rendered: rendered.clone(), sent: sent.clone() });
            }
        }
    }

    fn tools(&mut self, prompt: &Prompt, sent: &Sent, deadline: Instant) {
        match &sent.tools {
            // They are the agent's own.
            _ if prompt.agent.is_some() => {}
            Some(sent) => {
                self.compared.push(ComparedPart::Palette);
                self.list.extend(tools::changes(&prompt.tools, sent, deadline));
            }
            None if prompt.tools.is_empty() => {}
            None => self.unknown.push(ComparedPart::Palette),
        }
    }

    /// Compares the model, unless the prompt leaves the choice to the sender by naming only a tier, or nothing.
    fn model(&mut self, prompt: &Prompt, sent: &Sent) {
        let Some(sent) = &sent.model else { return };
        let effective = &prompt.model.effective;
        let tier = prompt.model.declared.tier.as_ref().map_or("general", |tier| tier.as_str());
        let is_chosen = if prompt.agent.is_some() { !effective.is_empty() } else { effective != tier };
        if prompt.model.declared.id.is_some() || is_chosen {
            self.compared.push(ComparedPart::Model);
            if sent != effective {
                self.list.push(Departure::Model { rendered: effective.clone(), sent: sent.clone() });
            }
        }
    }
}

/// Whether an agent may send a message that no file decides.
fn is_own(prompt: &Prompt, sent: &ReadMessage) -> bool {
    prompt.agent.is_some() && !prompt.files.iter().any(|file| sent.text.contains(&file.path))
}

/// A layer that contains lines of a departure.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "TouchedJson"))]
pub struct Touched {
    /// Null for text between layers.
    pub layer: Option<usize>,
    /// One range per file.
    #[serde(rename = "sources")]
    pub spans: Vec<Span>,
    /// The values in the lines.
    pub values: Vec<String>,
}

/// `system message`; `user message 2` if the role has several.
pub fn title(prompt: &Prompt, message: usize) -> String {
    let role = prompt.messages[message].role;
    let same = |at: &usize| prompt.messages[*at].role == role;
    let is_only = (0..prompt.messages.len()).filter(same).nth(1).is_none();
    message_title(role, (!is_only).then(|| (0..=message).filter(same).count()))
}

/// Includes the number if the role has several messages.
pub fn message_title(role: Role, number: Option<usize>) -> String {
    match number {
        Some(number) => format!("{} message {number}", role.into_str()),
        None => format!("{} message", role.into_str()),
    }
}

#[cfg(test)]
pub(crate) mod tests;
