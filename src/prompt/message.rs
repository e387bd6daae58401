//! Messages, their parts and the names of what is in them.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;

use super::{Decision, DecisionOutcome, Layer, LayerKind, Prompt, Slot, ToolEntry, TouchedFile};
use crate::decide::request::Role;
use crate::read::value::{Value, to_python_json};
use crate::text::tokens::Tokenizer;
use crate::text::{Origin, Span, Traced};

/// A message's text, divided into runs with an origin and a layer.
#[derive(Debug, Clone)]
pub struct Message {
    pub role: Role,
    text: String,
    runs: Vec<MessageRun>,
}

#[derive(Debug, Clone)]
struct MessageRun {
    /// A run begins where the previous one ends.
    end: usize,
    /// `None` for separators.
    layer: Option<usize>,
    origin: Origin,
}

// In JSON, the pieces of a line (`OriginPiece`) have the same fields. A doc comment would be in the schema.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Segment"))]
pub struct MessageSegment<'a> {
    /// Byte offset in the message.
    pub at: usize,
    pub text: &'a str,
    /// Index into `layers`; null for text between layers.
    pub layer: Option<usize>,
    pub origin: &'a Origin,
}

impl Message {
    pub fn new(role: Role) -> Self {
        Self { role, text: String::new(), runs: Vec::new() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text without the parts of an agent whose wording is unknown; `None` if nothing else is in it.
    pub fn known(&self) -> Option<Cow<'_, str>> {
        known(&self.text, self.segments())
    }

    /// Appends a layer's text, or a separator without a layer.
    ///
    /// Consecutive separators, as around a layer without text, become one run.
    pub fn push(&mut self, text: &Traced, layer: Option<usize>) {
        for segment in text.segments() {
            let end = self.text.len() + segment.at + segment.text.len();
            match self.runs.last_mut() {
                Some(MessageRun { end: last, layer: None, origin: Origin::Protocol })
                    if layer.is_none() && *segment.origin == Origin::Protocol =>
                {
                    *last = end;
                }
                _ => self.runs.push(MessageRun { end, layer, origin: segment.origin.clone() }),
            }
        }
        self.text.push_str(text.text());
    }
}

/// See [`Message::known`].
fn known<'a>(text: &'a str, segments: impl Iterator<Item = MessageSegment<'a>> + Clone) -> Option<Cow<'a, str>> {
    let is_unknown = |segment: &MessageSegment| segment.origin.is_unknown();
    if !segments.clone().any(|segment| is_unknown(&segment)) {
        return Some(text.into());
    }
    let known: String = segments.filter(|segment| !is_unknown(segment)).map(|segment| segment.text).collect();
    (!known.is_empty()).then(|| known.into())
}

impl Prompt {
    /// The text of each layer, contiguous in its message; empty for a layer in no message.
    pub fn layer_texts(&self) -> Vec<&str> {
        self.layer_parts().into_iter().map(|part| part.map_or("", |part| part.text)).collect()
    }

    /// By layer; `None` for a layer without text. A layer's text is contiguous in its message.
    pub fn layer_parts(&self) -> Vec<Option<MessagePart<'_>>> {
        layer_parts(&self.messages, &self.layers)
    }

    /// By message. A layer without text precedes the next one with text.
    pub fn layers_without_text(&self) -> Vec<Vec<usize>> {
        let mut without = vec![Vec::new(); self.messages.len()];
        for (index, layer) in self.layers.iter().enumerate().filter(|(_, layer)| layer.bytes == 0) {
            if let Some(of_message) = without.get_mut(layer.message) {
                of_message.push(index);
            }
        }
        without
    }

    /// Whether a decision is about a setting that a nearer tier overrides, not about a copy of an item.
    pub fn is_about_setting(&self, decision: &Decision) -> bool {
        let is_shadowed = decision.outcome == DecisionOutcome::Shadowed && decision.item.is_none();
        is_shadowed && self.settings.iter().any(|setting| setting.name == decision.name)
    }

