//! The lines that differ between two texts, with some around them.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use super::line::{MARGIN, Mark, in_pieces, mixed, whole};
use super::refine::{Refiner, Replaced, Word, is_clear, merged};
use super::side_by_side::{self, Row};
use crate::diff::hunks::{Hunk, hunks};
use crate::diff::lines::Piece;
use crate::diff::{LineChange, Pair, View};
use crate::layout::line_place;
use crate::text::visible::{seen, visible_line};

/// What `diff` says below a last line without a line break.
pub const NO_NEWLINE: &str = "No newline at end of text";

/// Two texts in lines, and where they differ.
pub struct Hunks<'a> {
    /// What stands in front of the numbers: `system · project/deploy/rules`.
    name: &'a str,
    /// The lines of each side, with their breaks.
    lines: Pair<Vec<&'a str>>,
    /// The runs that differ, in order.
    changes: Cow<'a, [LineChange]>,
    refiner: &'a Refiner,
}

impl<'a> Hunks<'a> {
    /// Of two texts; a text of which nothing is there is empty.
    pub fn new(name: &'a str, left: &'a str, right: &'a str, changes: &'a [LineChange], refiner: &'a Refiner) -> Self {
        let lines = |text: &'a str| text.split_inclusive('\n').collect();
        let lines = Pair { left: lines(left), right: lines(right) };
        Self { name, lines, changes: Cow::Borrowed(changes), refiner }
    }

    /// The same with so many changed lines at most; how many that leaves out.
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
            let cut = LineChange {
                left: change.left.start..change.left.start + left,
                right: change.right.start..change.right.start + right,
            };
            if cut != *change {
                // What follows is not what stands around it.
                self.lines.left.truncate(cut.left.end);
                self.lines.right.truncate(cut.right.end);
            }
            kept.push(cut);
        }
        let shown: usize = kept.iter().map(size).sum();
        self.changes = Cow::Owned(kept);
        (self, all - shown)
    }

    /// Writes them.
    pub fn write(&self, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
        let lines = Pair { left: self.lines.left.len(), right: self.lines.right.len() };
        hunks(&self.changes, lines, view.context).iter().try_for_each(|hunk| self.hunk(hunk, view, out))
    }

    fn hunk(&self, hunk: &Hunk, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
        let Hunk { left, right, .. } = hunk;
        let heading = format!("@@ {} · {} @@", visible_line(self.name), self.places(left, right));
        writeln!(out, "{}", view.theme.dim().style(heading))?;

        let mut shown = Pair { left: left.start, right: right.start };
        for change in hunk.changes() {
            self.same(shown.left..change.left.start, shown.right..change.right.start, view, out)?;
            self.change(change, view, out)?;
            shown = Pair { left: change.left.end, right: change.right.end };
        }
        self.same(shown.left..left.end, shown.right..right.end, view, out)
    }

    /// Which lines of either side a hunk shows, in words.
    fn places(&self, left: &Range<usize>, right: &Range<usize>) -> String {
        match (self.lines.left.is_empty(), self.lines.right.is_empty()) {
            (true, _) => line_place(right),
            (_, true) => line_place(left),
            _ if left == right => line_place(right),
            _ => format!("{} → {}", line_place(left), line_place(right)),
        }
    }

    /// Lines that do not differ so that it counts: as the right side has them, unless both stand beside each other.
    fn same(&self, left: Range<usize>, right: Range<usize>, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
        if !view.side_by_side {
            let lines = self.lines.right.get(right).unwrap_or_default();
            return lines.iter().try_for_each(|line| whole(Mark::Both, text(line), view, out));
        }
        let (left, right) = (self.left(left), self.right(right));
        (0..left.len().max(right.len())).try_for_each(|at| {
            let row = |lines: &[&'a str]| lines.get(at).map(|line| Row::whole(Mark::Both, text(line)));
            side_by_side::write(row(left), row(right), view, out)
        })
    }

    fn left(&self, lines: Range<usize>) -> &[&'a str] {
        self.lines.left.get(lines).unwrap_or_default()
    }

    fn right(&self, lines: Range<usize>) -> &[&'a str] {
        self.lines.right.get(lines).unwrap_or_default()
    }

    fn change(&self, change: &LineChange, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
        let (left, right) = (self.left(change.left.clone()), self.right(change.right.clone()));
        let texts = |lines: &[&'a str]| -> Vec<&'a str> { lines.iter().copied().map(text).collect() };
        let (old, new) = (texts(left), texts(right));
        let is_unseen = !old.is_empty() && !new.is_empty() && old != new && seen(&old).eq(seen(&new));
        // What only a program would tell apart is shown as `<U+200E>`.
        let view = &View { visible: view.visible || is_unseen, ..*view };
        let pairs = self.refiner.replaced(&old, &new);
        let ends = self.ends(left, right);
        let lines = Lines { old: &old, new: &new, pairs: &pairs, ends, view };
        match (view.side_by_side, view.word_diff) {
            (true, _) => lines.beside(out)?,
            (false, true) => lines.by_word(out)?,
            (false, false) => lines.unified(out)?,
        }
        if is_unseen {
            let sentence = "differs in nothing but blanks and characters that are not seen";
            writeln!(out, "{:MARGIN$}{}", "", view.theme.dim().style(sentence))?;
        }
        Ok(())
    }

    /// Whether the lines end a side without a line break, where the other side ends with one.
    fn ends(&self, left: &[&str], right: &[&str]) -> Pair<bool> {
        let is_open = |lines: &[&str]| lines.last().is_some_and(|line| !line.ends_with('\n'));
        let differ = !self.lines.left.is_empty()
            && !self.lines.right.is_empty()
            && is_open(&self.lines.left) != is_open(&self.lines.right);
        Pair { left: differ && is_open(left), right: differ && is_open(right) }
    }
}

/// A line without its break.
fn text(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

/// A run of lines that differ.
struct Lines<'a, 'v> {
    old: &'v [&'a str],
    new: &'v [&'a str],
    /// Those that stand for each other.
    pairs: &'v [Replaced<'a>],
    /// Whether the last line of a side has no break where the other side has one.
    ends: Pair<bool>,
    view: &'v View,
}

