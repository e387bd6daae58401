//! The origin of every line of the messages.

mod selection;

use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::Serialize;

use crate::prompt::{Message, MessagePart, MessageSegment, Prompt};
use crate::text::{Origin, Span};

pub(super) use selection::read_lines;
pub use selection::{LineQuery, LineSelection, SelectedLines, line_count};

#[derive(Debug)]
pub struct MessageLine<'a> {
    /// 1-based.
    pub number: usize,
    pub at: usize,
    pub text: &'a str,
    pub pieces: Vec<OriginPiece<'a>>,
}

/// The bytes of one segment on one line.
#[derive(Debug, Clone, Serialize)]
pub struct OriginPiece<'a> {
    pub at: usize,
    /// May end with a newline.
    pub text: &'a str,
    /// `None` for text between layers.
    pub layer: Option<usize>,
    /// For a file, exactly the range of these bytes.
    pub origin: Origin,
    /// The first and the last line in the file.
    #[serde(skip)]
    pub lines: Option<(usize, usize)>,
}

impl OriginPiece<'_> {
    /// The range in a file that holds or decides the text.
    pub fn span(&self) -> Option<&Span> {
        self.origin.span()
    }

    /// Whether both have the same origin: the same line of a file, or the same value.
    pub fn has_same_origin(&self, other: &Self) -> bool {
        match (&self.origin, &other.origin) {
            (Origin::File(a), Origin::File(b)) | (Origin::Derived(a), Origin::Derived(b)) => {
                Arc::ptr_eq(a.source(), b.source()) && self.lines == other.lines
            }
            (a, b) => a == b,
        }
    }
}

/// The lines of a message, in one pass over its segments.
pub fn lines(message: &Message) -> impl Iterator<Item = MessageLine<'_>> {
    let mut walk = LineWalk { text: message.text(), at: 0, segments: message.segments(), rest: None };
    (1..).map_while(move |number| walk.line(number))
}

/// `user message`; `user message, 2 of 3` if the role has several.
pub fn message_name(prompt: &Prompt, message: usize) -> String {
    let role = prompt.messages.get(message).map(|it| it.role);
    let name = format!("{} message", role.map_or("", |it| it.into_str()));
    match prompt.messages.iter().filter(|it| Some(it.role) == role).count() {
        0 | 1 => name,
        _ => format!("{name}, {} of {}", message + 1, prompt.messages.len()),
    }
}

#[derive(Debug, Clone)]
pub struct LayerPosition<'a> {
    pub part: MessagePart<'a>,
    pub message: usize,
    pub lines: RangeInclusive<usize>,
}

/// The position of every layer, by index; `None` for a layer without text.
pub fn layer_positions(prompt: &Prompt) -> Vec<Option<LayerPosition<'_>>> {
    let mut all = vec![None; prompt.layers.len()];
    for (message, of_it) in prompt.messages.iter().enumerate() {
        let mut line = 1;
        for part in of_it.parts() {
            let breaks = part.text.matches('\n').count();
            let last = line + breaks - usize::from(part.text.ends_with('\n'));
            if let Some(place) = part.layer.and_then(|layer| all.get_mut(layer)) {
                *place = Some(LayerPosition { part, message, lines: line..=last });
            }
            line += breaks;
        }
    }
    all
}

struct LineWalk<'a, S> {
    text: &'a str,
    at: usize,
    segments: S,
    rest: Option<OpenSegment<'a>>,
}

struct OpenSegment<'a> {
    segment: MessageSegment<'a>,
    is_exact: bool,
    /// The lines of the file that hold the segment's next byte.
    lines: Option<(usize, usize)>,
}

impl<'a, S: Iterator<Item = MessageSegment<'a>>> LineWalk<'a, S> {
    fn line(&mut self, number: usize) -> Option<MessageLine<'a>> {
        let (text, at) = (self.text, self.at);
        let rest = &text[at..];
        if rest.is_empty() {
            return None;
        }
        let length = rest.find('\n').map_or(rest.len(), |found| found + 1);
        let mut pieces = Vec::new();
        while self.at < at + length {
            let mut open = match self.rest.take() {
                Some(open) => open,
                None => OpenSegment::new(self.segments.next()?),
            };
            let end = open.segment.at + open.segment.text.len();
            let stop = end.min(at + length);
            pieces.push(open.take(self.at, &text[self.at..stop]));
            self.rest = (stop < end).then_some(open);
            self.at = stop;
        }
        let line = &rest[..length];
        Some(MessageLine { number, at, text: line.strip_suffix('\n').unwrap_or(line), pieces })
    }
}

impl<'a> OpenSegment<'a> {
    fn new(segment: MessageSegment<'a>) -> Self {
        let is_exact = match segment.origin {
            Origin::File(_) => true,
            Origin::Variable { source: Some(span), .. } => span.text() == segment.text,
            _ => false,
        };
        // If the message holds the file's own bytes, lines are counted along the way.
        let lines = |span: &Span| (span.line(), if is_exact { span.line() } else { span.last_line() });
        Self { segment, is_exact, lines: segment.origin.span().map(lines) }
    }

    /// The text at `at`, which ends with the line or with the segment.
    fn take(&mut self, at: usize, text: &'a str) -> OriginPiece<'a> {
        let lines = self.lines;
        let mut origin = self.segment.origin.clone();
        if let Origin::File(span) | Origin::Variable { source: Some(span), .. } = &mut origin
            && self.is_exact
        {
            let start = at - self.segment.at;
            self.lines = lines.filter(|_| text.ends_with('\n')).map(|(line, _)| (line + 1, line + 1)).or(lines);
            *span = span.slice(start..start + text.len());
        }
        OriginPiece { at, text, layer: self.segment.layer, origin, lines }
    }
}

#[cfg(test)]
mod tests;