    /// The role of each message, with a number in a resumed thread; for what joins later, the file that was read.
    pub fn message_names(&self) -> Vec<Cow<'_, str>> {
        let mut names: Vec<Cow<str>> = self.messages.iter().map(|message| message.role.into_str().into()).collect();
        for layer in self.layers.iter().filter(|layer| layer.slot == Slot::Earlier) {
            if let Some(name) = names.get_mut(layer.message) {
                *name = (&layer.name).into();
            }
        }
        for TouchedFile { file, messages } in &self.touched {
            names[messages.clone()].fill(format!("after reading {}", self.subject.short(file)).into());
        }
        names
    }

    /// For the system role, the first message if it has that role. Otherwise the role's last
    /// message: a resumed thread has already sent earlier ones.
    pub fn message(&self, role: Role) -> Option<&Message> {
        match role {
            Role::System => self.request().first().filter(|message| message.role == role),
            _ => self.request().iter().rfind(|message| message.role == role),
        }
    }

    /// The messages of a role that are sent now. A coding agent sends all its messages at once.
    pub fn messages_of(&self, role: Role) -> Vec<&Message> {
        match self.agent {
            Some(_) => self.messages.iter().filter(|message| message.role == role).collect(),
            None => self.message(role).into_iter().collect(),
        }
    }
}

/// [`Prompt::layer_parts`] for any messages.
pub fn layer_parts<'a>(messages: &'a [Message], layers: &[Layer]) -> Vec<Option<MessagePart<'a>>> {
    let mut parts = vec![None; layers.len()];
    for part in messages.iter().flat_map(Message::parts) {
        if let Some(place) = part.layer.and_then(|layer| parts.get_mut(layer)) {
            *place = Some(part);
        }
    }
    parts
}

impl Message {
    /// Each layer, and the text between layers.
    pub fn parts(&self) -> impl Iterator<Item = MessagePart<'_>> {
        let mut at = 0;
        self.runs.chunk_by(|a, b| a.layer == b.layer).map(move |runs| {
            // A chunk holds at least one run.
            let end = runs.last().map_or(at, |run| run.end);
            let start = std::mem::replace(&mut at, end);
            MessagePart { layer: runs.first().and_then(|run| run.layer), text: &self.text[start..end], at: start, runs }
        })
    }

    /// The runs of bytes of one origin and one layer.
    pub fn segments(&self) -> impl Iterator<Item = MessageSegment<'_>> + Clone {
        segments(&self.text, 0, &self.runs)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct MessagePart<'a> {
    /// `None` for text between layers.
    pub layer: Option<usize>,
    pub text: &'a str,
    at: usize,
    runs: &'a [MessageRun],
}

impl<'a> MessagePart<'a> {
    /// See [`Message::known`].
    pub fn known(&self) -> Option<Cow<'a, str>> {
        known(self.text, self.segments())
    }

    pub fn segments(&self) -> impl Iterator<Item = MessageSegment<'a>> + Clone + use<'a> {
        segments(self.text, self.at, self.runs)
    }
}

impl Decision {
    /// The declaration that decided.
    pub fn decided_at(&self) -> Option<&Span> {
        self.by.as_ref()?.span.as_ref()
    }

    /// `hook ctx_environment`, `deploy/rules in <before>`
    pub fn title(&self) -> String {
        let requested_by = self.declared_by.as_ref().map(|asked| asked.by.as_str());
        decision_title(&self.name, Some(self.slot), self.outcome == DecisionOutcome::Shadowed, requested_by)
    }
}

/// The title of a decision; `slot` is `None` if unknown.
pub fn decision_title(name: &str, slot: Option<Slot>, is_shadowed: bool, requested_by: Option<&str>) -> String {
    match slot {
        // A shadowed copy concerns the item, not what requests it.
        _ if is_shadowed => name.to_string(),
        Some(slot) => match slot.element() {
            // One item may be requested in several places.
            Some(element) => format!("{name} in {element}"),
            // A hook, or the flag that stands in for one.
            None if slot.is_hook() => match requested_by {
                Some(flag) if flag.starts_with("--") => flag.to_string(),
                _ => format!("hook {name}"),
            },
            None => name.to_string(),
        },
        None => name.to_string(),
    }
}