impl<'a, 'v> Lines<'a, 'v> {
    /// All lines of the left side, then all of the right.
    fn unified(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.side(Mark::Old, self.old, self.pairs.iter().map(|pair| (pair.left, &*pair.old)), out)?;
        self.end(self.ends.left, out)?;
        self.side(Mark::New, self.new, self.pairs.iter().map(|pair| (pair.right, &*pair.new)), out)?;
        self.end(self.ends.right, out)
    }

    fn side<'p>(
        &self,
        mark: Mark,
        lines: &[&str],
        pieces: impl Iterator<Item = (usize, &'p [Piece<'p>])>,
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

    /// Lines that stand for each other in one, with the words of both.
    fn by_word(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut at = Pair { left: 0, right: 0 };
        let merged = self.pairs.iter().filter_map(|pair| Some((pair, merged(&pair.old, &pair.new)?)));
        for (pair, words) in merged {
            self.apart(at.left..pair.left, at.right..pair.right, out)?;
            mixed(Mark::Mixed, &words, self.view, out)?;
            at = Pair { left: pair.left + 1, right: pair.right + 1 };
        }
        self.apart(at.left..self.old.len(), at.right..self.new.len(), out)?;
        self.end(self.ends.left || self.ends.right, out)
    }

    /// Whole lines that are gone or new. A word diff marks them as it marks words, unless they hold such marks.
    fn apart(&self, left: Range<usize>, right: Range<usize>, out: &mut dyn io::Write) -> io::Result<()> {
        let line = |mark, line: &str, word, out: &mut dyn io::Write| match line.is_empty() || !is_clear(&[word]) {
            true => whole(mark, line, self.view, out),
            false => mixed(mark, &[word], self.view, out),
        };
        self.old[left].iter().try_for_each(|old| line(Mark::Old, old, Word::Old(old), out))?;
        self.new[right].iter().try_for_each(|new| line(Mark::New, new, Word::New(new), out))
    }

    /// Both sides beside each other; lines that stand for each other on one row.
    fn beside(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut at = Pair { left: 0, right: 0 };
        for pair in self.pairs {
            self.zipped(at.left..pair.left, at.right..pair.right, out)?;
            let left = Row { mark: Mark::Old, pieces: pair.old.clone(), is_refined: true };
            let right = Row { mark: Mark::New, pieces: pair.new.clone(), is_refined: true };
            side_by_side::write(Some(left), Some(right), self.view, out)?;
            at = Pair { left: pair.left + 1, right: pair.right + 1 };
        }
        self.zipped(at.left..self.old.len(), at.right..self.new.len(), out)?;
        if self.ends.left || self.ends.right {
            let note = |is_there: bool| is_there.then(|| Row::whole(Mark::End, NO_NEWLINE));
            side_by_side::write(note(self.ends.left), note(self.ends.right), self.view, out)?;
        }
        Ok(())
    }

    fn zipped(&self, left: Range<usize>, right: Range<usize>, out: &mut dyn io::Write) -> io::Result<()> {
        let (old, new) = (&self.old[left], &self.new[right]);
        (0..old.len().max(new.len())).try_for_each(|at| {
            let row = |mark, lines: &[&'a str]| lines.get(at).map(|line| Row::whole(mark, line));
            side_by_side::write(row(Mark::Old, old), row(Mark::New, new), self.view, out)
        })
    }

    fn end(&self, is_open: bool, out: &mut dyn io::Write) -> io::Result<()> {
        if is_open { whole(Mark::End, NO_NEWLINE, self.view, out) } else { Ok(()) }
    }
}
