//! The lines that differ between two texts, with context.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use super::line::{LineMark, MARGIN, in_pieces, mixed, whole};
use super::refine::{LinePair, Refiner, WordPiece, is_clear, merged};
use super::side_by_side::{self, ColumnLine};
use crate::answer::diff::hunks::{Hunk, ends_differ, hunks, lines_of};
use crate::answer::diff::lines::LinePiece;
use crate::answer::diff::{DiffView, LineChange, Pair};
use crate::text::visible::{seen, visible_line};
use crate::write::layout::line_place;

/// The remark below a last line without a newline, as in `diff`.
pub const NO_NEWLINE: &str = "No newline at end of text";

/// The lines of two texts, and the runs in which they differ.
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
        if !view.side_by_side {
            let lines = self.lines.right.get(lines.right).unwrap_or_default();
            return lines.iter().try_for_each(|line| whole(LineMark::Both, text(line), view, out));
        }
        let both = self.texts(lines);
        zipped(both.as_ref().map(Vec::as_slice), Pair { left: LineMark::Both, right: LineMark::Both }, view, out)
    }

    /// The lines of each side without their newlines.
    fn texts(&self, lines: Pair<Range<usize>>) -> Pair<Vec<&'a str>> {
        let lines = self.lines.as_ref().zip(lines);
        lines.map(|(lines, range)| lines.get(range).unwrap_or_default().iter().copied().map(text).collect())
    }

    fn change(&self, change: &LineChange, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
        let Pair { left: old, right: new } = self.texts(change.clone());
        let is_unseen = !old.is_empty() && !new.is_empty() && old != new && seen(&old).eq(seen(&new));
        // Escapes a difference that would be invisible, as in `<U+200E>`.
        let view = &DiffView { visible: view.visible || is_unseen, ..*view };
        let pairs = self.refiner.replaced(&old, &new);
        let lines = ChangedLines { old: &old, new: &new, pairs: &pairs, ends: self.ends(change), view };
        match (view.side_by_side, view.word_diff) {
            (true, _) => lines.beside(out)?,
            (false, true) => lines.by_word(out)?,
            (false, false) => lines.unified(out)?,
        }
        if is_unseen {
            let sentence = "differs only in white space and invisible characters";
            writeln!(out, "{:MARGIN$}{}", "", view.theme.dim().style(sentence))?;
        }
        Ok(())
    }

    /// Whether a change includes the last line of a side without a newline, if the other side ends with one.
    fn ends(&self, change: &LineChange) -> Pair<bool> {
        let differ = ends_differ(&self.lines);
        self.lines.as_ref().zip(change.clone()).map(|(lines, range)| {
            differ && lines.get(range).unwrap_or_default().last().is_some_and(|line| !line.ends_with('\n'))
        })
    }
}

/// A line without its newline.
fn text(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

/// Writes lines of both sides in columns.
fn zipped(lines: Pair<&[&str]>, marks: Pair<LineMark>, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    (0..lines.left.len().max(lines.right.len())).try_for_each(|at| {
        let row = lines.zip(marks).map(|(lines, mark)| Some(ColumnLine::whole(mark, lines.get(at)?)));
        side_by_side::write(row, view, out)
    })
}

/// A run of lines that differ.
struct ChangedLines<'a, 'v> {
    old: &'v [&'a str],
    new: &'v [&'a str],
    /// The lines that replace each other.
    pairs: &'v [LinePair<'a>],
    /// The result of [`Hunks::ends`].
    ends: Pair<bool>,
    view: &'v DiffView,
}

impl<'a, 'v> ChangedLines<'a, 'v> {
    fn unified(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.side(LineMark::Old, self.old, self.pairs.iter().map(|pair| (pair.left, &*pair.old)), out)?;
        self.end(self.ends.left, out)?;
        self.side(LineMark::New, self.new, self.pairs.iter().map(|pair| (pair.right, &*pair.new)), out)?;
        self.end(self.ends.right, out)
    }

    fn side<'p>(
        &self,
        mark: LineMark,
        lines: &[&str],
        pieces: impl Iterator<Item = (usize, &'p [LinePiece<'p>])>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        let mut pieces = pieces.peekable();
        for (at, line) in lines.iter().enumerate() {
            match pieces.next_if(|(of, _)| *of == at) {
                Some((_, pieces)) => in_pieces(mark, pieces, self.view, out)?,
                None => whole(mark, line, self.view, out)?,
            }
        }
        Ok(())
    }

    /// Writes lines that replace each other as one line, with the words of both.
    fn by_word(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut at = Pair { left: 0, right: 0 };
        let merged = self.pairs.iter().filter_map(|pair| Some((pair, merged(&pair.old, &pair.new)?)));
        for (pair, words) in merged {
            self.apart(at.left..pair.left, at.right..pair.right, out)?;
            mixed(LineMark::Mixed, &words, self.view, out)?;
            at = Pair { left: pair.left + 1, right: pair.right + 1 };
        }
        self.apart(at.left..self.old.len(), at.right..self.new.len(), out)?;
        self.end(self.ends.left || self.ends.right, out)
    }

    /// Writes lines that are only removed or added, marked like words unless they contain such marks themselves.
    fn apart(&self, left: Range<usize>, right: Range<usize>, out: &mut dyn io::Write) -> io::Result<()> {
        let line = |mark, line: &str, word, out: &mut dyn io::Write| match line.is_empty() || !is_clear(&[word]) {
            true => whole(mark, line, self.view, out),
            false => mixed(mark, &[word], self.view, out),
        };
        self.old[left].iter().try_for_each(|old| line(LineMark::Old, old, WordPiece::Old(old), out))?;
        self.new[right].iter().try_for_each(|new| line(LineMark::New, new, WordPiece::New(new), out))
    }

    /// Writes both sides in columns, with lines that replace each other on one row.
    fn beside(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut at = Pair { left: 0, right: 0 };
        for pair in self.pairs {
            self.zipped(at.left..pair.left, at.right..pair.right, out)?;
            let row = Pair { left: (LineMark::Old, &pair.old), right: (LineMark::New, &pair.new) };
            let row = row.map(|(mark, pieces)| Some(ColumnLine { mark, pieces: pieces.clone(), is_refined: true }));
            side_by_side::write(row, self.view, out)?;
            at = Pair { left: pair.left + 1, right: pair.right + 1 };
        }
        self.zipped(at.left..self.old.len(), at.right..self.new.len(), out)?;
        if self.ends.left || self.ends.right {
            let notes = self.ends.map(|is_open| is_open.then(|| ColumnLine::whole(LineMark::End, NO_NEWLINE)));
            side_by_side::write(notes, self.view, out)?;
        }
        Ok(())
    }

    fn zipped(&self, left: Range<usize>, right: Range<usize>, out: &mut dyn io::Write) -> io::Result<()> {
        let marks = Pair { left: LineMark::Old, right: LineMark::New };
        zipped(Pair { left: &self.old[left], right: &self.new[right] }, marks, self.view, out)
    }

    fn end(&self, is_open: bool, out: &mut dyn io::Write) -> io::Result<()> {
        if is_open { whole(LineMark::End, NO_NEWLINE, self.view, out) } else { Ok(()) }
    }
}