/// The sentence for a prompt without messages, or without one of a role.
pub fn no_message(role: Option<Role>) -> String {
    role.map_or("There are no messages.".to_string(), |role| format!("There is no {} message.", role.into_str()))
}

pub fn layer_title(kind: &str, name: &str) -> String {
    if kind == LayerKind::Context.into_str() { name.to_string() } else { format!("{kind} {name}") }
}

impl ToolEntry {
    /// Schema and description, which the palette's budget counts together.
    pub fn text(&self) -> String {
        tool_text(&self.input_schema, &self.description)
    }
}

/// Tokens of all tools, counted on the whole text.
pub fn tool_tokens(texts: impl Iterator<Item = String>, tokenizer: Tokenizer) -> usize {
    tokenizer.count(&texts.collect::<String>())
}

pub fn tool_text(schema: &Value, description: &str) -> String {
    to_python_json(schema) + description
}

impl Layer {
    /// `hook ctx_environment`, `deploy/rules`
    pub fn title(&self) -> String {
        layer_title(self.kind.into_str(), &self.name)
    }

    /// The text of the item, or else the lines used from the first file that contributes to the
    /// layer. `part` is `None` for a layer without text.
    pub fn taken_from(&self, part: Option<&MessagePart>) -> Option<Span> {
        let of_segment = |segment: MessageSegment| match segment.origin {
            Origin::File(span) | Origin::Derived(span) => Some(span.clone()),
            _ => None,
        };
        let mut taken = part.into_iter().flat_map(MessagePart::segments).filter_map(of_segment);
        match self.item.as_ref().and_then(|item| item.span.clone()) {
            Some(file) if self.kind == LayerKind::Directive => Some(lines_in_use(&file, taken).unwrap_or(file)),
            Some(item) => Some(item),
            // A built-in base may contain lines of a tool file, but does not come from it.
            None if self.kind == LayerKind::Base => taken.find(|span| *span.source().path() == *self.name),
            None => {
                let first = taken.next()?;
                lines_in_use(&first, taken.chain([first.clone()]))
            }
        }
    }
}

/// The span from the first to the last byte used.
fn lines_in_use(file: &Span, taken: impl Iterator<Item = Span>) -> Option<Span> {
    let source = file.source();
    let ranges = taken.filter(|span| Arc::ptr_eq(span.source(), source)).map(|span| span.range());
    let range = ranges.reduce(|all, range| all.start.min(range.start)..all.end.max(range.end))?;
    Some(source.span(range))
}

/// `at` is the start of the text in its message.
fn segments<'a>(
    text: &'a str,
    at: usize,
    runs: &'a [MessageRun],
) -> impl Iterator<Item = MessageSegment<'a>> + Clone + use<'a> {
    let mut done = at;
    runs.iter().map(move |run| {
        let start = std::mem::replace(&mut done, run.end);
        MessageSegment { at: start, text: &text[start - at..run.end - at], layer: run.layer, origin: &run.origin }
    })
}

#[cfg(test)]
mod tests {
    use crate::prompt::testing::deploy;

    #[test]
    fn parts_are_layers_and_the_text_between() {
        let prompt = deploy();
        let parts: Vec<_> = prompt.messages[0].parts().map(|part| (part.layer, part.text)).collect();
        assert_eq!(
            parts,
            [
                (Some(0), "You are one agent among several that share a folder of knowledge."),
                (None, "\n\n"),
                (Some(1), "Never deploy on a Friday.\nAsk before you touch a database."),
            ]
        );
        assert_eq!(prompt.layer_texts()[1], parts[2].1);
    }

    #[test]
    fn the_segments_of_the_parts_are_those_of_the_message() {
        for message in deploy().messages {
            let whole: Vec<_> = message.segments().map(|segment| (segment.at, segment.text)).collect();
            let parts = message.parts().flat_map(|part| part.segments());
            assert_eq!(parts.map(|segment| (segment.at, segment.text)).collect::<Vec<_>>(), whole);
        }
    }
}
