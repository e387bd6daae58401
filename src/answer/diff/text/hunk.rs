//! The lines that differ between two texts, with context.

use std::borrow::Cow;
use std::ops::Range;

use super::line::{LineMark, MARGIN, in_pieces, mixed, whole};
use super::side_by_side::{self, ColumnLine};
use crate::answer::diff::hunks::{Hunk, NO_NEWLINE, hunks, lines_of};
use crate::answer::diff::refine::{ChangedLine, ChangedRow, Refiner, WordPiece, is_clear, merged, without_newline};
use crate::answer::diff::{DiffView, LineChange, Pair};
use crate::text::visible::seen;
use crate::write::layout::line_place;
use crate::write::report::{Line, Report, word};
use crate::write::screen::Screen;
use crate::write::theme::DIM;

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

    pub fn report(&self, view: &DiffView, report: &mut Report) {
        let hunks = hunks(&self.changes, self.lines.as_ref().map(Vec::len), view.context);
        hunks.iter().for_each(|hunk| self.hunk(hunk, view, report));
    }

    fn hunk(&self, hunk: &Hunk, view: &DiffView, report: &mut Report) {
        let Hunk { left, right, .. } = hunk;
        report.row(word(DIM, &format!("@@ {} · {} @@", self.name, self.places(left, right))));
        let mut shown = Pair { left: left.start, right: right.start };
        for change in hunk.changes {
            let same = Pair { left: shown.left..change.left.start, right: shown.right..change.right.start };
            self.same(same, view, report);
            self.change(change, view, report);
            shown = change.as_ref().map(|lines| lines.end);
        }
        self.same(Pair { left: shown.left..left.end, right: shown.right..right.end }, view, report);
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
    fn same(&self, lines: Pair<Range<usize>>, view: &DiffView, report: &mut Report) {
        let lines = self.lines.as_ref().zip(lines).map(|(lines, range)| lines.get(range).unwrap_or_default());
        if !view.side_by_side {
            let texts = lines.right.iter().map(|line| without_newline(line));
            return texts.for_each(|text| report.row(whole(LineMark::Both, text, view.screen.visible)));
        }
        for at in 0..lines.left.len().max(lines.right.len()) {
            let line = |side: &[&'a str]| Some(ColumnLine::whole(LineMark::Both, without_newline(side.get(at)?)));
            side_by_side::report(lines.map(line), view.screen.width, report);
        }
    }

    fn change(&self, change: &LineChange, view: &DiffView, report: &mut Report) {
        let rows = self.refiner.rows(&self.lines, change);
        let side = |of: fn(&ChangedRow<'a>) -> Option<&'a str>| rows.iter().filter_map(of).collect::<Vec<_>>();
        let old = side(|row| Some(row.left.as_ref()?.text));
        let new = side(|row| Some(row.right.as_ref()?.text));
        let is_unseen = !old.is_empty() && !new.is_empty() && old != new && seen(&old).eq(seen(&new));
        // Escapes a difference that would be invisible, as in `<U+200E>`.
        let view = &DiffView { screen: Screen { visible: view.screen.visible || is_unseen, ..view.screen }, ..*view };
        match (view.side_by_side, view.word_diff) {
            (true, _) => beside(&rows, view, report),
            (false, true) => by_word(&rows, view, report),
            (false, false) => {
                let old = rows.iter().filter_map(|row| row.left.as_ref());
                old.for_each(|it| line(LineMark::Old, it, view, report));
                let new = rows.iter().filter_map(|row| row.right.as_ref());
                new.for_each(|it| line(LineMark::New, it, view, report));
            }
        }
        if is_unseen {
            let sentence = "differs only in white space and invisible characters";
            report.row(Line::default().up_to(MARGIN).word(DIM, sentence));
        }
    }
}

fn line(mark: LineMark, line: &ChangedLine, view: &DiffView, report: &mut Report) {
    match &line.pieces {
        Some(pieces) => in_pieces(mark, pieces, view, report),
        None => report.row(whole(mark, line.text, view.screen.visible)),
    }
    if line.is_open {
        report.row(whole(LineMark::End, NO_NEWLINE, view.screen.visible));
    }
}

/// Which sides end in these rows without the newline that the other side has.
fn open(rows: &[ChangedRow]) -> Pair<bool> {
    let is_open = |line: &Option<ChangedLine>| line.as_ref().is_some_and(|line| line.is_open);
    Pair { left: rows.iter().any(|row| is_open(&row.left)), right: rows.iter().any(|row| is_open(&row.right)) }
}

/// Shows lines that replace each other as one line, with the words of both.
fn by_word(rows: &[ChangedRow], view: &DiffView, report: &mut Report) {
    let mut apart = 0..0;
    for (at, row) in rows.iter().enumerate() {
        match mixed_words(row) {
            Some(words) => {
                self::apart(&rows[apart], view, report);
                report.row(mixed(LineMark::Mixed, &words, view.screen.visible));
                apart = at + 1..at + 1;
            }
            None => apart.end = at + 1,
        }
    }
    self::apart(&rows[apart], view, report);
    let open = open(rows);
    if open.left || open.right {
        report.row(whole(LineMark::End, NO_NEWLINE, view.screen.visible));
    }
}

fn mixed_words<'a>(row: &ChangedRow<'a>) -> Option<Vec<WordPiece<'a>>> {
    let Pair { left, right } = row.as_ref().map(|line| line.as_ref()?.pieces.as_ref());
    merged(left?, right?)
}

/// Shows lines that are only removed or added, marked like words unless they contain such marks themselves.
fn apart(rows: &[ChangedRow], view: &DiffView, report: &mut Report) {
    let mut line = |mark, text: &str, word| {
        report.row(match text.is_empty() || !is_clear(&[word]) {
            true => whole(mark, text, view.screen.visible),
            false => mixed(mark, &[word], view.screen.visible),
        });
    };
    let old = rows.iter().filter_map(|row| row.left.as_ref());
    old.for_each(|it| line(LineMark::Old, it.text, WordPiece::Old(it.text)));
    let new = rows.iter().filter_map(|row| row.right.as_ref());
    new.for_each(|it| line(LineMark::New, it.text, WordPiece::New(it.text)));
}

/// Shows both sides in columns.
fn beside(rows: &[ChangedRow], view: &DiffView, report: &mut Report) {
    let marks = Pair { left: LineMark::Old, right: LineMark::New };
    for row in rows {
        let lines = row.as_ref().zip(marks).map(|(line, mark)| Some(ColumnLine::changed(mark, line.as_ref()?)));
        side_by_side::report(lines, view.screen.width, report);
    }
    let ends = open(rows).map(|is_open| is_open.then(|| ColumnLine::whole(LineMark::End, NO_NEWLINE)));
    side_by_side::report(ends, view.screen.width, report);
}
