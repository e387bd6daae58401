//! Compares two lines by word.

use std::collections::HashMap;

use similar::DiffTag;
use unicode_segmentation::UnicodeSegmentation;

use super::common_prefix;
use super::runs::{numbered, operations};

/// A run of characters in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinePiece<'a> {
    pub text: &'a str,
    /// Whether the other line lacks it.
    pub is_changed: bool,
}

/// The combined length in bytes up to which two lines are compared by word.
const LONG: usize = 20_000;

/// The minimum percentage of their characters, whitespace aside, that two lines must share to be compared by word.
const SHARED: usize = 40;

/// The pieces of a line, and of the line that replaces it. Lines with too little in common are one changed piece each.
/// In very long lines, everything between the common prefix and the common suffix is one changed piece.
pub fn words<'a>(left: &'a str, right: &'a str) -> (Vec<LinePiece<'a>>, Vec<LinePiece<'a>>) {
    if left.len() + right.len() > LONG {
        return around(left, right);
    }
    let [old_words, new_words] = [left, right].map(|line| line.split_word_bounds().collect::<Vec<_>>());
    let mut numbers = HashMap::new();
    let [old, new] = [&old_words, &new_words].map(|words| numbered(words, &mut numbers));
    let (mut at_left, mut at_right) = (0, 0);
    let mut runs = Vec::new();
    for change in operations(&old, &new, None) {
        let length = |words: &[&str]| words.iter().map(|word| word.len()).sum::<usize>();
        let (old_length, new_length) = (length(&old_words[change.old_range()]), length(&new_words[change.new_range()]));
        let old = &left[at_left..at_left + old_length];
        let new = &right[at_right..at_right + new_length];
        (at_left, at_right) = (at_left + old_length, at_right + new_length);
        runs.push((change.tag() != DiffTag::Equal, old, new));
    }
    let seen = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    let shared: usize = runs.iter().filter(|run| !run.0).map(|(_, old, _)| 2 * seen(old)).sum();
    if shared * 100 < SHARED * (seen(left) + seen(right)) || (shared == 0 && left != right) {
        return (whole(left), whole(right));
    }
    (
        pieces(runs.iter().map(|&(is_changed, old, _)| (is_changed, old)), left),
        pieces(runs.iter().map(|&(is_changed, _, new)| (is_changed, new)), right),
    )
}

fn whole(line: &str) -> Vec<LinePiece<'_>> {
    Vec::from_iter((!line.is_empty()).then_some(LinePiece { text: line, is_changed: true }))
}

/// Joins neighbours of the same kind, and changed words with the whitespace between them.
fn pieces<'a>(runs: impl Iterator<Item = (bool, &'a str)>, line: &'a str) -> Vec<LinePiece<'a>> {
    let runs: Vec<_> = runs.filter(|(_, text)| !text.is_empty()).collect();
    let is_changed = |index: usize| runs.get(index).is_some_and(|run| run.0);
    let bridges =
        |index: usize| runs[index].1.trim().is_empty() && index > 0 && is_changed(index - 1) && is_changed(index + 1);
    let kinds: Vec<_> =
        (0..runs.len()).map(|index| (is_changed(index) || bridges(index), runs[index].1.len())).collect();
    let mut at = 0;
    let piece = |run: &[(bool, usize)]| {
        let start = at;
        at += run.iter().map(|(_, length)| length).sum::<usize>();
        LinePiece { text: &line[start..at], is_changed: run[0].0 }
    };
    kinds.chunk_by(|one, next| one.0 == next.0).map(piece).collect()
}

/// Splits off the common prefix and the common suffix.
fn around<'a>(left: &'a str, right: &'a str) -> (Vec<LinePiece<'a>>, Vec<LinePiece<'a>>) {
    let start = common_prefix(left, right);
    let (old, new) = (&left[start..], &right[start..]);
    let end: usize =
        old.chars().rev().zip(new.chars().rev()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    let pieces = |line: &'a str| {
        let middle = line.len() - end;
        let all = [(&line[..start], false), (&line[start..middle], true), (&line[middle..], false)];
        all.into_iter()
            .filter(|(text, _)| !text.is_empty())
            .map(|(text, is_changed)| LinePiece { text, is_changed })
            .collect()
    };
    (pieces(left), pieces(right))
}
