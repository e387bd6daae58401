use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::Span;
use super::lines::{LineIndex, Position};

/// One file as read, with universal newlines. Offsets everywhere in this program are bytes in that normalised text;
/// [`Span::place`] turns them into positions on disk, which differ only in files with CRLF.
pub struct Source {
    tier: Arc<str>,
    path: String,
    revision: Option<Arc<str>>,
    text: String,
    /// Normalised offsets of line feeds that were CRLF on disk, ascending.
    crlf: Vec<usize>,
    /// Normalised offsets of line feeds that were a lone CR on disk, ascending.
    cr: Vec<usize>,
    /// Bytes on disk that are not UTF-8, ascending; empty where those are refused.
    replaced: Vec<Replaced>,
    lines: OnceLock<LineIndex>,
}

/// A file with more is hardly text, and each part of it takes memory.
const MOST_REPLACED: usize = 10_000;

/// A U+FFFD that replaces bytes that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Replaced {
    at: usize,
    bytes: usize,
}

/// Where a file stops being UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotUtf8 {
    /// Offset of the first byte that cannot be decoded.
    pub at: usize,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
}

impl Source {
    /// Decodes a file as Python's text mode does: UTF-8, CRLF and CR become LF (Directives, "Reading a directive").
    /// `tier` is the label that output shows (`project`, `system:std`, …), `path` is relative to the folder that holds
    /// `.ai/`.
    pub fn read(tier: Arc<str>, path: impl Into<String>, bytes: Vec<u8>) -> Result<Arc<Self>, NotUtf8> {
        Self::read_at(None, tier, path, bytes)
    }

