//! Matches the entries of two lists, finds those out of order, and merges both lists.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use super::Pair;

#[derive(Debug)]
pub struct Matches {
    /// For each index on the left, its counterpart on the right.
    pub left: Vec<Option<usize>>,
    /// For each index on the right, its counterpart on the left.
    pub right: Vec<Option<usize>>,
}

impl Matches {
    pub fn new(left: usize, right: usize) -> Self {
        Self { left: vec![None; left], right: vec![None; right] }
    }

    pub fn add(&mut self, left: usize, right: usize) {
        self.left[left] = Some(right);
        self.right[right] = Some(left);
    }

    /// Matches entries without a counterpart that have the same key, in order. An entry without a key is skipped.
    pub fn add_by<K: Hash + Eq>(&mut self, left: impl Fn(usize) -> Option<K>, right: impl Fn(usize) -> Option<K>) {
        let mut waiting: HashMap<K, VecDeque<usize>> = HashMap::new();
        for index in self.rest_left() {
            if let Some(key) = left(index) {
                waiting.entry(key).or_default().push_back(index);
            }
        }
        if waiting.is_empty() {
            return;
        }
        for index in self.rest_right() {
            let found = right(index).and_then(|key| waiting.get_mut(&key)).and_then(VecDeque::pop_front);
            if let Some(found) = found {
                self.add(found, index);
            }
        }
    }

    pub fn rest_left(&self) -> Vec<usize> {
        rest(&self.left)
    }

    pub fn rest_right(&self) -> Vec<usize> {
        rest(&self.right)
    }

    /// For each entry on the right, whether it is in the longest sequence with the same order on both sides, among the
    /// matches that `counts` accepts.
    pub fn in_order(&self, counts: impl Fn(usize, usize) -> bool) -> Vec<bool> {
        let both = self.right.iter().enumerate().filter_map(|(right, left)| Some((right, (*left)?)));
        let both: Vec<_> = both.filter(|&(right, left)| counts(left, right)).collect();
        // The longest increasing subsequence of the left indices. For each length, the sequence with the smallest end.
        let mut ends: Vec<usize> = Vec::new();
        let mut before: Vec<Option<usize>> = Vec::with_capacity(both.len());
        for (index, &(_, left)) in both.iter().enumerate() {
            let length = ends.partition_point(|&end| both[end].1 < left);
            before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
            match ends.get_mut(length) {
                Some(end) => *end = index,
                None => ends.push(index),
            }
        }
        let mut in_order = vec![false; self.right.len()];
        let mut next = ends.last().copied();
        while let Some(index) = next {
            in_order[both[index].0] = true;
            next = before[index];
        }
        in_order
    }

    /// All entries: those of the right side in order, and each left-only entry after its predecessor on the left.
    /// `place` may move such an entry back, given its index and the index on the right that it would precede.
    pub fn merged(&self, in_order: &[bool], place: impl Fn(usize, usize) -> usize) -> Vec<Pair<Option<usize>>> {
        let mut alone: Vec<Vec<usize>> = vec![Vec::new(); self.right.len() + 1];
        let mut at = 0;
        for (left, right) in self.left.iter().enumerate() {
            match right {
                Some(right) if in_order[*right] => at = right + 1,
                Some(_) => {}
                None => alone[place(left, at).min(self.right.len())].push(left),
            }
        }
        let mut all = Vec::with_capacity(self.left.len().max(self.right.len()));
        for (right, here) in alone.into_iter().enumerate() {
            all.extend(here.into_iter().map(|left| Pair { left: Some(left), right: None }));
            all.extend(self.right.get(right).map(|&left| Pair { left, right: Some(right) }));
        }
        all
    }
}

/// The indices without a counterpart.
fn rest(matched: &[Option<usize>]) -> Vec<usize> {
    matched.iter().enumerate().filter(|(_, other)| other.is_none()).map(|(index, _)| index).collect()
}
