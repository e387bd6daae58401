use std::cell::Cell;

/// What all conditions of an event may cost together, in characters that are looked at: about a second of patterns that
/// are as bad as can be, and ten thousand hooks with a pattern each that people write.
///
/// What is counted is what could be looked at, so that the same conditions are refused on every machine.
#[derive(Debug)]
pub struct Work {
    left: Cell<usize>,
}

impl Work {
    /// The most that it comes to.
    pub const MOST: usize = 1 << 28;

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
        Self { left: Cell::new(Self::MOST) }
    }
}
