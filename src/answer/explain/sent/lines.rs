//! Which lines of two texts differ, and the origin of the prompt's lines.

use std::ops::Range;
use std::time::Instant;

use serde::Serialize;

use super::Touched;
use crate::answer::diff::lines::differing;
use crate::prompt::{Message, MessageSegment};
use crate::text::visible::seen;
use crate::text::{Origin, Span};

#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DepartingLines {
    pub rendered: SentLines,
    pub sent: SentLines,
    /// The layers of these lines in the prompt; for added lines, those of the line before them.
    pub touched: Vec<Touched>,
    /// Whether they differ only in white space and invisible characters.
    pub unseen: bool,
}

#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SentLines {
    /// The first line, from 1; if there are no lines, the next one.
    pub first: usize,
    pub text: Vec<String>,
}

impl SentLines {
    fn new(all: &[&str], range: Range<usize>) -> Self {
        Self { first: range.start + 1, text: owned(&all[range]) }
    }

    /// The lines, from 0.
    pub fn range(&self) -> Range<usize> {
        self.first - 1..self.first - 1 + self.text.len()
    }
}

pub fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| line.to_string()).collect()
}

/// Splits at line breaks, so a text that ends with one has an empty last line.
pub fn lines(text: &str) -> Vec<&str> {
    text.split('\n').collect()
}

pub fn changes(message: &Message, sent: &str, deadline: Instant) -> Vec<DepartingLines> {
    if message.text() == sent {
        return Vec::new();
    }
    let (old, new) = (lines(message.text()), lines(sent));
    let origins = Origins::new(message, &old);
    let change = |(rendered, sent): (Range<usize>, Range<usize>)| DepartingLines {
        unseen: seen(&old[rendered.clone()]).eq(seen(&new[sent.clone()])),
        touched: origins.of(rendered.clone()),
        rendered: SentLines::new(&old, rendered),
        sent: SentLines::new(&new, sent),
    };
    differing(&old, &new, deadline).map(change).collect()
}

struct Origins<'a> {
    text: &'a str,
    segments: Vec<MessageSegment<'a>>,
    starts: Vec<usize>,
}

impl<'a> Origins<'a> {
    fn new(message: &'a Message, lines: &[&str]) -> Self {
        let text = message.text();
        let next = |at: &mut usize, line: &&str| Some(std::mem::replace(at, *at + line.len() + 1));
        let starts = lines.iter().scan(0, next).chain([text.len() + 1]).collect();
        Self { text, segments: message.segments().collect(), starts }
    }

    /// The bytes of these lines without the last line break, but at least one byte.
    fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let (start, end) = (self.starts[lines.start], self.starts[lines.end] - 1);
        if start < end {
            return start..end;
        }
        // An empty line is its own break or, at the end, the break before it.
        let start = if start < self.text.len() { start } else { start.saturating_sub(1) };
        start..(start + 1).min(self.text.len())
    }

    /// The layers of these lines; for an empty range, those of the line before it, or else of the first line.
    fn of(&self, lines: Range<usize>) -> Vec<Touched> {
        let lines = if lines.is_empty() { lines.start.saturating_sub(1)..lines.start.max(1) } else { lines };
        let bytes = self.bytes(&lines);
        let first = self.segments.partition_point(|segment| segment.at + segment.text.len() <= bytes.start);
        let within = self.segments[first..].iter().take_while(|segment| segment.at < bytes.end);
        let mut all: Vec<Touched> = Vec::new();
        for segment in within {
            // Text between layers is named only if there is nothing else.
            let touched = match all.last_mut() {
                Some(last) if last.layer == segment.layer => last,
                _ => all.push_mut(Touched { layer: segment.layer, spans: Vec::new(), values: Vec::new() }),
            };
            touched.add(segment, &bytes);
        }
        if all.iter().any(|touched| touched.layer.is_some()) {
            all.retain(|touched| touched.layer.is_some());
        }
        all
    }
}

impl Touched {
    fn add(&mut self, segment: &MessageSegment, bytes: &Range<usize>) {
        match segment.origin {
            Origin::File(span) => {
                let end = segment.at + segment.text.len();
                let part = bytes.start.max(segment.at) - segment.at..bytes.end.min(end) - segment.at;
                self.add_span(span.slice(part));
            }
            Origin::Derived(span) => self.add_span(span.clone()),
            origin => self.values.extend(origin.value_name().filter(|value| !self.values.contains(value))),
        }
    }

    /// One range per file.
    fn add_span(&mut self, span: Span) {
        let source = span.source();
        match self.spans.iter_mut().find(|known| std::sync::Arc::ptr_eq(known.source(), source)) {
            Some(known) => {
                let (a, b) = (known.range(), span.range());
                *known = source.span(a.start.min(b.start)..a.end.max(b.end));
            }
            None => self.spans.push(span),
        }
    }
}
