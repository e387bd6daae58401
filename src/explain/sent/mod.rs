//! Where what was really sent departs from the prompt.

mod lines;
mod pairs;
mod tools;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use self::lines::changes;
use crate::prompt::{Event, Prompt, Role};
use crate::sent::{Sent, Tool};
use crate::text::Span;

pub use self::lines::{Change, lines};
pub(crate) use self::pairs::{Pairs, pair};
pub use self::tools::{ToolChange, schema_text};

/// How long the comparison of texts may take in all. What is left then counts as one change.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub struct Departures {
    pub sent: Sent,
    /// Where it departs, in the order of the prompt.
    pub list: Vec<Departure>,
    pub compared: Vec<Subject>,
    pub unknown: Vec<Subject>,
    /// Messages from the model's first answer on, which are no part of the prompt.
    pub later: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A message of the prompt, by its index.
    Message(usize),
    Injected,
    Palette,
    Model,
}

#[derive(Debug, PartialEq)]
pub enum Departure {
    Lines {
        /// Index of the message.
        message: usize,
        /// Index of the one that was sent.
        sent: usize,
        change: Change,
    },
    OtherParts {
        /// Index of the message.
        message: usize,
        /// Index of the one that was sent.
        sent: usize,
    },
    NotSent {
        /// Its index.
        message: usize,
    },
    Extra {
        /// Its index in what was sent.
        sent: usize,
    },
    Injected {
        /// `before` or `after`.
        position: &'static str,
        rendered: Vec<String>,
        sent: Vec<String>,
    },
    Tool(ToolChange),
    /// The tools are the same, in another order.
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

    pub fn tool(&self, index: usize) -> Option<&Tool> {
        self.sent.tools.as_ref()?.get(index)
    }

    /// The lines of the messages that differ, by index of the message: those of the prompt, and those that were sent.
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
        let deadline = Instant::now() + PATIENCE;
        let rendered: Vec<_> = prompt.messages.iter().map(|message| (message.role, message.text())).collect();
        let sent: Vec<_> = self.sent.messages.iter().map(|message| (message.role, message.text.as_str())).collect();
        let pairs = pair(&rendered, &sent, self.sent.tells_system, self.sent.is_whole);
        self.unknown.extend(pairs.unknown.into_iter().map(Subject::Message));
        self.later += pairs.later;
        for (message, sent) in pairs.list {
            match (message, sent) {
                (Some(message), Some(sent)) => {
                    self.compared.push(Subject::Message(message));
                    let (rendered, found) = (&prompt.messages[message], &self.sent.messages[sent]);
                    let changes = changes(rendered, &found.text, deadline);
                    self.list.extend(changes.into_iter().map(|change| Departure::Lines { message, sent, change }));
                    if found.other_parts > 0 {
                        self.list.push(Departure::OtherParts { message, sent });
                    }
                }
                (Some(message), None) => {
                    self.compared.push(Subject::Message(message));
                    self.list.push(Departure::NotSent { message });
                }
                (None, Some(sent)) => self.list.push(Departure::Extra { sent }),
                (None, None) => {}
            }
        }
    }

    /// The names of what was injected, where they stand for the user message itself.
    fn injected(&mut self, prompt: &Prompt) {
        let Some(sent) = &self.sent.injected else { return };
        let rendered = prompt.events.iter().find_map(|event| match event {
            Event::ContextInjected { before, after } => Some((before, after)),
            Event::SystemPrompt { .. } => None,
        });
        // A protocol without events says nothing about them.
        let Some((before, after)) = rendered else { return };
        self.compared.push(Subject::Injected);
        for (position, rendered, sent) in [("before", before, &sent.before), ("after", after, &sent.after)] {
            if rendered != sent {
                self.list.push(Departure::Injected { position, rendered: rendered.clone(), sent: sent.clone() });
            }
        }
    }

    fn tools(&mut self, prompt: &Prompt) {
        match &self.sent.tools {
            Some(sent) => {
                self.compared.push(Subject::Palette);
                let (changes, is_in_order) = tools::changes(&prompt.tools, sent);
                self.list.extend(changes.into_iter().map(Departure::Tool));
                self.list.extend((!is_in_order).then_some(Departure::ToolOrder));
            }
            None if prompt.tools.is_empty() => {}
            None => self.unknown.push(Subject::Palette),
        }
    }

    /// The model, where the prompt names one: a tier, or nothing, leaves it to whoever sends.
    fn model(&mut self, prompt: &Prompt) {
        let Some(sent) = &self.sent.model else { return };
        let effective = prompt.model.effective.as_str();
        let tier = prompt.model.declared.tier.as_ref().map_or("general", |tier| tier.as_str());
        if prompt.model.declared.id.is_some() || effective != tier {
            self.compared.push(Subject::Model);
            if sent != effective {
                self.list.push(Departure::Model);
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Touched {
    /// Index of the layer.
    pub layer: Option<usize>,
    pub spans: Vec<Span>,
    /// The values that stand in it: `input target (flag)`.
    pub values: Vec<String>,
}

/// `system message`, `user message`; with its number where the role has several.
pub fn title(prompt: &Prompt, message: usize) -> String {
    let role = prompt.messages[message].role;
    let same = |at: &usize| prompt.messages[*at].role == role;
    let is_only = (0..prompt.messages.len()).filter(same).nth(1).is_none();
    message_title(role, (!is_only).then(|| (0..=message).filter(same).count()))
}

/// What views call a message: its role, and its number among those of the role if it is not the only one.
pub fn message_title(role: Role, number: Option<usize>) -> String {
    match number {
        Some(number) => format!("{} message {number}", role.into_str()),
        None => format!("{} message", role.into_str()),
    }
}

#[cfg(test)]
pub(crate) mod tests;
