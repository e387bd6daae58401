//! A limit on what all files take together.

use crate::diagnostic::{Diagnostic, Problem};

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

    /// What to say if something was left out.
    pub fn error(&self) -> Option<Diagnostic> {
        let problem = Problem::OverLimit { limit: self.most as u64, unit: self.unit };
        self.is_exceeded().then(|| Diagnostic::new(problem))
    }
}
