use serde::Serialize;

use crate::answer::explain::sent::{ComparedPart, Departure, Departures};

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
    /// Other messages of an agent's request, which name no file: its own, and what the user typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<usize>,
    /// In the order of the prompt.
    pub departures: &'a [Departure],
    pub notes: &'a [String],
}

pub fn document(departures: &Departures) -> SentJson<'_> {
    SentJson {
        kind: departures.kind.into_str(),
        same: departures.list.is_empty(),
        compared: departures.compared.iter().map(subject).collect(),
        unknown: departures.unknown.iter().map(subject).collect(),
        later: departures.later,
        own: (departures.own > 0).then_some(departures.own),
        departures: &departures.list,
        notes: &departures.notes,
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
