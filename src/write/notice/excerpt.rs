use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Snippet};
use unicode_width::UnicodeWidthChar;

use crate::diagnostic::Location;
use crate::text::Span;
use crate::text::visible::is_hidden;

/// Columns that the renderer keeps on either side of a mark when it cuts a line, including `...`.
pub(super) const BESIDE_MARK: usize = 6;

const MOST_LINES: usize = 6;

/// A longer line, as in a minified file, does not help and is slow to lay out.
const LONGEST_LINE: usize = 2000;

/// The lines of a file that contain a span.
pub(super) struct Excerpt<'a> {
    pub span: &'a Span,
    /// The lines, with one character per character of the file, so that columns stay correct.
    text: String,
    /// The span in `text`.
    marked: Range<usize>,
    first_line: usize,
}

impl<'a> Excerpt<'a> {
    /// `None` if the lines are too long to be useful.
    pub fn of(span: &'a Span) -> Option<Self> {
        let (file, range) = (span.source().text(), span.range());
        // Bounded, because every byte of a long line may have a diagnostic.
        let reach = file.floor_char_boundary(range.start.saturating_sub(LONGEST_LINE + 1))..range.start;
        let start = match file[reach.clone()].rfind('\n') {
            Some(at) => reach.start + at + 1,
            None if reach.start == 0 => 0,
            None => return None,
        };
        // A span that ends with a line feed ends on the line before it.
        let last = if span.text().ends_with('\n') { range.end - 1 } else { range.end };
        let end = file[last..].find('\n').map_or(file.len(), |at| last + at);
        let has_line_end = end > last || span.text().ends_with("\r\n");
        let end = end - usize::from(has_line_end && file[..end].ends_with('\r'));
        let mut marked_end = range.end.min(end);
        let mut end = end;
        if let Some((at, _)) = file[start..end].match_indices('\n').nth(MOST_LINES - 1) {
            end = start + at - usize::from(file[..start + at].ends_with('\r'));
            marked_end = marked_end.min(end);
        }
        let lines = &file[start..end];
        if lines.split('\n').any(|line| line.len() > LONGEST_LINE) {
            return None;
        }
        let before = without_hidden(&file[start..range.start]);
        let within = without_hidden(&file[range.start..marked_end.max(range.start)]);
        let after = without_hidden(&file[marked_end.max(range.start)..end.max(range.start)]);
        let marked = before.len()..before.len() + within.len();
        Some(Self { span, text: before + &within + &after, marked, first_line: span.line() })
    }

    pub fn at(location: &'a Location) -> Option<Self> {
        match location {
            Location::Span(span) => Self::of(span),
            Location::File { .. } => None,
        }
    }

    pub fn last_line(&self) -> usize {
        self.first_line + self.text.matches('\n').count()
    }

    pub fn snippet(&self, file: String, kind: AnnotationKind, columns: usize) -> Snippet<'_, Annotation<'_>> {
        let mark = kind.span(self.marked_within(columns));
        Snippet::source(&self.text).path(file).line_start(self.first_line).annotation(mark)
    }

    /// The mark, cut to what fits: the renderer cuts a line before and after a mark, but never the mark itself.
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

fn columns_of(text: &str) -> usize {
    text.chars().map(columns_of_character).sum()
}

/// The renderer shows a tab as four spaces.
fn columns_of_character(c: char) -> usize {
    if c == '\t' { 4 } else { c.width().unwrap_or(1) }
}

/// Replaces each hidden character with a visible one, except at the ends of lines.
fn without_hidden(text: &str) -> String {
    text.replace("\r\n", "\n").chars().map(|c| if is_hidden(c) { '\u{fffd}' } else { c }).collect()
}
