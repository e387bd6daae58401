//! The lines that differ between two texts, with context.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use super::line::{LineMark, MARGIN, in_pieces, mixed, whole};
use super::side_by_side::{self, ColumnLine};
use crate::answer::diff::hunks::{Hunk, NO_NEWLINE, hunks, lines_of};
use crate::answer::diff::refine::{ChangedLine, ChangedRow, Refiner, WordPiece, is_clear, merged, without_newline};
use crate::answer::diff::{DiffView, LineChange, Pair};
use crate::text::visible::{seen, visible_line};
use crate::write::layout::line_place;

pub struct Hunks<'a> {
    /// Precedes the line numbers: `system · project/deploy/rules`.
    name: &'a str,
    /// With their newlines.
    lines: Pair<Vec<&'a str>>,
    changes: Cow<'a, [LineChange]>,
    refiner: &'a Refiner,
}

impl<'a> Hunks<'a> {
    pub fn new(name: &'a str, left: &'a str, right: &'a str, changes: &'a [LineChange], refiner: &'a Refiner) -> Self {
        Self { name, lines: lines_of(left, right), changes: Cow::Borrowed(changes), refiner }
    }

    /// Keeps at most `most` changed lines, and returns the number of lines left out.
    pub fn limited(mut self, most: usize) -> (Self, usize) {
        let size = |change: &LineChange| change.left.len() + change.right.len();
        let all: usize = self.changes.iter().map(size).sum();
        let mut room = most;
        let mut kept: Vec<LineChange> = Vec::new();
        for change in self.changes.iter() {
            if room == 0 {
                break;
            }
            let left = change.left.len().min(room);
            let right = change.right.len().min(room - left);
            room -= left + right;
            let lengths = Pair { left, right };
            let cut = change.as_ref().zip(lengths).map(|(lines, length)| lines.start..lines.start + length);
            if cut != *change {
                // Lines after the cut are not context.
                self.lines.left.truncate(cut.left.end);
                self.lines.right.truncate(cut.right.end);
            }
            kept.push(cut);
        }
        let shown: usize = kept.iter().map(size).sum();
        self.changes = Cow::Owned(kept);
        (self, all - shown)
    }

    pub fn write(&self, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
        hunks(&self.changes, self.lines.as_ref().map(Vec::len), view.context)
            .iter()
            .try_for_each(|hunk| self.hunk(hunk, view, out))
    }

    fn hunk(&self, hunk: &Hunk, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
        let Hunk { left, right, .. } = hunk;
        let heading = format!("@@ {} · {} @@", visible_line(self.name), self.places(left, right));
        writeln!(out, "{}", view.theme.dim().style(heading))?;

        let mut shown = Pair { left: left.start, right: right.start };
        for change in hunk.changes {
            self.same(Pair { left: shown.left..change.left.start, right: shown.right..change.right.start }, view, out)?;
            self.change(change, view, out)?;
            shown = change.as_ref().map(|lines| lines.end);
        }
        self.same(Pair { left: shown.left..left.end, right: shown.right..right.end }, view, out)
    }

    /// The lines that a hunk shows of each side, in words.
    fn places(&self, left: &Range<usize>, right: &Range<usize>) -> String {
        match (self.lines.left.is_empty(), self.lines.right.is_empty()) {
            (true, _) => line_place(right),
            (_, true) => line_place(left),
            _ if left == right => line_place(right),
            _ => format!("{} → {}", line_place(left), line_place(right)),
        }
    }

