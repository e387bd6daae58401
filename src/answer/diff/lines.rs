//! Compares two texts by line and by word.

mod runs;
mod words;

use std::borrow::Cow;
use std::ops::Range;
use std::time::{Duration, Instant};

use self::runs::{Effort, RunPair, runs};
use super::Pair;

pub use self::words::{LinePiece, words};

/// What to ignore when lines are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ignore {
    /// Changes in the amount of whitespace, and trailing whitespace (`--ignore-space-change`).
    pub space_change: bool,
    /// Empty lines (`--ignore-blank-lines`).
    pub blank_lines: bool,
}

/// A run of lines that differ; empty on one side if lines are only added or removed.
///
/// A newline ends a line: nothing follows the last newline of a text, and the empty text has no lines. The newline is
/// not part of its line. If only one text ends with a newline, and no run includes the last line of either, both last
/// lines are a run. Lines are numbered from 0.
pub type LineChange = Pair<Range<usize>>;

/// The lines of a text without their newlines, as [`LineChange`] numbers them.
pub fn lines(text: &str) -> Vec<&str> {
    text.split_terminator('\n').collect()
}

/// The time limit for all comparisons. The limit on steps is lower, so only an overloaded machine reaches this one.
const TIME_LIMIT: Duration = Duration::from_secs(3);

/// Compares texts, with one bound on the effort for all of them.
#[derive(Debug)]
pub struct Comparer {
    ignore: Ignore,
    /// Whether the newline is part of its line.
    is_exact: bool,
    effort: Effort,
}

impl Comparer {
    pub fn new(ignore: Ignore) -> Self {
        Self { ignore, is_exact: false, effort: Effort::until(Instant::now() + TIME_LIMIT) }
    }

    /// Compares every byte: outside the runs, both texts have the same bytes.
    pub fn exact() -> Self {
        Self { is_exact: true, ..Self::new(Ignore::default()) }
    }

    /// Whether the effort ran out, so that matching lines may be shown as changed.
    pub fn is_coarse(&self) -> bool {
        self.effort.is_over()
    }

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
        // The newline is trailing whitespace.
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

    pub fn is_same(&self, left: &str, right: &str) -> bool {
        self.changes(left, right).is_empty()
    }

    /// The part of a line that is compared. Whitespace is as in `diff --ignore-space-change`, newline included.
    fn what_counts<'a>(&self, line: &'a str) -> Cow<'a, str> {
        if !self.ignore.space_change {
            return line.into();
        }
        let is_blank = |c: char| matches!(c, ' ' | '\t'..='\r');
        let words = line.trim_end_matches(is_blank).split(is_blank);
        // Leading whitespace is compared; it yields an empty word.
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

/// Adds the last lines to the runs, if no run includes the last line of either side. `lines`: the number on each side.
fn cover_ends(changes: &mut Vec<LineChange>, lines: Pair<usize>) {
    let end = changes.last().map_or(Pair::default(), |last| last.as_ref().map(|lines| lines.end));
    if end.left == lines.left || end.right == lines.right {
        return;
    }
    // Both sides are equal after the last run, so if one line follows it on the left, one does on the right.
    match changes.last_mut().filter(|_| end.left + 1 == lines.left) {
        Some(last) => (last.left.end, last.right.end) = (lines.left, lines.right),
        None => changes.push(LineChange { left: lines.left - 1..lines.left, right: lines.right - 1..lines.right }),
    }
}

/// All lines of a text; `None` if it is empty.
pub fn all_of(text: &str) -> Option<Range<usize>> {
    let count = text.split_terminator('\n').count();
    (count > 0).then_some(0..count)
}

pub fn differing<T: AsRef<str>>(old: &[T], new: &[T], deadline: Instant) -> impl Iterator<Item = RunPair> + use<T> {
    runs(old, new, &Effort::until(deadline)).into_iter()
}

/// The length of the common prefix in bytes, up to the end of a character.
pub fn common_prefix(left: &str, right: &str) -> usize {
    let same = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    left.floor_char_boundary(same)
}

#[cfg(test)]
pub(super) mod tests;
