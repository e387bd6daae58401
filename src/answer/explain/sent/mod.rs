//! Where the request that was sent departs from the prompt.

mod lines;
mod pairs;
mod tools;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde::Serialize;

use self::lines::changes;
use crate::prompt::sent::{Sent, SentTool};
use crate::prompt::{Prompt, Role, TranscriptEvent};
use crate::text::Span;

pub use self::lines::{DepartingLines, lines};
pub(crate) use self::pairs::{MessagePairs, pair};
pub use self::tools::{ToolChange, schema_text};

/// The time limit for all texts together; after that, whatever is left counts as one change.
const TIME_LIMIT: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub struct Departures {
    pub sent: Sent,
    /// In the order of the prompt.
    pub list: Vec<Departure>,
    pub compared: Vec<ComparedPart>,
    pub unknown: Vec<ComparedPart>,
    /// Messages from the model's first answer on, which are not part of the prompt.
    pub later: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedPart {
    Message(usize),
    Injected,
    Palette,
    Model,
}

#[derive(Debug, PartialEq)]
pub enum Departure {
    Lines {
        message: usize,
        sent: usize,
        change: DepartingLines,
    },
    OtherParts {
        message: usize,
        sent: usize,
    },
    NotSent {
        message: usize,
    },
    Extra {
        sent: usize,
    },
    Injected {
        /// `before` or `after`.
        position: &'static str,
        rendered: Vec<String>,
        sent: Vec<String>,
    },
    Tool(ToolChange),
    /// The same tools in a different order.
    ToolOrder,
    Model,
}

impl Departures {
    pub fn new(prompt: &Prompt, sent: Sent) -> Self {
        let mut it = Self { list: Vec::new(), compared: Vec::new(), unknown: Vec::new(), later: sent.later, sent };
        it.messages(prompt);
        it.injected(prompt);
        it.tools(prompt);
        it.model(prompt);
        it
    }

    pub fn is_same(&self) -> bool {
        self.list.is_empty()
    }

    pub fn tool(&self, index: usize) -> Option<&SentTool> {
        self.sent.tools.as_ref()?.get(index)
    }

    /// By message, the lines of each one that differs: first as rendered, then as sent.
    pub fn texts<'a>(&'a self, prompt: &'a Prompt) -> HashMap<usize, [Vec<&'a str>; 2]> {
        let mut texts = HashMap::new();
        for departure in &self.list {
            if let Departure::Lines { message, sent, .. } = departure {
                let both = || [prompt.messages[*message].text(), &self.sent.messages[*sent].text].map(lines);
                texts.entry(*message).or_insert_with(both);
            }
        }
        texts
    }

    fn messages(&mut self, prompt: &Prompt) {
        let deadline = Instant::now() + TIME_LIMIT;
        let rendered: Vec<_> = prompt.messages.iter().map(|message| (message.role, message.text())).collect();
        let sent: Vec<_> = self.sent.messages.iter().map(|message| (message.role, message.text.as_str())).collect();
        let pairs = pair(&rendered, &sent, self.sent.records_system, self.sent.is_whole);
        self.unknown.extend(pairs.unknown.into_iter().map(ComparedPart::Message));
        self.later += pairs.later;
        for (message, sent) in pairs.list {
            match (message, sent) {
                (Some(message), Some(sent)) => {
                    self.compared.push(ComparedPart::Message(message));
                    let (rendered, found) = (&prompt.messages[message], &self.sent.messages[sent]);
                    let changes = changes(rendered, &found.text, deadline);
                    self.list.extend(changes.into_iter().map(|change| Departure::Lines { message, sent, change }));
                    if found.other_parts > 0 {
                        self.list.push(Departure::OtherParts { message, sent });
                    }
                }
                (Some(message), None) => {
                    self.compared.push(ComparedPart::Message(message));
                    self.list.push(Departure::NotSent { message });
                }
                (None, Some(sent)) => self.list.push(Departure::Extra { sent }),
                (None, None) => {}
            }
        }
    }

    /// Compares the names of hooks and items, which a transcript may record instead of the user message.
    fn injected(&mut self, prompt: &Prompt) {
        let Some(sent) = &self.sent.injected else { return };
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

    fn tools(&mut self, prompt: &Prompt) {
        match &self.sent.tools {
            Some(sent) => {
                self.compared.push(ComparedPart::Palette);
                let (changes, is_in_order) = tools::changes(&prompt.tools, sent);
                self.list.extend(changes.into_iter().map(Departure::Tool));
                self.list.extend((!is_in_order).then_some(Departure::ToolOrder));
            }
            None if prompt.tools.is_empty() => {}
            None => self.unknown.push(ComparedPart::Palette),
        }
    }

    /// Compares the model, unless the prompt leaves the choice to the sender by naming only a tier, or nothing.
    fn model(&mut self, prompt: &Prompt) {
        let Some(sent) = &self.sent.model else { return };
        let effective = prompt.model.effective.as_str();
        let tier = prompt.model.declared.tier.as_ref().map_or("general", |tier| tier.as_str());
        if prompt.model.declared.id.is_some() || effective != tier {
            self.compared.push(ComparedPart::Model);
            if sent != effective {
                self.list.push(Departure::Model);
            }
        }
    }
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
