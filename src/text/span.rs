use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::{Position, Source};

/// A range of a source, in bytes of its normalised text. It owns its source, so it outlives the tiers.
#[derive(Clone)]
pub struct Span {
    pub(super) source: Arc<Source>,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    /// The file.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The range in the normalised text.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The text of the range.
    pub fn text(&self) -> &str {
        &self.source.text()[self.start..self.end]
    }

    /// A part of this span; `range` counts from the span's start.
    pub fn slice(&self, range: Range<usize>) -> Span {
        self.source.span(self.start + range.start..self.start + range.end)
    }

    /// Without blanks at either end, as Python's `str.strip()` trims.
    pub fn trim(&self) -> Span {
        let text = self.text();
        let start = text.len() - text.trim_start_matches(super::python::is_blank).len();
        self.slice(start..start + super::python::trim(text).len())
    }

    /// The span as other programs see it: bytes on disk, line and column.
    pub fn place(&self) -> Place {
        Place {
            start: self.source.on_disk(self.start),
            end: self.source.on_disk(self.end),
            newlines: self.source.newlines_differ(&self.range()),
            position: self.source.position(self.start),
        }
    }

    /// The span piece by piece, each with whether it is what stands on disk or a U+FFFD for what is no UTF-8.
    pub fn runs(&self) -> impl Iterator<Item = (Span, bool)> + use<> {
        let source = Arc::clone(&self.source);
        let runs: Vec<_> = self.source.runs(self.range()).collect();
        runs.into_iter().map(move |(range, is_exact)| (source.span(range), is_exact))
    }

    /// The 1-based line of the first byte.
    pub fn line(&self) -> usize {
        self.source.position(self.start).line
    }

    /// The 1-based line of the last byte (of the first one, when the span is empty).
    pub fn last_line(&self) -> usize {
        let within = self.text();
        let within = within.strip_suffix('\n').unwrap_or(within);
        self.line() + within.matches('\n').count()
    }

    /// The lines as people write them: `6`, `6-20`.
    pub fn lines(&self) -> String {
        let (first, last) = (self.line(), self.last_line());
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    }

    /// Whether `next` begins in the same file where this span ends.
    pub fn is_followed_by(&self, next: &Span) -> bool {
        self.end == next.start && Arc::ptr_eq(&self.source, &next.source)
    }

    /// From the start of this span to the end of `last`, which must lie in the same file and not before it.
    pub fn to(&self, last: &Span) -> Span {
        self.source.span(self.start..last.end)
    }
}

impl PartialEq for Span {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source) && self.range() == other.range()
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}[{}..{}]", self.source, self.start, self.end)
    }
}

/// A [`Span`] in terms of the file on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// First byte on disk.
    pub start: usize,
    /// One past the last byte on disk.
    pub end: usize,
    /// Whether those bytes equal the text only after universal newlines.
    pub newlines: bool,
    /// Line and column of `start`.
    pub position: Position,
}
