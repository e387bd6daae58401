//! Which changed line stands for which, and the words in which they differ.

use std::cell::Cell;

use crate::diff::lines::Piece;
use crate::diff::words;

/// Nobody reads longer runs of changed lines word by word.
const MOST_LINES: usize = 2000;

/// What comparing words may cost in all that is written: the product of the lengths of each two lines, which is at most
/// [`MOST_OF_PAIR`]. That takes some two seconds.
const PATIENCE: usize = 1_000_000_000;

/// Likewise, for a few lines among much else.
const LITTLE: usize = 20_000_000;

/// Words of longer lines are not compared all with all.
const MOST_OF_PAIR: usize = 100_000_000;

/// Runs of different lengths are searched for lines that belong together if there are no more pairs than this.
const MOST_PAIRS: usize = 100;

/// A line that replaces another, in pieces.
#[derive(Debug)]
pub struct Replaced<'a> {
    /// Index of the line on the left, in the run.
    pub left: usize,
    /// Index of the line on the right.
    pub right: usize,
    /// The left line.
    pub old: Vec<Piece<'a>>,
    /// The right line.
    pub new: Vec<Piece<'a>>,
}

/// Finds them, until its patience ends: the same for the same texts, on any machine. One is enough for all that is written.
pub struct Refiner {
    left: Cell<usize>,
    is_over: Cell<bool>,
}

impl Default for Refiner {
    fn default() -> Self {
        Self { left: Cell::new(PATIENCE), is_over: Cell::new(false) }
    }
}

impl Refiner {
    /// One for a few lines among much else.
    pub fn brief() -> Self {
        Self { left: Cell::new(LITTLE), ..Self::default() }
    }

    /// Whether its patience ended, so that lines are said to differ as a whole.
    pub fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// The lines of a run that stand for each other, in order. Lines are without their breaks.
    pub fn replaced<'a>(&self, left: &[&'a str], right: &[&'a str]) -> Vec<Replaced<'a>> {
        if left.len().max(right.len()) > MOST_LINES {
            return Vec::new();
        }
        if left.len() == right.len() || left.len() * right.len() > MOST_PAIRS {
            let both = left.iter().zip(right).enumerate();
            return both.filter_map(|(at, (old, new))| self.pair(at, at, old, new)).collect();
        }
        let mut next = 0;
        let mut found = Vec::new();
        for (at, old) in left.iter().enumerate() {
            let mut rest = (next..right.len()).filter_map(|to| self.pair(at, to, old, right[to]));
            if let Some(pair) = rest.next() {
                next = pair.right + 1;
                found.push(pair);
            }
        }
        found
    }

    /// None where nothing that is seen is in both.
    fn pair<'a>(&self, left: usize, right: usize, old: &'a str, new: &'a str) -> Option<Replaced<'a>> {
        let cost = old.len().saturating_mul(new.len()).min(MOST_OF_PAIR);
        let Some(rest) = self.left.get().checked_sub(cost) else {
            self.is_over.set(true);
            return None;
        };
        self.left.set(rest);
        let (old, new) = words(old, new);
        let shares = old.iter().any(|piece| !piece.is_changed && !piece.text.trim().is_empty());
        shares.then_some(Replaced { left, right, old, new })
    }
}

/// What one line of two became.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word<'a> {
    /// In both.
    Both(&'a str),
    /// On the left alone.
    Old(&'a str),
    /// On the right alone.
    New(&'a str),
}

impl<'a> Word<'a> {
    /// Its text, and what a word diff puts around it.
    pub fn marked(self) -> (&'static str, &'a str, &'static str) {
        match self {
            Self::Both(text) => ("", text, ""),
            Self::Old(text) => ("[-", text, "-]"),
            Self::New(text) => ("{+", text, "+}"),
        }
    }
}

/// Whether every mark in a line of a word diff is ours, so that nobody takes the prompt's own text for one.
pub fn is_clear(words: &[Word]) -> bool {
    let mut line = String::new();
    let mut marks = [0; 2];
    for word in words {
        let (open, text, close) = word.marked();
        line.extend([open, text, close]);
        marks[0] += usize::from(open == "[-");
        marks[1] += usize::from(open == "{+");
    }
    let seen = ["[-", "-]", "{+", "+}"].map(|mark| line.matches(mark).count());
    seen == [marks[0], marks[0], marks[1], marks[1]]
}

/// Both lines in one, what is gone in front of what is new; none where they do not share what they say they share, or
/// where the marks of a word diff stand in the text itself.
pub fn merged<'a>(old: &[Piece<'a>], new: &[Piece<'a>]) -> Option<Vec<Word<'a>>> {
    let (mut old, mut new) = (old.iter().copied().peekable(), new.iter().copied().peekable());
    let mut all = Vec::new();
    loop {
        while let Some(piece) = old.next_if(|piece| piece.is_changed) {
            all.push(Word::Old(piece.text));
        }
        while let Some(piece) = new.next_if(|piece| piece.is_changed) {
            all.push(Word::New(piece.text));
        }
        let (Some(left), Some(right)) = (old.peek_mut(), new.peek_mut()) else { break };
        // What both share may be cut in other places on either side.
        let shared = left.text.len().min(right.text.len());
        let (text, left_rest) = left.text.split_at_checked(shared)?;
        let (other, right_rest) = right.text.split_at_checked(shared)?;
        if text != other {
            return None;
        }
        all.push(Word::Both(text));
        (left.text, right.text) = (left_rest, right_rest);
        old.next_if(|piece| piece.text.is_empty());
        new.next_if(|piece| piece.text.is_empty());
    }
    (old.next().is_none() && new.next().is_none() && is_clear(&all)).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<'a>(all: &[(&'a str, bool)]) -> Vec<Piece<'a>> {
        all.iter().map(|&(text, is_changed)| Piece { text, is_changed }).collect()
    }

    #[test]
    fn what_both_share_is_found_wherever_it_is_cut() {
        let old = pieces(&[("a b ", false), ("c", true), (" d", false)]);
        let new = pieces(&[("a ", false), ("x ", true), ("b ", false), (" d", false)]);
        use Word::{Both, New, Old};
        assert_eq!(merged(&old, &new), Some(vec![Both("a "), New("x "), Both("b "), Old("c"), Both(" d")]));
        assert_eq!(merged(&old, &pieces(&[("q", false)])), None);
        assert_eq!(merged(&old, &pieces(&[("a b ", false)])), None);
        assert_eq!(merged(&pieces(&[("é", false)]), &pieces(&[("e", false)])), None);
    }

    #[test]
    fn marks_in_the_text_are_not_taken_for_marks() {
        let old = pieces(&[("see ", false), ("[-1]", true)]);
        assert_eq!(merged(&old, &pieces(&[("see ", false), ("2", true)])), None);
        let marks = [("{ }", true), ("a {", false), ("]", false), ("-", false)];
        assert_eq!(marks.map(|(text, _)| is_clear(&[Word::New(text)])), [true, false, true, true]);
        assert_eq!(["]", "[", "a-", "+"].map(|text| is_clear(&[Word::Old(text)])), [false, false, true, true]);
    }
}
