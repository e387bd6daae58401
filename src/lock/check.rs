use std::collections::{BTreeMap, BTreeSet};
use strum::IntoStaticStr;

use super::{Lock, Locked};
use crate::diagnostic::Location;

/// The prompts as they are, held against a lock.
#[derive(Debug)]
pub struct Check {
    /// What the file holds.
    pub locked: Lock,
    /// What there is.
    pub found: Lock,
    /// The prompts that are not as locked, in byte order of ids.
    pub differences: Vec<Difference>,
    /// The directives that have no prompt, so that nothing can be said of them.
    pub failed: BTreeSet<String>,
}

/// A prompt that is not as locked.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The id of its directive.
    pub id: String,
    /// The file of its directive, if it is there.
    pub place: Option<Location>,
    /// What the lock says; none of a prompt that it does not know.
    pub before: Option<Locked>,
    /// What it is; none of a prompt that is not there any more.
    pub after: Option<Locked>,
}

/// What became of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Change {
    /// It is another one.
    Changed,
    /// The lock does not know it.
    New,
    /// It is not there any more.
    Gone,
}

impl Difference {
    /// What became of it.
    pub fn change(&self) -> Change {
        match (&self.before, &self.after) {
            (None, _) => Change::New,
            (_, None) => Change::Gone,
            _ => Change::Changed,
        }
    }
}

impl Check {
    /// Holds prompts against a lock. `places` has the file of every directive, that of a failed one, too.
    pub fn new(locked: Lock, found: Lock, places: &BTreeMap<String, Location>, failed: BTreeSet<String>) -> Self {
        let ids: BTreeSet<&String> = locked.prompts.keys().chain(found.prompts.keys()).collect();
        let differences = ids.into_iter().filter(|id| !failed.contains(*id)).filter_map(|id| {
            let [before, after] = [&locked, &found].map(|lock| lock.prompts.get(id).cloned());
            let place = places.get(id).cloned();
            (before != after).then(|| Difference { id: id.clone(), place, before, after })
        });
        let differences = differences.collect();
        Self { locked, found, differences, failed }
    }

    /// Whether everything is as locked: the prompts, and the tiers that they come from.
    pub fn is_same(&self) -> bool {
        self.differences.is_empty() && !self.has_other_tiers()
    }

    /// Whether prompts come from other tiers than those of the lock.
    pub fn has_other_tiers(&self) -> bool {
        self.locked.tiers != self.found.tiers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::testing::{lock, prompt};

    #[test]
    fn what_is_not_as_locked_is_named() {
        let locked = lock(&[("changed", prompt(1, None)), ("gone", prompt(2, None)), ("same", prompt(3, Some(4)))]);
        let found = lock(&[("changed", prompt(1, Some(1))), ("new", prompt(5, None)), ("same", prompt(3, Some(4)))]);
        let check = Check::new(locked, found, &BTreeMap::new(), BTreeSet::new());
        let told: Vec<_> = check.differences.iter().map(|one| (one.id.as_str(), one.change())).collect();
        assert_eq!(told, [("changed", Change::Changed), ("gone", Change::Gone), ("new", Change::New)]);
        assert!(!check.is_same());
    }

    #[test]
    fn of_a_directive_without_prompt_nothing_is_said() {
        let locked = lock(&[("broken", prompt(1, None))]);
        let failed = BTreeSet::from(["broken".to_string()]);
        assert!(Check::new(locked, lock(&[]), &BTreeMap::new(), failed).is_same());
    }

    #[test]
    fn other_tiers_are_a_difference() {
        let locked = Lock { tiers: vec!["project".to_string(), "system:std".to_string()], ..lock(&[]) };
        assert!(!Check::new(locked, lock(&[]), &BTreeMap::new(), BTreeSet::new()).is_same());
    }
}
