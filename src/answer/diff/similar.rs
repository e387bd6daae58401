//! Pairs texts that are similar enough for one to be a changed version of the other.

use std::cmp::Reverse;
use std::collections::HashMap;

/// The minimum percentage of words, weighted by length, that two texts must have in common.
const SHARED: usize = 60;

/// The maximum size of a text in bytes. A longer text is skipped.
const LONG: usize = 100_000;
/// The maximum size of all texts together. Texts beyond that are skipped.
const MUCH: usize = 1_000_000;

/// The number of texts above which a word is too common to count.
const COMMON: usize = 16;

/// Pairs of indices into both lists, each index in at most one pair. The most similar texts are paired first.
pub fn similar(left: &[&str], right: &[&str]) -> Vec<(usize, usize)> {
    let (left, right) = (counted(left), counted(right));
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, words) in left.iter().enumerate() {
        for word in words.keys() {
            holders.entry(word).or_default().push(index);
        }
    }
    let size = |words: &WordCounts| words.iter().map(|(word, count)| word.len() * count).sum::<usize>();
    let sizes: Vec<usize> = left.iter().map(size).collect();
    let mut alike = Vec::new();
    for (index, words) in right.iter().enumerate() {
        let mut candidates: Vec<usize> = Vec::new();
        for word in words.keys() {
            let holders = holders.get(word).map_or(&[][..], Vec::as_slice);
            if holders.len() <= COMMON {
                candidates.extend(holders);
            }
        }
        candidates.sort_unstable();
        // Only the texts that share the most uncommon words can be similar.
        let mut counted: Vec<(usize, usize)> =
            candidates.chunk_by(|a, b| a == b).map(|chunk| (chunk.len(), chunk[0])).collect();
        counted.sort_unstable_by_key(|&(count, candidate)| (Reverse(count), candidate));
        let own_size = size(words);
        for &(_, candidate) in counted.iter().take(COMMON) {
            let shared = |(word, count): (&&str, &usize)| {
                left[candidate].get(*word).map_or(0, |other| word.len() * other.min(count))
            };
            let shared: usize = words.iter().map(shared).sum();
            let all = own_size + sizes[candidate];
            if shared * 200 >= SHARED * all {
                // The sum of the indices breaks ties the same way for both sides.
                alike.push((Reverse(shared * 2_000 / all.max(1)), index + candidate, index, candidate));
            }
        }
    }
    alike.sort_unstable();
    let (mut used_left, mut used_right) = (vec![false; left.len()], vec![false; right.len()]);
    let mut pairs = Vec::new();
    for (_, _, r, l) in alike {
        if !used_left[l] && !used_right[r] {
            (used_left[l], used_right[r]) = (true, true);
            pairs.push((l, r));
        }
    }
    pairs
}

/// The words of a text and how often each occurs.
type WordCounts<'a> = HashMap<&'a str, usize>;

/// The words of each text; empty for a skipped text.
fn counted<'a>(texts: &[&'a str]) -> Vec<WordCounts<'a>> {
    let mut left = MUCH;
    let count = |text: &'a str| {
        let mut words = WordCounts::new();
        if text.len() <= LONG.min(left) {
            left -= text.len();
            text.split_whitespace().for_each(|word| *words.entry(word).or_default() += 1);
        }
        words
    };
    texts.iter().copied().map(count).collect()
}
