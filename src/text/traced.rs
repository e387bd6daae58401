use std::ops::Range;
use std::sync::Arc;

use regex::Regex;
use smallvec::SmallVec;

use super::{Origin, Span, python};

/// A string that records the origin of every byte. Runs are never empty; adjacent runs with the same origin are merged.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Traced {
    /// Empty if the only run is an unchanged range of a file, as for most text: the file holds the text.
    own: String,
    runs: SmallVec<[OriginRun; 1]>,
}

#[derive(Debug, Clone, PartialEq)]
struct OriginRun {
    /// A run begins where the previous one ends.
    end: usize,
    origin: Origin,
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
        let mut new = Self::new();
        new.push_str(text, origin);
        new
    }

    pub fn text(&self) -> &str {
        match (self.own.as_str(), self.runs.as_slice()) {
            ("", [OriginRun { origin: Origin::File(span), .. }]) => span.text(),
            (own, _) => own,
        }
    }

    pub fn len(&self) -> usize {
        self.runs.last().map_or(0, |run| run.end)
    }

    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub fn segments(&self) -> impl Iterator<Item = TextSegment<'_>> {
        let (text, mut at) = (self.text(), 0);
        self.runs.iter().map(move |run| {
            let start = std::mem::replace(&mut at, run.end);
            TextSegment { at: start, text: &text[start..run.end], origin: &run.origin }
        })
    }

    /// From the first to the last byte with a place in a file, if all are from one file.
    pub fn span(&self) -> Option<Span> {
        let mut spans = self.runs.iter().filter_map(|run| match &run.origin {
            Origin::File(span) | Origin::Derived(span) => Some(span),
            _ => None,
        });
        let first = spans.next()?;
        let last = spans.next_back().unwrap_or(first);
        (Arc::ptr_eq(first.source(), last.source()) && first.range().start <= last.range().end).then(|| first.to(last))
    }

    /// With [`Origin::File`], `text` must be the text of the span.
    pub fn push_str(&mut self, text: &str, origin: Origin) {
        if let Origin::File(span) = &origin {
            debug_assert_eq!(span.text(), text);
        }
        if text.is_empty() {
            return;
        }
        let end = self.len() + text.len();
        match (self.runs.as_mut_slice(), &origin) {
            ([], Origin::File(_)) => {}
            ([OriginRun { end: last_end, origin: Origin::File(last) }], Origin::File(next))
                if self.own.is_empty() && last.is_followed_by(next) =>
            {
                (*last, *last_end) = (last.to(next), end);
                return;
            }
            _ => {
                if self.own.is_empty() {
                    self.own = self.text().to_string();
                }
                self.own.push_str(text);
            }
        }
        match (self.runs.last_mut(), origin) {
            (Some(OriginRun { end: last_end, origin: Origin::Protocol }), Origin::Protocol) => *last_end = end,
            (Some(OriginRun { end: last_end, origin: Origin::File(last) }), Origin::File(next))
                if last.is_followed_by(&next) =>
            {
                (*last, *last_end) = (last.to(&next), end);
            }
            (_, origin) => self.runs.push(OriginRun { end, origin }),
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
        let mut at = other.runs.partition_point(|run| run.end <= range.start);
        let mut start = range.start;
        while start < range.end {
            let run = &other.runs[at];
            let run_start = if at == 0 { 0 } else { other.runs[at - 1].end };
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

impl From<&Span> for Traced {
    fn from(span: &Span) -> Self {
        Self::file(span)
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
