//! The JSON of `--sent`.

use std::collections::HashMap;
use std::ops::Range;

use serde::Serialize;

use crate::explain::sent::{self, Departure, Departures, Subject, ToolChange};
use crate::prompt::Prompt;
use crate::render::json::shape::Source;

/// What was really sent, against the prompt.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sent<'a> {
    /// What the file is.
    #[cfg_attr(test, schemars(extend("enum" = ["transcript", "anthropic", "openai", "gemini", "prompt", "messages"])))]
    pub kind: &'static str,
    /// Whether it departs nowhere, as far as the file tells.
    pub same: bool,
    /// What was compared: `messages[0]`, `injected`, `tools`, `model`.
    pub compared: Vec<String>,
    /// What of the prompt the file does not tell, in the same words.
    pub unknown: Vec<String>,
    /// Messages from the model's first answer on, which are not part of the prompt.
    pub later: usize,
    /// In the order of the prompt.
    pub departures: Vec<Item<'a>>,
    /// What a reader of the file should know.
    pub notes: &'a [String],
}

/// A departure.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Item<'a> {
    /// Lines of a message are others.
    Lines {
        /// Index into the prompt's messages.
        message: usize,
        /// Where the message stands in the file.
        place: &'a str,
        /// The lines of the prompt.
        rendered: Lines<'a>,
        /// The lines that were sent instead.
        sent: Lines<'a>,
        /// What the prompt's lines belong to; of added lines, what stands in front of them.
        touched: Vec<Touched<'a>>,
        /// Whether they differ in nothing but blanks and characters that are not seen.
        unseen: bool,
    },
    /// A message has parts that are no text.
    OtherParts {
        /// Index into the prompt's messages.
        message: usize,
        /// Where the message stands in the file.
        place: &'a str,
        /// How many.
        count: usize,
    },
    /// A message was not sent.
    MessageNotSent {
        /// Index into the prompt's messages.
        message: usize,
    },
    /// A message was sent that is not in the prompt.
    MessageExtra {
        /// Who speaks.
        role: &'static str,
        /// Where it stands in the file.
        place: &'a str,
        /// Its text.
        text: &'a str,
    },
    /// Other hooks or items stand around the directive.
    Injected {
        /// `before` or `after`.
        position: &'static str,
        /// The names in the prompt.
        rendered: &'a [String],
        /// The names in the file.
        sent: &'a [String],
    },
    /// A tool was not sent.
    ToolNotSent {
        /// Index into the prompt's tools.
        tool: usize,
        /// Its name.
        name: &'a str,
    },
    /// A tool was sent that is not in the palette.
    ToolExtra {
        /// Its name.
        name: &'a str,
    },
    /// A tool's description or schema is another.
    ToolChanged {
        /// Index into the prompt's tools.
        tool: usize,
        /// Its name.
        name: &'a str,
        /// Whether the description differs.
        description: bool,
        /// Whether the schema differs.
        schema: bool,
    },
    /// The tools stand in another order.
    ToolOrder,
    /// Another model was asked.
    Model {
        /// The prompt's.
        rendered: &'a str,
        /// The one in the file.
        sent: &'a str,
    },
}

/// Lines of a message.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Lines<'a> {
    /// 1-based; of no line, the one that would come next.
    pub first: usize,
    /// The lines.
    pub text: Vec<&'a str>,
}

/// What lines belong to.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Touched<'a> {
    /// Index into the layers; null for what stands between layers.
    pub layer: Option<usize>,
    /// The ranges of files, one a file.
    pub sources: Vec<Source<'a>>,
    /// The values that stand in the lines.
    pub values: &'a [String],
}

/// The departures in that shape.
pub fn document<'a>(prompt: &'a Prompt, departures: &'a Departures) -> Sent<'a> {
    let view = View { prompt, departures, texts: departures.texts(prompt) };
    Sent {
        kind: departures.sent.kind.into_str(),
        same: departures.is_same(),
        compared: departures.compared.iter().map(subject).collect(),
        unknown: departures.unknown.iter().map(subject).collect(),
        later: departures.later,
        departures: departures.list.iter().map(|departure| view.item(departure)).collect(),
        notes: &departures.sent.notes,
    }
}

fn subject(subject: &Subject) -> String {
    match subject {
        Subject::Message(index) => format!("messages[{index}]"),
        Subject::Injected => "injected".to_string(),
        Subject::Palette => "tools".to_string(),
        Subject::Model => "model".to_string(),
    }
}

struct View<'a> {
    prompt: &'a Prompt,
    departures: &'a Departures,
    texts: HashMap<usize, [Vec<&'a str>; 2]>,
}

impl<'a> View<'a> {
    fn item(&self, departure: &'a Departure) -> Item<'a> {
        let found = |index: usize| &self.departures.sent.messages[index];
        match departure {
            Departure::Lines { message, sent, change } => {
                let [rendered, lines] = &self.texts[message];
                Item::Lines {
                    message: *message,
                    place: &found(*sent).place,
                    rendered: self::lines(rendered, &change.rendered),
                    sent: self::lines(lines, &change.sent),
                    touched: change.touched.iter().map(self::touched).collect(),
                    unseen: change.is_unseen,
                }
            }
            Departure::OtherParts { message, sent } => {
                let sent = found(*sent);
                Item::OtherParts { message: *message, place: &sent.place, count: sent.other_parts }
            }
            Departure::NotSent { message } => Item::MessageNotSent { message: *message },
            Departure::Extra { sent } => {
                let sent = found(*sent);
                Item::MessageExtra { role: sent.role.into_str(), place: &sent.place, text: &sent.text }
            }
            Departure::Injected { position, rendered, sent } => Item::Injected { position, rendered, sent },
            Departure::Tool(change) => self.tool(change),
            Departure::ToolOrder => Item::ToolOrder,
            Departure::Model => {
                let sent = self.departures.sent.model.as_deref().unwrap_or_default();
                Item::Model { rendered: &self.prompt.model.effective, sent }
            }
        }
    }

    fn tool(&self, change: &ToolChange) -> Item<'a> {
        let name = |tool: usize| self.prompt.tools[tool].name.as_str();
        match *change {
            ToolChange::NotSent { tool } => Item::ToolNotSent { tool, name: name(tool) },
            ToolChange::Extra { sent } => {
                Item::ToolExtra { name: self.departures.tool(sent).map_or("", |it| &it.name) }
            }
            ToolChange::Changed { tool, description, schema, .. } => {
                Item::ToolChanged { tool, name: name(tool), description, schema }
            }
        }
    }
}

fn lines<'a>(lines: &[&'a str], range: &Range<usize>) -> Lines<'a> {
    Lines { first: range.start + 1, text: lines[range.clone()].to_vec() }
}

fn touched(touched: &sent::Touched) -> Touched<'_> {
    Touched { layer: touched.layer, sources: touched.spans.iter().map(Into::into).collect(), values: &touched.values }
}
