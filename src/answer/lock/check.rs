use std::collections::{BTreeMap, BTreeSet};
use strum::IntoStaticStr;

use super::{Lock, Locked};
use crate::diagnostic::Location;

/// The prompts compared with a lock.
#[derive(Debug)]
pub struct Check {
    pub locked: Lock,
    pub found: Lock,
    /// Sorted by id.
    pub differences: Vec<LockDifference>,
    /// The prompts that cannot be rendered, which are not compared.
    pub failed: BTreeSet<String>,
}

/// A prompt that differs from the lock.
#[derive(Debug, Clone, PartialEq)]
pub struct LockDifference {
    pub id: String,
    /// The file of its directive, if it exists; `None` for an agent.
    pub place: Option<Location>,
    /// `None` for a new prompt.
    pub before: Option<Locked>,
    /// `None` for a prompt that no longer exists.
    pub after: Option<Locked>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum LockChange {
    Changed,
    New,
    Gone,
}

impl LockDifference {
    pub fn change(&self) -> LockChange {
        match (&self.before, &self.after) {
            (None, _) => LockChange::New,
            (_, None) => LockChange::Gone,
            _ => LockChange::Changed,
        }
    }
}

impl Check {
    /// `places`: the file of every directive, including those that failed.
    pub fn new(locked: Lock, found: Lock, places: &BTreeMap<String, Location>, failed: BTreeSet<String>) -> Self {
        let ids: BTreeSet<&String> = locked.prompts.keys().chain(found.prompts.keys()).collect();
        let differences = ids.into_iter().filter(|id| !failed.contains(*id)).filter_map(|id| {
            let [before, after] = [&locked, &found].map(|lock| lock.prompts.get(id).cloned());
            let place = places.get(id).cloned();
            (before != after).then(|| LockDifference { id: id.clone(), place, before, after })
        });
        let differences = differences.collect();
        Self { locked, found, differences, failed }
    }

    /// Whether the prompts, and the tiers or agents, match the lock.
    pub fn is_same(&self) -> bool {
        self.differences.is_empty() && !self.has_other_setup()
    }

    pub fn has_other_setup(&self) -> bool {
        self.locked.setup != self.found.setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::lock::testing::{lock, of_tiers, prompt};

    #[test]
    fn every_difference_is_named() {
        let locked = lock(&[("changed", prompt(1, None)), ("gone", prompt(2, None)), ("same", prompt(3, Some(4)))]);
        let found = lock(&[("changed", prompt(1, Some(1))), ("new", prompt(5, None)), ("same", prompt(3, Some(4)))]);
        let check = Check::new(locked, found, &BTreeMap::new(), BTreeSet::new());
        let named: Vec<_> = check.differences.iter().map(|one| (one.id.as_str(), one.change())).collect();
        assert_eq!(named, [("changed", LockChange::Changed), ("gone", LockChange::Gone), ("new", LockChange::New)]);
        assert!(!check.is_same());
    }

    #[test]
    fn a_failed_directive_is_not_a_difference() {
        let locked = lock(&[("broken", prompt(1, None))]);
        let failed = BTreeSet::from(["broken".to_string()]);
        assert!(Check::new(locked, lock(&[]), &BTreeMap::new(), failed).is_same());
    }

    #[test]
    fn different_tiers_are_a_difference() {
        let locked = Lock { setup: of_tiers(&["project", "system:std"]), ..lock(&[]) };
        assert!(!Check::new(locked, lock(&[]), &BTreeMap::new(), BTreeSet::new()).is_same());
    }
}
