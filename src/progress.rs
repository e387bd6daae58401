//! Progress of long work: counted where it is done, shown by the command line while a user waits at a terminal.
//!
//! There is one count per process, as there is one terminal. If it is off, a step costs a comparison.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::tokens::thousands;

static PROGRESS: Progress = Progress::new();

#[derive(Debug)]
struct Progress {
    is_counting: AtomicBool,
    done: AtomicUsize,
    phase: Mutex<Option<Phase>>,
}

#[derive(Debug, Clone, Copy)]
struct Phase {
    verb: &'static str,
    units: &'static str,
    total: usize,
}

/// Switches counting on or off.
pub(crate) fn count(is_counting: bool) {
    PROGRESS.count(is_counting);
}

/// Starts a phase, such as `checking` 12 `files`.
pub(crate) fn begin(verb: &'static str, units: &'static str, total: usize) {
    PROGRESS.begin(Phase { verb, units, total });
}

pub(crate) fn step() {
    PROGRESS.step();
}

/// `checking files: 3 of 12`; `None` outside a phase.
pub(crate) fn words() -> Option<String> {
    PROGRESS.words()
}

impl Progress {
    const fn new() -> Self {
        Self { is_counting: AtomicBool::new(false), done: AtomicUsize::new(0), phase: Mutex::new(None) }
    }

    fn count(&self, is_counting: bool) {
        self.set(None);
        self.is_counting.store(is_counting, Ordering::Relaxed);
    }

    fn begin(&self, phase: Phase) {
        if self.is_counting.load(Ordering::Relaxed) {
            self.set(Some(phase));
        }
    }

    fn step(&self) {
        if self.is_counting.load(Ordering::Relaxed) {
            self.done.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn words(&self) -> Option<String> {
        let phase = *self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        let Phase { verb, units, total } = phase?;
        // The next phase may begin between the two reads.
        let done = self.done.load(Ordering::Relaxed).min(total);
        Some(format!("{verb} {units}: {} of {}", thousands(done), thousands(total)))
    }

    fn set(&self, phase: Option<Phase>) {
        let mut current = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        self.done.store(0, Ordering::Relaxed);
        *current = phase;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_while_counting_is_on() {
        let progress = Progress::new();
        let phase = Phase { verb: "checking", units: "files", total: 2_000 };
        progress.begin(phase);
        progress.step();
        assert_eq!(progress.words(), None, "counting is off");
        progress.count(true);
        assert_eq!(progress.words(), None, "no phase has begun");
        progress.begin(phase);
        progress.step();
        assert_eq!(progress.words().as_deref(), Some("checking files: 1 of 2,000"));
        progress.count(false);
        assert_eq!(progress.words(), None);
    }
}
