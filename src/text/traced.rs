use std::ops::Range;
use std::slice;
use std::sync::Arc;

use regex::Regex;

use super::{Origin, Span, python};

/// A string that records the origin of every byte. Runs are never empty; adjacent runs with the same origin are merged.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Traced(Parts);

#[derive(Debug, Clone, Default, PartialEq)]
enum Parts {
    #[default]
    Empty,
    /// An unchanged range of a file, as most texts: the file holds the text.
    File(OriginRun),
    Mixed(Box<Mixed>),
}

/// Any other text.
#[derive(Debug, Clone, Default, PartialEq)]
struct Mixed {
    text: String,
    runs: Vec<OriginRun>,
}

#[derive(Debug, Clone, PartialEq)]
struct OriginRun {
    /// A run begins where the previous one ends.
    end: usize,
    origin: Origin,
}

impl OriginRun {
    /// The text of [`Parts::File`], whose origin is a file.
    fn file_text(&self) -> &str {
        match &self.origin {
            Origin::File(span) => span.text(),
            _ => "",
        }
    }

    /// Goes on up to `end` with text of another origin, if both are one.
    fn continues(&mut self, end: usize, next: &Origin) -> bool {
        match (&mut self.origin, next) {
            (Origin::Protocol, Origin::Protocol) => {}
            (Origin::File(last), Origin::File(next)) if last.is_followed_by(next) => *last = last.to(next),
            _ => return false,
        }
        self.end = end;
        true
    }
}

#[derive(Debug, Clone, Copy)]
pub struct TextSegment<'a> {
    pub at: usize,
    pub text: &'a str,
    pub origin: &'a Origin,
}

impl Traced {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn protocol(text: &str) -> Self {
        Self::of(text, Origin::Protocol)
    }

    pub fn file(span: &Span) -> Self {
        Self::of(span.text(), Origin::File(span.clone()))
    }

    /// Text of a span of a raw file: U+FFFD replacements are derived.
    pub fn raw(span: &Span) -> Self {
        let mut new = Self::new();
        for (piece, is_exact) in span.runs() {
            let text = piece.clone();
            new.push_str(text.text(), if is_exact { Origin::File(piece) } else { Origin::Derived(piece) });
        }
        new
    }

    /// With [`Origin::File`], `text` must be the text of the span.
    pub fn of(text: &str, origin: Origin) -> Self {
        debug_assert!(origin.is_of(text));
        let run = OriginRun { end: text.len(), origin };
        Self(match run.origin {
            _ if text.is_empty() => Parts::Empty,
            Origin::File(_) => Parts::File(run),
            _ => Parts::Mixed(Box::new(Mixed { text: text.to_string(), runs: vec![run] })),
        })
    }

    pub fn text(&self) -> &str {
        match &self.0 {
            Parts::Empty => "",
            Parts::File(run) => run.file_text(),
            Parts::Mixed(mixed) => &mixed.text,
        }
    }

    fn runs(&self) -> &[OriginRun] {
        match &self.0 {
            Parts::Empty => &[],
            Parts::File(run) => slice::from_ref(run),
            Parts::Mixed(mixed) => &mixed.runs,
        }
    }

    pub fn len(&self) -> usize {
        self.runs().last().map_or(0, |run| run.end)
    }

    pub fn is_empty(&self) -> bool {
        self.runs().is_empty()
    }

