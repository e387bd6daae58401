//! The JSON of answers about lines, files and items.

use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use crate::answer::explain::blame::{LineSelection, OriginPiece};
use crate::answer::explain::from;
use crate::answer::explain::sent::{ComparedPart, Departure, Departures};
use crate::answer::explain::why::{UnrequestedItem, WhyPaths, WhyStep};
use crate::prompt::Prompt;
use crate::prompt::json::origin::SourceJson;
use crate::prompt::json::shape::DecisionJson;

/// Lines, serialized one at a time as they are written: there may be millions.
pub struct BlameJson<'a> {
    pub prompt: &'a Prompt,
    pub lines: &'a LineSelection,
}

impl Serialize for BlameJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut lines = serializer.serialize_seq(None)?;
        for picked in &self.lines.picked {
            for line in picked.of(self.prompt) {
                lines.serialize_element(&BlameLineJson {
                    message: picked.message,
                    role: self.prompt.messages[picked.message].role.into_str(),
                    line: line.number,
                    at: line.at,
                    text: line.text,
                    segments: &line.pieces,
                })?;
            }
        }
        lines.end()
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BlameLineJson<'a> {
    /// Index into `messages`.
    pub message: usize,
    pub role: &'static str,
    /// 1-based.
    pub line: usize,
    /// Byte offset in the message.
    pub at: usize,
    /// Without its newline.
    pub text: &'a str,
    /// Runs of the line and its newline, each with one origin.
    #[cfg_attr(test, schemars(with = "Vec<crate::prompt::MessageSegment<'static>>"))]
    pub segments: &'a [OriginPiece<'a>],
}

/// Where a file or its lines appear.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FromJson<'a> {
    /// The lines, or the file if none were named.
    source: SourceJson<'a>,
    /// In the order of the messages.
    landings: &'a [from::Occurrence],
    tools: &'a [from::ToolOccurrence],
    /// What else the lines do, or why none of them is in the prompt.
    reasons: &'a [from::LineReason],
}

impl<'a> FromJson<'a> {
    pub fn new(found: &'a from::Occurrences) -> Self {
        let place = &found.place;
        let source = place.text.as_ref().map_or_else(|| SourceJson::from(&*place.source), Into::into);
        Self { source, landings: &found.occurrences, tools: &found.tools, reasons: &found.reasons }
    }
}

/// How something got into the prompt, or why it did not.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WhyJson<'a> {
    /// As typed.
    item: &'a str,
    /// The decisions about the item in order, each with the path that leads to it.
    decisions: Vec<DecisionPath<'a>>,
    /// The hooks without a decision, since their events do not occur in this prompt.
    hooks: Vec<IdleHook<'a>>,
    /// The path to a directive of the extends chain.
    chain: &'a [WhyStep],
    /// Existing items with that id that nothing requests.
    unasked: &'a [UnrequestedItem],
    /// What sets the setting with that name, and what that overrides.
    setting: &'a [WhyStep],
}

/// A decision and the path to it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DecisionPath<'a> {
    #[serde(flatten)]
    decision: DecisionJson<'a>,
    /// Index into `hooks`; null if no hook requests it.
    hook: Option<usize>,
    /// From the requested directive, or the hook, to the text in the message.
    path: &'a [WhyStep],
}

/// A hook whose event does not occur.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct IdleHook<'a> {
    /// Index into `hooks`.
    hook: usize,
    /// From its event to the actions that it would run.
    path: &'a [WhyStep],
}

impl<'a> WhyJson<'a> {
    pub fn new(prompt: &'a Prompt, reasons: &'a WhyPaths) -> Self {
        let decided = reasons.paths.iter().filter_map(|path| Some((path, &prompt.decisions[path.decision?])));
        let decided = decided.map(|(path, decision)| DecisionPath {
            decision: decision.into(),
            hook: path.hook.map(|judged| judged.index),
            path: &path.steps,
        });
        let idle = reasons.paths.iter().filter(|path| path.decision.is_none());
        let in_chain = idle.clone().find(|path| path.hook.is_none() && !path.is_setting);
        let setting = reasons.paths.iter().find(|path| path.is_setting);
        Self {
            item: &reasons.item,
            decisions: decided.collect(),
            hooks: idle.filter_map(|path| Some(IdleHook { hook: path.hook?.index, path: &path.steps })).collect(),
            chain: in_chain.map_or(&[], |path| &path.steps),
            unasked: &reasons.unrequested,
            setting: setting.map_or(&[], |path| &path.steps),
        }
    }
}

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

impl<'a> SentJson<'a> {
    pub fn new(departures: &'a Departures) -> Self {
        Self {
            kind: departures.kind.into_str(),
            same: departures.list.is_empty(),
            compared: departures.compared.iter().map(compared).collect(),
            unknown: departures.unknown.iter().map(compared).collect(),
            later: departures.later,
            own: (departures.own > 0).then_some(departures.own),
            departures: &departures.list,
            notes: &departures.notes,
        }
    }
}

fn compared(part: &ComparedPart) -> String {
    match part {
        ComparedPart::Message(index) => format!("messages[{index}]"),
        ComparedPart::Injected => "injected".to_string(),
        ComparedPart::Palette => "tools".to_string(),
        ComparedPart::Model => "model".to_string(),
    }
}