    pub fn read_at(
        revision: Option<Arc<str>>,
        tier: Arc<str>,
        path: impl Into<String>,
        bytes: Vec<u8>,
    ) -> Result<Arc<Self>, NotUtf8> {
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let valid = String::from_utf8_lossy(valid);
            let line_start = valid.rfind(['\n', '\r']).map_or(0, |at| at + 1);
            NotUtf8 {
                at: valid.len(),
                line: Self::normalise(valid.to_string()).0.matches('\n').count() + 1,
                column: valid[line_start..].chars().count() + 1,
            }
        })?;
        Ok(Self::new(revision, tier, path, Self::normalise(text), Vec::new()))
    }

    /// Keeps a file unchanged, with its line ends and byte order marks; U+FFFD replaces each maximal subpart that is
    /// not UTF-8 (`sf`, "The prompt, byte for byte").
    pub fn read_raw(revision: Option<Arc<str>>, tier: Arc<str>, path: impl Into<String>, bytes: &[u8]) -> Arc<Self> {
        let (text, replaced) = Self::decode_lossy(bytes);
        Self::new(revision, tier, path, (text, Vec::new(), Vec::new()), replaced)
    }

    /// Like [`Self::read_raw`], but CRLF and CR become LF (`sf`, "Skills").
    pub fn read_lossy(revision: Option<Arc<str>>, tier: Arc<str>, path: impl Into<String>, bytes: &[u8]) -> Arc<Self> {
        let (text, mut replaced) = Self::decode_lossy(bytes);
        let (text, crlf, cr) = Self::normalise(text);
        let mut pairs = 0;
        for it in &mut replaced {
            // Each pair before it is one byte shorter; the offsets of pairs already account for that.
            while crlf.get(pairs).is_some_and(|&at| at + pairs < it.at) {
                pairs += 1;
            }
            it.at -= pairs;
        }
        Self::new(revision, tier, path, (text, crlf, cr), replaced)
    }

    /// The same text as that of another file.
    pub fn moved(&self, tier: Arc<str>, path: impl Into<String>) -> Arc<Self> {
        let Self { text, crlf, cr, replaced, .. } = self;
        Self::new(None, tier, path, (text.clone(), crlf.clone(), cr.clone()), replaced.clone())
    }

    fn new(
        revision: Option<Arc<str>>,
        tier: Arc<str>,
        path: impl Into<String>,
        (text, crlf, cr): (String, Vec<usize>, Vec<usize>),
        replaced: Vec<Replaced>,
    ) -> Arc<Self> {
        Arc::new(Self { tier, path: path.into(), revision, text, crlf, cr, replaced, lines: OnceLock::new() })
    }

    fn decode_lossy(bytes: &[u8]) -> (String, Vec<Replaced>) {
        let (mut text, mut replaced) = (String::with_capacity(bytes.len()), Vec::new());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                replaced.push(Replaced { at: text.len(), bytes: chunk.invalid().len() });
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        (text, replaced)
    }

    fn normalise(text: String) -> (String, Vec<usize>, Vec<usize>) {
        if memchr::memchr(b'\r', text.as_bytes()).is_none() {
            return (text, Vec::new(), Vec::new());
        }
        let (mut out, mut crlf, mut cr) = (String::with_capacity(text.len()), Vec::new(), Vec::new());
        let mut rest = text.as_str();
        while let Some(at) = rest.find('\r') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            match rest.strip_prefix('\n') {
                Some(after) => {
                    crlf.push(out.len());
                    rest = after;
                }
                None => cr.push(out.len()),
            }
            out.push('\n');
        }
        out.push_str(rest);
        (out, crlf, cr)
    }

    pub fn tier(&self) -> &str {
        &self.tier
    }

    /// Relative to the folder that holds `.ai/`, with `/` as the separator.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// As typed; `None` for a file on disk.
    pub fn revision(&self) -> Option<&str> {
        self.revision.as_deref()
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// `range` must lie on character boundaries.
    #[inline]
    pub fn span(self: &Arc<Self>, range: Range<usize>) -> Span {
        debug_assert!(self.text.get(range.clone()).is_some(), "{range:?} is not a range of {self:?}");
        Span::new(Arc::clone(self), range)
    }

    pub fn whole(self: &Arc<Self>) -> Span {
        self.span(0..self.text.len())
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.text.len() + self.crlf.len());
        let mut done = 0;
        let (mut crlf, mut cr) = (self.crlf.iter().peekable(), self.cr.iter().peekable());
        while let Some(at) = [crlf.peek(), cr.peek()].into_iter().flatten().map(|&&at| at).min() {
            bytes.extend_from_slice(&self.text.as_bytes()[done..at]);
            let is_pair = crlf.next_if(|&&next| next == at).is_some();
            if !is_pair {
                cr.next();
            }
            bytes.extend_from_slice(if is_pair { b"\r\n" } else { b"\r" });
            done = at + 1;
        }
        bytes.extend_from_slice(&self.text.as_bytes()[done..]);
        bytes
    }

    pub fn length(&self) -> usize {
        self.on_disk(self.text.len())
    }

    /// The line end on disk of the line at a normalised offset; an unterminated last line has that of the line before.
    pub fn line_end(&self, offset: usize) -> &'static str {
        let after = self.text[offset..].find('\n').map(|found| offset + found);
        let at = after.or_else(|| self.text[..offset].rfind('\n'));
        match at {
            Some(at) if self.crlf.binary_search(&at).is_ok() => "\r\n",
            Some(at) if self.cr.binary_search(&at).is_ok() => "\r",
            _ => "\n",
        }
    }

    /// The offset on disk of a normalised offset.
    pub fn on_disk(&self, offset: usize) -> usize {
        let before = &self.replaced[..self.replaced.partition_point(|it| it.at < offset)];
        let replaced: usize = before.iter().map(|it| it.bytes).sum();
        let replacements = before.len() * char::REPLACEMENT_CHARACTER.len_utf8();
        offset + self.crlf.partition_point(|&at| at < offset) + replaced - replacements
    }

    /// Splits a range into parts that equal the disk (`true`) and U+FFFD replacements (`false`). A text with many
    /// replacements is one part, which differs.
    pub(super) fn runs(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, bool)> {
        let [first, last] = [range.start, range.end].map(|end| self.replaced.partition_point(|it| it.at < end));
        let mut cuts: Vec<(Range<usize>, bool)> = Vec::new();
        if last - first > MOST_REPLACED {
            cuts.push((range.start..range.end, false));
            return cuts.into_iter();
        }
        let mut at = range.start;
        for it in &self.replaced[first..last] {
            let end = it.at + char::REPLACEMENT_CHARACTER.len_utf8();
            match cuts.last_mut() {
                Some((replaced, false)) if replaced.end == it.at => replaced.end = end,
                _ => cuts.extend([(at..it.at, true), (it.at..end, false)]),
            }
            at = end;
        }
        cuts.push((at..range.end, true));
        cuts.retain(|(range, _)| !range.is_empty());
        cuts.into_iter()
    }

    /// Whether line ends in this range differ on disk.
    pub(super) fn newlines_differ(&self, range: &Range<usize>) -> bool {
        let within = |list: &[usize]| {
            let first = list.partition_point(|&at| at < range.start);
            list.get(first).is_some_and(|&at| at < range.end)
        };
        within(&self.crlf) || within(&self.cr)
    }

    pub fn position(&self, offset: usize) -> Position {
        self.lines().position(&self.text, offset)
    }

    pub fn line_start(&self, offset: usize) -> usize {
        self.lines().line_start(&self.text, offset)
    }

    /// Whether the text holds a CR that no LF follows.
    pub fn has_lone_cr(&self) -> bool {
        self.lines().has_lone_cr
    }

    fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }
}

