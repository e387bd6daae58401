//! A limit on what all files take together.

use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::{Store, StoreEntry};

/// What is left of a limit. From the first thing on that exceeds it, everything is left out.
pub(super) struct Allowance {
    most: usize,
    unit: &'static str,
    left: Option<usize>,
}

impl Allowance {
    pub const fn new(most: usize, unit: &'static str) -> Self {
        Self { most, unit, left: Some(most) }
    }

    /// Whether there is room for more.
    pub fn take(&mut self, amount: usize) -> bool {
        self.left = self.left.and_then(|left| left.checked_sub(amount));
        self.left.is_some()
    }

    pub fn is_exceeded(&self) -> bool {
        self.left.is_none()
    }

    /// What a folder holds; each entry takes one.
    pub fn list(&mut self, files: &dyn Store, folder: &str) -> Vec<StoreEntry> {
        if self.is_exceeded() {
            return Vec::new();
        }
        files.survey(folder);
        let entries = files.listed(folder).unwrap_or_default();
        if self.take(entries.len()) { entries } else { Vec::new() }
    }

    /// What to say if something was left out.
    pub fn error(&self) -> Option<Diagnostic> {
        let problem = Problem::OverLimit { limit: self.most as u64, unit: self.unit };
        self.is_exceeded().then(|| Diagnostic::new(problem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_an_exceeded_limit() {
        let mut allowance = Allowance::new(3, "words");
        assert!(allowance.take(3) && allowance.take(0) && allowance.error().is_none());
        assert!(!allowance.take(1) && !allowance.take(0));
        assert_eq!(allowance.error().map(|error| error.code()), Some("too_large"));
    }
}
