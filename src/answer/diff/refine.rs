//! Pairs changed lines, and finds the words in which they differ.

use std::cell::Cell;

use super::hunks::ends_differ;
use super::lines::LinePiece;
use super::{LineChange, Pair, words};

/// The length of a run of changed lines above which words are not compared.
const MOST_LINES: usize = 2000;

/// The effort for all comparisons of words: the sum over pairs of lines of the product of their lengths, each at most
/// [`MOST_OF_PAIR`]. Takes about two seconds.
const EFFORT_LIMIT: usize = 1_000_000_000;

/// The effort for one of many prompts.
const EFFORT_LIMIT_EACH: usize = 20_000_000;

const MOST_OF_PAIR: usize = 100_000_000;

/// The number of pairs up to which runs of different lengths are searched for similar lines.
const MOST_PAIRS: usize = 100;

/// A line of one side that differs, without its newline.
pub struct ChangedLine<'a> {
    pub text: &'a str,
    /// `None` if it has no words in common with the line next to it.
    pub pieces: Option<Vec<LinePiece<'a>>>,
    /// Whether it is the last line and lacks the newline that the other side has.
    pub is_open: bool,
}

/// Lines next to each other, which replace each other if both have pieces.
pub type ChangedRow<'a> = Pair<Option<ChangedLine<'a>>>;

/// A line and its replacement, in pieces.
struct LinePair<'a> {
    /// Indices in the run.
    at: Pair<usize>,
    pieces: Pair<Vec<LinePiece<'a>>>,
}

/// Pairs lines with a bound on the effort that depends only on the texts.
pub struct Refiner {
    left: Cell<usize>,
    is_over: Cell<bool>,
}

impl Default for Refiner {
    fn default() -> Self {
        Self { left: Cell::new(EFFORT_LIMIT), is_over: Cell::new(false) }
    }
}

impl Refiner {
    /// For one of many prompts.
    pub fn brief() -> Self {
        Self { left: Cell::new(EFFORT_LIMIT_EACH), ..Self::default() }
    }

    /// Whether the effort ran out.
    pub fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// The rows of a run. Lines that replace each other share a row; the others fill the rows between.
    pub fn rows<'a>(&self, lines: &Pair<Vec<&'a str>>, change: &LineChange) -> Vec<ChangedRow<'a>> {
        let ends_differ = ends_differ(lines);
        let run = lines.as_ref().zip(change.clone()).map(|(lines, range)| &lines[range]);
        let texts = run.map(|run| run.iter().copied().map(without_newline).collect::<Vec<_>>());
        let line = |(run, at): (&[&'a str], Option<usize>)| {
            let line = run.get(at?)?;
            let is_open = ends_differ && !line.ends_with('\n');
            Some(ChangedLine { text: without_newline(line), pieces: None, is_open })
        };
        let row = |at: Pair<Option<usize>>| run.zip(at).map(line);
        let mut rows = Vec::new();
        let mut next = Pair { left: 0, right: 0 };
        let mut fill = |rows: &mut Vec<_>, to: Pair<usize>| {
            let gaps = next.zip(to);
            let longest = gaps.map(|(from, to)| to - from).into_array().into_iter().max().unwrap_or_default();
            let at = |offset| gaps.map(|(from, to)| Some(from + offset).filter(|at| *at < to));
            rows.extend((0..longest).map(|offset| row(at(offset))));
            next = to.map(|to| to + 1);
        };
        for LinePair { at, pieces } in self.replaced(&texts.left, &texts.right) {
            fill(&mut rows, at);
            let refined = row(at.map(Some)).zip(pieces);
            rows.push(refined.map(|(line, pieces)| line.map(|line| ChangedLine { pieces: Some(pieces), ..line })));
        }
        fill(&mut rows, run.map(|run| run.len()));
        rows
    }

    /// The lines of a run that replace each other, in order.
    fn replaced<'a>(&self, left: &[&'a str], right: &[&'a str]) -> Vec<LinePair<'a>> {
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
                next = pair.at.right + 1;
                found.push(pair);
            }
        }
        found
    }

    /// `None` if the lines share only whitespace, or if the effort ran out.
    fn pair<'a>(&self, left: usize, right: usize, old: &'a str, new: &'a str) -> Option<LinePair<'a>> {
        let cost = old.len().saturating_mul(new.len()).min(MOST_OF_PAIR);
        let Some(rest) = self.left.get().checked_sub(cost) else {
            self.is_over.set(true);
            return None;
        };
        self.left.set(rest);
        let (old, new) = words(old, new);
        let shares = old.iter().any(|piece| !piece.is_changed && !piece.text.trim().is_empty());
        shares.then_some(LinePair { at: Pair { left, right }, pieces: Pair { left: old, right: new } })
    }
}