    pub fn segments(&self) -> impl Iterator<Item = TextSegment<'_>> {
        let (text, mut at) = (self.text(), 0);
        self.runs().iter().map(move |run| {
            let start = std::mem::replace(&mut at, run.end);
            TextSegment { at: start, text: &text[start..run.end], origin: &run.origin }
        })
    }

    /// From the first to the last byte with a place in a file, if all are from one file.
    pub fn span(&self) -> Option<Span> {
        let mut spans = self.runs().iter().filter_map(|run| match &run.origin {
            Origin::File(span) | Origin::Derived(span) => Some(span),
            _ => None,
        });
        let first = spans.next()?;
        let last = spans.next_back().unwrap_or(first);
        (Arc::ptr_eq(first.source(), last.source()) && first.range().start <= last.range().end).then(|| first.to(last))
    }

    /// With [`Origin::File`], `text` must be the text of the span.
    pub fn push_str(&mut self, text: &str, origin: Origin) {
        debug_assert!(origin.is_of(text));
        if text.is_empty() {
            return;
        }
        let end = self.len() + text.len();
        match &mut self.0 {
            Parts::Empty => *self = Self::of(text, origin),
            Parts::File(run) => {
                if !run.continues(end, &origin) {
                    let text = [run.file_text(), text].concat();
                    let runs = vec![run.clone(), OriginRun { end, origin }];
                    self.0 = Parts::Mixed(Box::new(Mixed { text, runs }));
                }
            }
            Parts::Mixed(mixed) => {
                mixed.text.push_str(text);
                if !mixed.runs.last_mut().is_some_and(|run| run.continues(end, &origin)) {
                    mixed.runs.push(OriginRun { end, origin });
                }
            }
        }
    }

    pub fn push_file(&mut self, span: &Span) {
        self.push_str(span.text(), Origin::File(span.clone()));
    }

    pub fn push_protocol(&mut self, text: &str) -> &mut Self {
        self.push_str(text, Origin::Protocol);
        self
    }

    pub fn push(&mut self, other: &Traced) -> &mut Self {
        self.push_range(other, 0..other.len());
        self
    }

    pub fn push_range(&mut self, other: &Traced, range: Range<usize>) {
        let text = other.text();
        let runs = other.runs();
        let mut at = runs.partition_point(|run| run.end <= range.start);
        let mut start = range.start;
        while start < range.end {
            let run = &runs[at];
            let run_start = if at == 0 { 0 } else { runs[at - 1].end };
            let end = run.end.min(range.end);
            let origin = match &run.origin {
                Origin::File(span) => Origin::File(span.slice(start - run_start..end - run_start)),
                origin => origin.clone(),
            };
            self.push_str(&text[start..end], origin);
            start = end;
            at += 1;
        }
    }

    pub fn slice(&self, range: Range<usize>) -> Traced {
        let mut part = Self::new();
        part.push_range(self, range);
        part
    }

    /// The same text with other origins, none of them [`Origin::File`].
    pub fn with_origins(&self, change: impl Fn(&Origin) -> Origin) -> Traced {
        let mut new = Self::new();
        for segment in self.segments() {
            new.push_str(segment.text, change(segment.origin));
        }
        new
    }

    /// The same text with each match of a pattern replaced; a replacement is derived from its match.
    pub fn replace_all(&self, pattern: &Regex, with: impl Fn(&str) -> &'static str) -> Traced {
        let (text, mut new, mut done) = (self.text(), Self::new(), 0);
        for found in pattern.find_iter(text) {
            new.push_range(self, done..found.start());
            let replaced = self.slice(found.range());
            let origin = match replaced.segments().next().map(|segment| segment.origin) {
                Some(Origin::File(first)) => Origin::Derived(replaced.span().unwrap_or_else(|| first.clone())),
                Some(origin) => origin.clone(),
                None => Origin::Protocol,
            };
            new.push_str(with(found.as_str()), origin);
            done = found.end();
        }
        new.push_range(self, done..text.len());
        new
    }

    /// Python's `str.strip()`.
    pub fn trim(&self) -> Traced {
        self.slice(python::trim_range(self.text()))
    }

    pub fn join<'a>(parts: impl IntoIterator<Item = &'a Traced>, between: &str) -> Traced {
        let mut joined = Self::new();
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                joined.push_protocol(between);
            }
            joined.push(part);
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Source;

    fn file(text: &str) -> Traced {
        Traced::file(&Source::read("project".into(), "x", text.as_bytes().to_vec()).unwrap().whole())
    }

    fn assert_exact(traced: &Traced) {
        let joined: String = traced.segments().map(|segment| segment.text).collect();
        assert_eq!(joined, traced.text());
        for segment in traced.segments() {
            assert!(!segment.text.is_empty());
            if let Origin::File(span) = segment.origin {
                assert_eq!(span.text(), segment.text);
            }
        }
    }

    #[test]
    fn neighbours_of_one_file_merge() {
        let whole = file("abcdef");
        let mut rebuilt = whole.slice(0..2);
        rebuilt.push(&whole.slice(2..6));
        assert_eq!(rebuilt, whole);
        assert_eq!(rebuilt.segments().count(), 1);
    }

    proptest! {
        #[test]
        fn operations_follow_plain_strings(
            parts in prop::collection::vec("[ a-c\u{1c}é]{0,6}", 1..5),
            between in "[,\n]{0,2}",
            cut in 0usize..40,
        ) {
            let traced: Vec<Traced> = parts
                .iter()
                .enumerate()
                .map(|(index, part)| if index % 2 == 0 { file(part) } else { Traced::protocol(part) })
                .collect();
            let joined = Traced::join(&traced, &between);
            let plain = parts.join(&between);
            prop_assert_eq!(joined.text(), &plain);
            assert_exact(&joined);

            let cut = (0..=cut.min(plain.len())).rev().find(|&at| plain.is_char_boundary(at)).unwrap_or(0);
            let mut rejoined = joined.slice(0..cut);
            rejoined.push_str("new", Origin::Env("X".into()));
            rejoined.push_range(&joined, cut..plain.len());
            prop_assert_eq!(rejoined.text(), format!("{}new{}", &plain[..cut], &plain[cut..]));
            assert_exact(&rejoined);

            let pattern = Regex::new("[a ]+|é").unwrap();
            let replaced = joined.replace_all(&pattern, |found| if found == "é" { "e" } else { "" });
            prop_assert_eq!(replaced.text(), plain.replace(['a', ' '], "").replace('é', "e"));
            assert_exact(&replaced);

            let trimmed = joined.trim();
            prop_assert_eq!(trimmed.text(), python::trim(&plain));
            assert_exact(&trimmed);
        }
    }
}
