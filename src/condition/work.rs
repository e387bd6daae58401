use std::cell::Cell;

use crate::limits;

/// What all conditions of an event may still cost together, in characters that are looked at.
///
/// What is counted is what could be looked at, so that the same conditions are refused on every machine.
#[derive(Debug)]
pub struct Work {
    left: Cell<usize>,
}

impl Work {
    /// What is left of it.
    pub fn left(&self) -> usize {
        self.left.get()
    }

    /// Takes so much of it; none if there is less, and then nothing is left.
    #[must_use]
    pub fn spend(&self, cost: usize) -> Option<()> {
        match self.left().checked_sub(cost) {
            Some(left) => {
                self.left.set(left);
                Some(())
            }
            None => {
                self.left.set(0);
                None
            }
        }
    }
}

impl Default for Work {
    fn default() -> Self {
        Self { left: Cell::new(limits::CONDITION_WORK) }
    }
}
