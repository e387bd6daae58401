use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Snippet};
use unicode_width::UnicodeWidthChar;

use crate::diagnostic::Location;
use crate::text::Span;
use crate::text::visible::is_hidden;

/// Columns on either side of a mark that the renderer keeps of a line that it cuts, `...` among them.
pub(super) const BESIDE_MARK: usize = 6;

/// Lines of a range that are shown; the rest of a longer one is not.
const MOST_LINES: usize = 6;

/// A line longer than this (a file of one line, say) shows nothing that helps, and takes long to lay out.
const LONGEST_LINE: usize = 2000;

/// The lines of a file that a span is in.
pub(super) struct Excerpt<'a> {
    /// The span.
    pub span: &'a Span,
    /// The lines, in which one character stands for one of the file, so that columns stay right.
    text: String,
    /// The span in them.
    marked: Range<usize>,
    /// The number of the first.
    line: usize,
}

impl<'a> Excerpt<'a> {
    /// None where the lines are too long to be of use.
    pub fn of(span: &'a Span) -> Option<Self> {
        let (file, range) = (span.source().text(), span.range());
        // No farther, since there may be a diagnostic for every byte of a long line.
        let reach = file.floor_char_boundary(range.start.saturating_sub(LONGEST_LINE + 1))..range.start;
        let start = match file[reach.clone()].rfind('\n') {
            Some(at) => reach.start + at + 1,
            None if reach.start == 0 => 0,
            None => return None,
        };
        // A span that ends with a line feed ends on the line before it.
        let last = if span.text().ends_with('\n') { range.end - 1 } else { range.end };
        let end = file[last..].find('\n').map_or(file.len(), |at| last + at);
        let mut marked_end = range.end.min(end);
        let mut end = end;
        if let Some((at, _)) = file[start..end].match_indices('\n').nth(MOST_LINES - 1) {
            end = start + at;
            marked_end = marked_end.min(end);
        }
        let lines = &file[start..end];
        if lines.split('\n').any(|line| line.len() > LONGEST_LINE) {
            return None;
        }
        let before = seen(&file[start..range.start]);
        let within = seen(&file[range.start..marked_end.max(range.start)]);
        let after = seen(&file[marked_end.max(range.start)..end.max(range.start)]);
        let marked = before.len()..before.len() + within.len();
        Some(Self { span, text: before + &within + &after, marked, line: span.line() })
    }

    /// The same of a place, where it is in a file that was read.
    pub fn at(location: &'a Location) -> Option<Self> {
        match location {
            Location::Span(span) => Self::of(span),
            Location::File { .. } => None,
        }
    }

    /// The number of the last line.
    pub fn last_line(&self) -> usize {
        self.line + self.text.matches('\n').count()
    }

    /// The lines with the mark, for the renderer; `file` is how the file is called.
    pub fn snippet(&self, file: String, kind: AnnotationKind, columns: usize) -> Snippet<'_, Annotation<'_>> {
        let mark = kind.span(self.marked_within(columns));
        Snippet::source(&self.text).path(file).line_start(self.line).annotation(mark)
    }

    /// The mark, cut where it is longer than what can be shown of a line: the renderer cuts lines in front of a mark
    /// and behind it, and never the mark itself.
    fn marked_within(&self, columns: usize) -> Range<usize> {
        let Range { start, end } = self.marked;
        if self.text[start..end].contains('\n') {
            return start..end;
        }
        let first = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[first..].split('\n').next().unwrap_or_default();
        if columns_of(line) <= columns {
            return start..end;
        }
        let cut_in_front = columns_of(&self.text[first..start]).saturating_sub(BESIDE_MARK);
        let most = (cut_in_front + columns).saturating_sub(BESIDE_MARK);
        let mut column = columns_of(&self.text[first..start]);
        let fitting = self.text[start..end].char_indices().find_map(|(at, c)| {
            column += columns_of_character(c);
            (column > most).then_some(start + at)
        });
        start..fitting.map_or(end, |last| last.max(self.text.ceil_char_boundary(start + 1)))
    }
}

/// How wide the renderer shows a text.
fn columns_of(text: &str) -> usize {
    text.chars().map(columns_of_character).sum()
}

/// A tab is shown as four blanks.
fn columns_of_character(c: char) -> usize {
    if c == '\t' { 4 } else { c.width().unwrap_or(1) }
}

/// Hidden characters as one visible character each.
fn seen(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { '\u{fffd}' } else { c }).collect()
}