/// Whether both are the same file with the same bytes.
impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        (&self.tier, &self.path) == (&other.tier, &other.path)
            && (&self.text, &self.crlf, &self.cr) == (&other.text, &other.crlf, &other.cr)
    }
}

impl Eq for Source {}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.tier, self.path)
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Arc<Source> {
        Source::read("project".into(), "x.md", text.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn newlines_are_universal_and_map_back() {
        let source = source("a\r\nb\rc\nd\u{85}e\r\r\n");
        assert_eq!(source.text(), "a\nb\nc\nd\u{85}e\n\n");
        let line_two = source.span(2..4).place();
        assert_eq!((line_two.start, line_two.end, line_two.newlines), (3, 5, true));
        let plain = source.span(4..6).place();
        assert_eq!((plain.start, plain.end, plain.newlines), (5, 7, false));
        let pair = source.span(1..2).place();
        assert_eq!((pair.start, pair.end, pair.newlines), (1, 3, true));
    }

    #[test]
    fn bytes_and_line_ends_are_those_of_the_file() {
        for text in ["", "a\r\nb\rc\nd\u{85}e\r\r\n", "\r\n", "\n\r", "x"] {
            assert_eq!(source(text).bytes(), text.as_bytes(), "{text:?}");
        }
        let mixed = source("a\r\nb\rc\nd");
        let ends: Vec<_> = (0..=mixed.text().len()).map(|at| mixed.line_end(at)).collect();
        assert_eq!(ends, ["\r\n", "\r\n", "\r", "\r", "\n", "\n", "\n", "\n"]);
        assert_eq!(source("a\r\nb").line_end(3), "\r\n");
        assert_eq!(source("a").line_end(1), "\n");
    }

    #[test]
    fn a_raw_file_keeps_its_bytes_and_marks_replacements() {
        let bytes = b"\xef\xbb\xbfa\r\n\xff\xe2\x82b\rc";
        let source = Source::read_raw(None, "cwd".into(), "/x/AGENTS.md", bytes);
        assert_eq!(source.text(), "\u{feff}a\r\n\u{fffd}\u{fffd}b\rc");
        let whole = source.whole();
        assert_eq!((whole.place().start, whole.place().end), (0, bytes.len()));
        let runs: Vec<_> = whole.runs().map(|(span, is_exact)| (span.text().to_string(), is_exact)).collect();
        let expected = [("\u{feff}a\r\n", true), ("\u{fffd}\u{fffd}", false), ("b\rc", true)];
        assert_eq!(runs, expected.map(|(text, is_exact)| (text.to_string(), is_exact)));
        for (span, is_exact) in whole.runs() {
            let place = span.place();
            assert_eq!(is_exact, bytes[place.start..place.end] == *span.text().as_bytes());
        }
    }

    #[test]
    fn a_file_that_is_no_text_has_few_parts() {
        let runs = |count: usize| {
            let source = Source::read_raw(None, "cwd".into(), "/x", &b"\xffa".repeat(count));
            source.whole().runs().map(|(span, is_exact)| (span.range().len(), is_exact)).collect::<Vec<_>>()
        };
        assert_eq!(runs(MOST_REPLACED).len(), 2 * MOST_REPLACED);
        assert_eq!(runs(MOST_REPLACED + 1), [(4 * (MOST_REPLACED + 1), false)]);
    }

    #[test]
    fn a_lossy_file_has_universal_newlines_and_maps_back() {
        let bytes = b"\xefa\r\n\r\n\xff\rb\xff\r\n\xe2\x82";
        let source = Source::read_lossy(None, "cwd".into(), "/x/SKILL.md", bytes);
        assert_eq!(source.text(), "\u{fffd}a\n\n\u{fffd}\nb\u{fffd}\n\u{fffd}");
        assert_eq!(source.length(), bytes.len());
        let places: Vec<_> = source.whole().runs().filter(|run| !run.1).map(|(span, _)| span.place()).collect();
        let replaced: Vec<_> = places.iter().map(|place| &bytes[place.start..place.end]).collect();
        assert_eq!(replaced, [b"\xef".as_slice(), b"\xff", b"\xff", b"\xe2\x82"]);
    }

    #[test]
    fn positions_count_characters() {
        let source = source("é\nüx");
        assert_eq!(source.position(5), Position { line: 2, column: 2 });
        assert_eq!(source.span(0..2).last_line(), 1);
        assert_eq!(source.span(0..3).last_line(), 1);
        assert_eq!(source.span(0..4 + 1).last_line(), 2);
    }

    #[test]
    fn an_invalid_byte_has_a_position() {
        let refused = Source::read("project".into(), "x.md", b"ab\r\n\xc3\xa9\xff".to_vec()).unwrap_err();
        assert_eq!(refused, NotUtf8 { at: 6, line: 2, column: 2 });
    }
}