    /// Writes lines that are the same, apart from ignored whitespace: those of the right side, or both in columns.
    fn same(&self, lines: Pair<Range<usize>>, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
        let lines = self.lines.as_ref().zip(lines).map(|(lines, range)| lines.get(range).unwrap_or_default());
        if !view.side_by_side {
            return lines.right.iter().try_for_each(|line| whole(LineMark::Both, without_newline(line), view, out));
        }
        (0..lines.left.len().max(lines.right.len())).try_for_each(|at| {
            let line = |side: &[&'a str]| Some(ColumnLine::whole(LineMark::Both, without_newline(side.get(at)?)));
            side_by_side::write(lines.map(line), view, out)
        })
    }

    fn change(&self, change: &LineChange, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
        let rows = self.refiner.rows(&self.lines, change);
        let side = |of: fn(&ChangedRow<'a>) -> Option<&'a str>| rows.iter().filter_map(of).collect::<Vec<_>>();
        let old = side(|row| Some(row.left.as_ref()?.text));
        let new = side(|row| Some(row.right.as_ref()?.text));
        let is_unseen = !old.is_empty() && !new.is_empty() && old != new && seen(&old).eq(seen(&new));
        // Escapes a difference that would be invisible, as in `<U+200E>`.
        let view = &DiffView { visible: view.visible || is_unseen, ..*view };
        match (view.side_by_side, view.word_diff) {
            (true, _) => beside(&rows, view, out)?,
            (false, true) => by_word(&rows, view, out)?,
            (false, false) => {
                rows.iter()
                    .filter_map(|row| row.left.as_ref())
                    .try_for_each(|it| line(LineMark::Old, it, view, out))?;
                rows.iter()
                    .filter_map(|row| row.right.as_ref())
                    .try_for_each(|it| line(LineMark::New, it, view, out))?;
            }
        }
        if is_unseen {
            let sentence = "differs only in white space and invisible characters";
            writeln!(out, "{:MARGIN$}{}", "", view.theme.dim().style(sentence))?;
        }
        Ok(())
    }
}

fn line(mark: LineMark, line: &ChangedLine, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    match &line.pieces {
        Some(pieces) => in_pieces(mark, pieces, view, out)?,
        None => whole(mark, line.text, view, out)?,
    }
    if line.is_open { whole(LineMark::End, NO_NEWLINE, view, out) } else { Ok(()) }
}

/// Which sides end in these rows without the newline that the other side has.
fn open(rows: &[ChangedRow]) -> Pair<bool> {
    let is_open = |line: &Option<ChangedLine>| line.as_ref().is_some_and(|line| line.is_open);
    Pair { left: rows.iter().any(|row| is_open(&row.left)), right: rows.iter().any(|row| is_open(&row.right)) }
}

/// Writes lines that replace each other as one line, with the words of both.
fn by_word(rows: &[ChangedRow], view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut apart = 0..0;
    for (at, row) in rows.iter().enumerate() {
        match mixed_words(row) {
            Some(words) => {
                self::apart(&rows[apart], view, out)?;
                mixed(LineMark::Mixed, &words, view, out)?;
                apart = at + 1..at + 1;
            }
            None => apart.end = at + 1,
        }
    }
    self::apart(&rows[apart], view, out)?;
    let open = open(rows);
    if open.left || open.right { whole(LineMark::End, NO_NEWLINE, view, out) } else { Ok(()) }
}

fn mixed_words<'a>(row: &ChangedRow<'a>) -> Option<Vec<WordPiece<'a>>> {
    let Pair { left, right } = row.as_ref().map(|line| line.as_ref()?.pieces.as_ref());
    merged(left?, right?)
}

/// Writes lines that are only removed or added, marked like words unless they contain such marks themselves.
fn apart(rows: &[ChangedRow], view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut line = |mark, text: &str, word| match text.is_empty() || !is_clear(&[word]) {
        true => whole(mark, text, view, out),
        false => mixed(mark, &[word], view, out),
    };
    let mut old = rows.iter().filter_map(|row| row.left.as_ref());
    old.try_for_each(|it| line(LineMark::Old, it.text, WordPiece::Old(it.text)))?;
    let mut new = rows.iter().filter_map(|row| row.right.as_ref());
    new.try_for_each(|it| line(LineMark::New, it.text, WordPiece::New(it.text)))
}

/// Writes both sides in columns.
fn beside(rows: &[ChangedRow], view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let marks = Pair { left: LineMark::Old, right: LineMark::New };
    for row in rows {
        let lines = row.as_ref().zip(marks);
        side_by_side::write(lines.map(|(line, mark)| Some(ColumnLine::changed(mark, line.as_ref()?))), view, out)?;
    }
    let open = open(rows);
    side_by_side::write(open.map(|is_open| is_open.then(|| ColumnLine::whole(LineMark::End, NO_NEWLINE))), view, out)
}
