use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::{Position, Source};

/// A range of a source, in bytes of its normalised text.
#[derive(Clone)]
pub struct Span {
    source: Arc<Source>,
    // Millions of spans are in memory at once.
    start: u32,
    end: u32,
}

impl Span {
    /// The range must lie in the source.
    #[inline]
    pub(super) fn new(source: Arc<Source>, range: Range<usize>) -> Self {
        // Larger files are refused: `limits::MOST_FILE_BYTES`. Those in which U+FFFD takes the place of a byte are far
        // smaller, as no flag raises their limit.
        let offset = |at: usize| u32::try_from(at).expect("a file is below 4 GiB");
        Self { source, start: offset(range.start), end: offset(range.end) }
    }

    fn start(&self) -> usize {
        self.start as usize
    }

    fn end(&self) -> usize {
        self.end as usize
    }

    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    pub fn range(&self) -> Range<usize> {
        self.start()..self.end()
    }

    #[inline]
    pub fn text(&self) -> &str {
        &self.source.text()[self.start()..self.end()]
    }

    /// `range` is relative to the span's start.
    #[inline]
    pub fn slice(&self, range: Range<usize>) -> Span {
        self.source.span(self.start() + range.start..self.start() + range.end)
    }

    /// Python's `str.strip()`.
    pub fn trim(&self) -> Span {
        self.slice(super::python::trim_range(self.text()))
    }

    /// The span as other programs see it: bytes on disk, line and column.
    pub fn place(&self) -> DiskPosition {
        DiskPosition {
            start: self.source.on_disk(self.start()),
            end: self.source.on_disk(self.end()),
            newlines: self.source.newlines_differ(&self.range()),
            position: self.source.position(self.start()),
        }
    }

    /// Splits the span into parts that equal the disk (`true`) and U+FFFD replacements (`false`).
    pub fn runs(&self) -> impl Iterator<Item = (Span, bool)> + use<> {
        let source = Arc::clone(&self.source);
        let runs: Vec<_> = self.source.runs(self.range()).collect();
        runs.into_iter().map(move |(range, is_exact)| (source.span(range), is_exact))
    }

    /// Up to the first line feed.
    pub fn first_line(&self) -> Span {
        self.slice(0..self.text().find('\n').unwrap_or(self.text().len()))
    }

    /// 1-based.
    pub fn line(&self) -> usize {
        self.source.position(self.start()).line
    }

    /// The 1-based line of the last byte (of the first, if empty).
    pub fn last_line(&self) -> usize {
        let within = self.text();
        let within = within.strip_suffix('\n').unwrap_or(within);
        self.line() + within.matches('\n').count()
    }

    /// `6` or `6-20`.
    pub fn lines(&self) -> String {
        let (first, last) = (self.line(), self.last_line());
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    }

    /// `project .ai/directives/deploy.md:9`
    pub fn file_line(&self) -> String {
        format!("{}:{}", self.source, self.line())
    }

    /// `project .ai/knowledge/rules.md:6-20`
    pub fn file_lines(&self) -> String {
        format!("{}:{}", self.source, self.lines())
    }

    /// Whether `next` starts in the same file where this span ends.
    pub fn is_followed_by(&self, next: &Span) -> bool {
        self.end() == next.start() && Arc::ptr_eq(&self.source, &next.source)
    }

    /// Extends to the end of `last`, which must be in the same file and not earlier.
    pub fn to(&self, last: &Span) -> Span {
        self.source.span(self.start()..last.end())
    }
}

impl PartialEq for Span {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source) && self.range() == other.range()
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}[{}..{}]", self.source, self.start(), self.end())
    }
}

/// A [`Span`] in terms of the file on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskPosition {
    pub start: usize,
    /// Exclusive.
    pub end: usize,
    /// Whether line ends differ on disk.
    pub newlines: bool,
    pub position: Position,
}
