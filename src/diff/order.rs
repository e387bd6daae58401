//! In which order the things of two sides stand in one list, and which of them are out of order.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use super::Pair;

/// Which thing of the left side stands for which of the right one.
#[derive(Debug)]
pub struct Matches {
    /// By index on the left side, the one on the right.
    pub left: Vec<Option<usize>>,
    /// By index on the right side, the one on the left.
    pub right: Vec<Option<usize>>,
}

impl Matches {
    /// None yet.
    pub fn new(left: usize, right: usize) -> Self {
        Self { left: vec![None; left], right: vec![None; right] }
    }

    /// Matches two.
    pub fn add(&mut self, left: usize, right: usize) {
        self.left[left] = Some(right);
        self.right[right] = Some(left);
    }

    /// Matches those left over that have the same key, in order. What has no key is not matched.
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

    /// Those of the left side that none is matched with.
    pub fn rest_left(&self) -> Vec<usize> {
        rest(&self.left)
    }

    /// Those of the right side that none is matched with.
    pub fn rest_right(&self) -> Vec<usize> {
        rest(&self.right)
    }

    /// Whether each of the right side stands in one order with the most others that both sides have, and `counts`.
    pub fn in_order(&self, counts: impl Fn(usize, usize) -> bool) -> Vec<bool> {
        let both = self.right.iter().enumerate().filter_map(|(right, left)| Some((right, (*left)?)));
        let both: Vec<_> = both.filter(|&(right, left)| counts(left, right)).collect();
        // The longest ascending selection of the left indices: by length, the selection with the smallest end.
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

    /// Everything of both sides: that of the right in order, and each that is on the left alone behind what it follows
    /// there. `place` may put it further back: it is given its index and that on the right in front of which it would stand.
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

fn rest(matched: &[Option<usize>]) -> Vec<usize> {
    matched.iter().enumerate().filter(|(_, other)| other.is_none()).map(|(index, _)| index).collect()
}
