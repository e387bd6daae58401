use std::collections::HashMap;
use std::ops::Range;

use serde::Serialize;

use crate::answer::explain::sent::{ComparedPart, Departure, Departures, ToolChange, Touched};
use crate::prompt::Prompt;

/// What was actually sent, compared with the prompt.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SentJson<'a> {
    /// The kind of the file.
    #[cfg_attr(test, schemars(extend("enum" = ["transcript", "anthropic", "openai", "gemini", "prompt", "messages"])))]
    pub kind: &'static str,
    /// Whether everything that the file records is as rendered.
    pub same: bool,
    /// `messages[0]`, `injected`, `tools`, `model`.
    pub compared: Vec<String>,
    /// The parts of the prompt that the file does not record.
    pub unknown: Vec<String>,
    /// Messages from the model's first answer on, which are not part of the prompt.
    pub later: usize,
    /// In the order of the prompt.
    pub departures: Vec<DepartureJson<'a>>,
    pub notes: &'a [String],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum DepartureJson<'a> {
    /// Lines of a message differ.
    Lines {
        /// Index into the prompt's messages.
        message: usize,
        /// Its place in the file.
        place: &'a str,
        rendered: SentLinesJson<'a>,
        sent: SentLinesJson<'a>,
        /// The layers of these lines in the prompt; for added lines, those of the line before them.
        touched: &'a [Touched],
        /// Whether they differ only in white space and invisible characters.
        unseen: bool,
    },
    /// A message has parts that are not text.
    OtherParts {
        /// Index into the prompt's messages.
        message: usize,
        /// Its place in the file.
        place: &'a str,
        count: usize,
    },
    MessageNotSent {
        /// Index into the prompt's messages.
        message: usize,
    },
    MessageExtra {
        role: &'static str,
        /// Its place in the file.
        place: &'a str,
        text: &'a str,
    },
    /// The hooks or items around the directive differ.
    Injected {
        position: &'static str,
        rendered: &'a [String],
        sent: &'a [String],
    },
    ToolNotSent {
        /// Index into the prompt's tools.
        tool: usize,
        name: &'a str,
    },
    ToolExtra {
        name: &'a str,
    },
    /// A tool's description or schema differs.
    ToolChanged {
        /// Index into the prompt's tools.
        tool: usize,
        name: &'a str,
        description: bool,
        schema: bool,
    },
    /// The tools are in a different order.
    ToolOrder,
    /// The model differs.
    Model {
        rendered: &'a str,
        sent: &'a str,
    },
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SentLinesJson<'a> {
    /// The first line, from 1; if there are no lines, the next one.
    pub first: usize,
    pub text: Vec<&'a str>,
}

pub fn document<'a>(prompt: &'a Prompt, departures: &'a Departures) -> SentJson<'a> {
    let view = DepartureShaper { prompt, departures, texts: departures.texts(prompt) };
    SentJson {
        kind: departures.sent.kind.into_str(),
        same: departures.is_same(),
        compared: departures.compared.iter().map(subject).collect(),
        unknown: departures.unknown.iter().map(subject).collect(),
        later: departures.later,
        departures: departures.list.iter().map(|departure| view.item(departure)).collect(),
        notes: &departures.sent.notes,
    }
}

fn subject(subject: &ComparedPart) -> String {
    match subject {
        ComparedPart::Message(index) => format!("messages[{index}]"),
        ComparedPart::Injected => "injected".to_string(),
        ComparedPart::Palette => "tools".to_string(),
        ComparedPart::Model => "model".to_string(),
    }
}

struct DepartureShaper<'a> {
    prompt: &'a Prompt,
    departures: &'a Departures,
    texts: HashMap<usize, [Vec<&'a str>; 2]>,
}

impl<'a> DepartureShaper<'a> {
    fn item(&self, departure: &'a Departure) -> DepartureJson<'a> {
        let found = |index: usize| &self.departures.sent.messages[index];
        match departure {
            Departure::Lines { message, sent, change } => {
                let [rendered, lines] = &self.texts[message];
                DepartureJson::Lines {
                    message: *message,
                    place: &found(*sent).place,
                    rendered: self::lines(rendered, &change.rendered),
                    sent: self::lines(lines, &change.sent),
                    touched: &change.touched,
                    unseen: change.is_unseen,
                }
            }
            Departure::OtherParts { message, sent } => {
                let sent = found(*sent);
                DepartureJson::OtherParts { message: *message, place: &sent.place, count: sent.other_parts }
            }
            Departure::NotSent { message } => DepartureJson::MessageNotSent { message: *message },
            Departure::Extra { sent } => {
                let sent = found(*sent);
                DepartureJson::MessageExtra { role: sent.role.into_str(), place: &sent.place, text: &sent.text }
            }
            Departure::Injected { position, rendered, sent } => DepartureJson::Injected { position, rendered, sent },
            Departure::Tool(change) => self.tool(change),
            Departure::ToolOrder => DepartureJson::ToolOrder,
            Departure::Model => {
                let sent = self.departures.sent.model.as_deref().unwrap_or_default();
                DepartureJson::Model { rendered: &self.prompt.model.effective, sent }
            }
        }
    }

    fn tool(&self, change: &ToolChange) -> DepartureJson<'a> {
        let name = |tool: usize| self.prompt.tools[tool].name.as_str();
        match *change {
            ToolChange::NotSent { tool } => DepartureJson::ToolNotSent { tool, name: name(tool) },
            ToolChange::Extra { sent } => {
                DepartureJson::ToolExtra { name: self.departures.tool(sent).map_or("", |it| &it.name) }
            }
            ToolChange::Changed { tool, description, schema, .. } => {
                DepartureJson::ToolChanged { tool, name: name(tool), description, schema }
            }
        }
    }
}

fn lines<'a>(lines: &[&'a str], range: &Range<usize>) -> SentLinesJson<'a> {
    SentLinesJson { first: range.start + 1, text: lines[range.clone()].to_vec() }
}