pub fn without_newline(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordPiece<'a> {
    Both(&'a str),
    Old(&'a str),
    New(&'a str),
}

impl<'a> WordPiece<'a> {
    /// The text between the marks of a word diff.
    pub fn marked(self) -> (&'static str, &'a str, &'static str) {
        match self {
            Self::Both(text) => ("", text, ""),
            Self::Old(text) => ("[-", text, "-]"),
            Self::New(text) => ("{+", text, "+}"),
        }
    }
}

/// Whether no text of a word diff could be mistaken for its marks.
pub fn is_clear(words: &[WordPiece]) -> bool {
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

/// Both lines in one, removed words before added ones; `None` if the shared pieces do not match, or if the text
/// contains the marks of a word diff.
pub fn merged<'a>(old: &[LinePiece<'a>], new: &[LinePiece<'a>]) -> Option<Vec<WordPiece<'a>>> {
    let (mut old, mut new) = (old.iter().copied().peekable(), new.iter().copied().peekable());
    let mut all = Vec::new();
    loop {
        while let Some(piece) = old.next_if(|piece| piece.is_changed) {
            all.push(WordPiece::Old(piece.text));
        }
        while let Some(piece) = new.next_if(|piece| piece.is_changed) {
            all.push(WordPiece::New(piece.text));
        }
        let (Some(left), Some(right)) = (old.peek_mut(), new.peek_mut()) else { break };
        // Shared text may be split differently on each side.
        let shared = left.text.len().min(right.text.len());
        let (text, left_rest) = left.text.split_at_checked(shared)?;
        let (other, right_rest) = right.text.split_at_checked(shared)?;
        if text != other {
            return None;
        }
        all.push(WordPiece::Both(text));
        (left.text, right.text) = (left_rest, right_rest);
        old.next_if(|piece| piece.text.is_empty());
        new.next_if(|piece| piece.text.is_empty());
    }
    (old.next().is_none() && new.next().is_none() && is_clear(&all)).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<'a>(all: &[(&'a str, bool)]) -> Vec<LinePiece<'a>> {
        all.iter().map(|&(text, is_changed)| LinePiece { text, is_changed }).collect()
    }

    #[test]
    fn shared_text_matches_however_it_is_split() {
        let old = pieces(&[("a b ", false), ("c", true), (" d", false)]);
        let new = pieces(&[("a ", false), ("x ", true), ("b ", false), (" d", false)]);
        use WordPiece::{Both, New, Old};
        assert_eq!(merged(&old, &new), Some(vec![Both("a "), New("x "), Both("b "), Old("c"), Both(" d")]));
        assert_eq!(merged(&old, &pieces(&[("q", false)])), None);
        assert_eq!(merged(&old, &pieces(&[("a b ", false)])), None);
        assert_eq!(merged(&pieces(&[("é", false)]), &pieces(&[("e", false)])), None);
    }

    #[test]
    fn marks_in_the_text_are_not_mistaken_for_marks() {
        let old = pieces(&[("see ", false), ("[-1]", true)]);
        assert_eq!(merged(&old, &pieces(&[("see ", false), ("2", true)])), None);
        let marks = [("{ }", true), ("a {", false), ("]", false), ("-", false)];
        assert_eq!(marks.map(|(text, _)| is_clear(&[WordPiece::New(text)])), [true, false, true, true]);
        assert_eq!(["]", "[", "a-", "+"].map(|text| is_clear(&[WordPiece::Old(text)])), [false, false, true, true]);
    }
}
