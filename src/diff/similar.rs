//! Which texts are so much alike that one is the other, changed.

use std::cmp::Reverse;
use std::collections::HashMap;

/// So much of two texts is shared at least, in percent of their words, counted in bytes.
const SHARED: usize = 60;

/// Texts longer than this, in bytes, are not looked at, and neither is what is beyond so much in all.
const LONG: usize = 100_000;
const MUCH: usize = 1_000_000;

/// Words that stand in more texts than this tell none apart.
const COMMON: usize = 16;

/// Pairs of indices into both lists, each in one pair at most: those most alike first, and of equals the first.
pub fn similar(left: &[&str], right: &[&str]) -> Vec<(usize, usize)> {
    let (left, right) = (counted(left), counted(right));
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, words) in left.iter().enumerate() {
        for word in words.keys() {
            holders.entry(word).or_default().push(index);
        }
    }
    let size = |words: &Words| words.iter().map(|(word, count)| word.len() * count).sum::<usize>();
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
        // Those that share the most words that are not common; the others cannot be much alike.
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
                // Those with one sum are in no pair twice, so that the sides count alike.
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

/// How often each word stands in a text.
type Words<'a> = HashMap<&'a str, usize>;

/// The words of each text; none of those that are not looked at.
fn counted<'a>(texts: &[&'a str]) -> Vec<Words<'a>> {
    let mut left = MUCH;
    let count = |text: &'a str| {
        let mut words = Words::new();
        if text.len() <= LONG.min(left) {
            left -= text.len();
            text.split_whitespace().for_each(|word| *words.entry(word).or_default() += 1);
        }
        words
    };
    texts.iter().copied().map(count).collect()
}
