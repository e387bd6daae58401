//! Which lines of two texts differ, and which words of those.

mod runs;
mod words;

use std::borrow::Cow;
use std::ops::Range;
use std::time::{Duration, Instant};

use self::runs::{Effort, Run, runs};
use super::Pair;

pub use self::words::{Piece, words};

/// What does not count as a difference between lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ignore {
    /// How many blanks stand in a row, and those at the end (`--ignore-space-change`).
    pub space_change: bool,
    /// Lines without a character (`--ignore-blank-lines`).
    pub blank_lines: bool,
}

/// A run of lines that differ; on one side it may be empty.
///
/// A line is what a line break ends: a text that ends with one has no further line behind it, and the empty text has none.
/// The break is no part of its line. Where one text ends with a break and the other does not, and no run holds the last line
/// of either, both last lines are a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineChange {
    /// The lines on the left side, from 0.
    pub left: Range<usize>,
    /// The lines on the right side, from 0.
    pub right: Range<usize>,
}

/// The lines of a text without their breaks, as [`LineChange`] counts them.
pub fn lines(text: &str) -> Vec<&str> {
    text.split_terminator('\n').collect()
}

/// How long comparing takes at most, in all. Its effort is bounded whatever the time, and this is behind that; so it is
/// long enough that only an overloaded machine reaches it.
const PATIENCE: Duration = Duration::from_secs(3);

/// Compares texts, with as much effort as it has for all of them.
#[derive(Debug)]
pub struct Comparer {
    ignore: Ignore,
    /// Whether the break is part of its line, so that a last line without one differs from the same line with one.
    is_exact: bool,
    effort: Effort,
}

impl Comparer {
    /// One that has compared nothing yet.
    pub fn new(ignore: Ignore) -> Self {
        Self { ignore, is_exact: false, effort: Effort::until(Instant::now() + PATIENCE) }
    }

    /// One to which every byte counts: outside of its runs both texts have the same bytes.
    pub fn exact() -> Self {
        Self { is_exact: true, ..Self::new(Ignore::default()) }
    }

    /// Whether it took too much effort, so that lines are said to differ that might have been matched.
    pub fn is_coarse(&self) -> bool {
        self.effort.is_over()
    }

    /// The runs of lines that differ, in order.
    pub fn changes(&self, left: &str, right: &str) -> Vec<LineChange> {
        if left == right {
            return Vec::new();
        }
        let what_counts = |text| -> Vec<Cow<str>> {
            let lines: Vec<&str> = if self.is_exact { str::split_inclusive(text, '\n').collect() } else { lines(text) };
            lines.into_iter().map(|line| self.what_counts(line)).collect()
        };
        let (old, new) = (what_counts(left), what_counts(right));
        let runs = runs(&old, &new, &self.effort).into_iter();
        let mut changes: Vec<_> = runs.map(|(left, right)| LineChange { left, right }).collect();
        // At the end of a line the break is a blank like others.
        if left.ends_with('\n') != right.ends_with('\n') && !self.ignore.space_change {
            cover_ends(&mut changes, Pair { left: old.len(), right: new.len() });
        }
        if self.ignore.blank_lines {
            let is_blank = |line: &Cow<str>| line.trim_end_matches('\n').is_empty();
            changes.retain(|change| {
                let mut lines = old[change.left.clone()].iter().chain(&new[change.right.clone()]);
                !lines.all(is_blank)
            });
        }
        changes
    }

    /// Whether nothing differs that counts.
    pub fn is_same(&self, left: &str, right: &str) -> bool {
        self.changes(left, right).is_empty()
    }

    /// What of a line counts. Blanks are those of `diff --ignore-space-change`, and the line break is one of them.
    fn what_counts<'a>(&self, line: &'a str) -> Cow<'a, str> {
        if !self.ignore.space_change {
            return line.into();
        }
        let is_blank = |c: char| matches!(c, ' ' | '\t'..='\r');
        let words = line.trim_end_matches(is_blank).split(is_blank);
        // A blank in front counts, and an empty word stands for it.
        let mut out = String::new();
        for (index, word) in words.enumerate() {
            if index > 0 && !out.ends_with(' ') {
                out.push(' ');
            }
            out.push_str(word);
        }
        out.into()
    }
}

/// Makes the last line of either side, of which there are so many, part of a run, if neither is.
fn cover_ends(changes: &mut Vec<LineChange>, lines: Pair<usize>) {
    let end =
        changes.last().map_or(Pair { left: 0, right: 0 }, |last| Pair { left: last.left.end, right: last.right.end });
    if end.left == lines.left || end.right == lines.right {
        return;
    }
    // Behind the last run both sides are the same, so that what touches it on one side does so on the other.
    match changes.last_mut().filter(|_| end.left + 1 == lines.left) {
        Some(last) => (last.left.end, last.right.end) = (lines.left, lines.right),
        None => changes.push(LineChange { left: lines.left - 1..lines.left, right: lines.right - 1..lines.right }),
    }
}

/// All of a text as one run that the other side does not have; nothing of an empty one.
pub fn all_of(text: &str) -> Option<Range<usize>> {
    let count = text.split_terminator('\n').count();
    (count > 0).then_some(0..count)
}

/// The runs of lines that differ, in either list.
pub fn differing<T: AsRef<str>>(old: &[T], new: &[T], deadline: Instant) -> impl Iterator<Item = Run> + use<T> {
    runs(old, new, &Effort::until(deadline)).into_iter()
}

/// How many bytes both texts begin with, to the end of a character.
pub fn common_prefix(left: &str, right: &str) -> usize {
    let same = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    left.floor_char_boundary(same)
}

#[cfg(test)]
pub(super) mod tests;
