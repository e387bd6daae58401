//! Which lines of two texts differ, and where those of the prompt came from.

use std::ops::Range;
use std::time::Instant;

use super::Touched;
use crate::diff::lines::differing;
use crate::prompt::{Message, Segment};
use crate::text::visible::seen;
use crate::text::{Origin, Span, argument};

#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The lines of the prompt's message, from 0; empty where lines were added.
    pub rendered: Range<usize>,
    /// The lines of what was sent, from 0; empty where lines are gone.
    pub sent: Range<usize>,
    /// What the prompt's lines belong to, in order; of added lines, what the line in front of them
    /// belongs to.
    pub touched: Vec<Touched>,
    /// Whether the lines differ in nothing but blanks and characters that are not seen.
    pub is_unseen: bool,
}

/// The lines of a text. A line break stands between two: a text that ends with one has an empty last line, and so has
/// the empty text.
pub fn lines(text: &str) -> Vec<&str> {
    text.split('\n').collect()
}

/// The lines in which a text that was sent differs from a message.
pub fn changes(message: &Message, sent: &str, deadline: Instant) -> Vec<Change> {
    if message.text() == sent {
        return Vec::new();
    }
    let (old, new) = (lines(message.text()), lines(sent));
    let origins = Origins::new(message, &old);
    let change = |(rendered, sent): (Range<usize>, Range<usize>)| {
        let is_unseen = seen(&old[rendered.clone()]).eq(seen(&new[sent.clone()]));
        Change { touched: origins.of(rendered.clone()), rendered, sent, is_unseen }
    };
    differing(&old, &new, deadline).map(change).collect()
}

struct Origins<'a> {
    text: &'a str,
    segments: Vec<Segment<'a>>,
    starts: Vec<usize>,
}

impl<'a> Origins<'a> {
    fn new(message: &'a Message, lines: &[&str]) -> Self {
        let text = message.text();
        let next = |at: &mut usize, line: &&str| Some(std::mem::replace(at, *at + line.len() + 1));
        let starts = lines.iter().scan(0, next).chain([text.len() + 1]).collect();
        Self { text, segments: message.segments().collect(), starts }
    }

    /// The bytes of these lines, at least one, without the last line break.
    fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let (start, end) = (self.starts[lines.start], self.starts[lines.end] - 1);
        if start < end {
            return start..end;
        }
        // An empty line has its own break, or, as the last one, the break in front of it.
        let start = if start < self.text.len() { start } else { start.saturating_sub(1) };
        start..(start + 1).min(self.text.len())
    }

    /// What lines belong to; of no line the one in front of it, or else the first.
    fn of(&self, lines: Range<usize>) -> Vec<Touched> {
        let lines = if lines.is_empty() { lines.start.saturating_sub(1)..lines.start.max(1) } else { lines };
        let bytes = self.bytes(&lines);
        let first = self.segments.partition_point(|segment| segment.at + segment.text.len() <= bytes.start);
        let within = self.segments[first..].iter().take_while(|segment| segment.at < bytes.end);
        let mut all: Vec<Touched> = Vec::new();
        for segment in within {
            // What stands between two layers is named only where nothing else is.
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
    fn add(&mut self, segment: &Segment, bytes: &Range<usize>) {
        match segment.origin {
            Origin::File(span) => {
                let end = segment.at + segment.text.len();
                let part = bytes.start.max(segment.at) - segment.at..bytes.end.min(end) - segment.at;
                self.add_span(span.slice(part));
            }
            Origin::Derived(span) => self.add_span(span.clone()),
            Origin::Input { name, from, .. } => self.add_value(format!("input {name} ({})", from.into_str())),
            Origin::Env(name) => self.add_value(format!("env {name}")),
            Origin::Variable(name) => self.add_value(format!("${{{name}}}")),
            Origin::Argument(name) => self.add_value(argument(name)),
            Origin::Protocol => {}
        }
    }

    /// One range a file, from the first of its bytes to the last.
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

    fn add_value(&mut self, value: String) {
        if !self.values.contains(&value) {
            self.values.push(value);
        }
    }
}
