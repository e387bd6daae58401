//! How far long work is: counted where it is done, and shown by the command line while somebody waits at a terminal.
//!
//! There is one such place in a process, as there is one terminal. Where nobody looks, a step costs a comparison.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::tokens::thousands;

static IS_COUNTED: AtomicBool = AtomicBool::new(false);

static DONE: AtomicUsize = AtomicUsize::new(0);

static WORK: Mutex<Option<Work>> = Mutex::new(None);

/// A part of the work.
#[derive(Debug, Clone, Copy)]
struct Work {
    verb: &'static str,
    units: &'static str,
    total: usize,
}

/// Begins to count, or ends it.
pub(crate) fn count(is_counted: bool) {
    set(None);
    IS_COUNTED.store(is_counted, Ordering::Relaxed);
}

/// Says what is done now, and to how many: `checking` so many `files`.
pub(crate) fn begin(verb: &'static str, units: &'static str, total: usize) {
    if IS_COUNTED.load(Ordering::Relaxed) {
        set(Some(Work { verb, units, total }));
    }
}

/// One more is done.
pub(crate) fn step() {
    if IS_COUNTED.load(Ordering::Relaxed) {
        DONE.fetch_add(1, Ordering::Relaxed);
    }
}

/// How far it is, in words; nothing where nothing is counted.
pub(crate) fn words() -> Option<String> {
    let work = *WORK.lock().unwrap_or_else(PoisonError::into_inner);
    let Work { verb, units, total } = work?;
    // Another part may begin in between.
    let done = DONE.load(Ordering::Relaxed).min(total);
    Some(format!("{verb} {units}: {} of {}", thousands(done), thousands(total)))
}

fn set(work: Option<Work>) {
    let mut current = WORK.lock().unwrap_or_else(PoisonError::into_inner);
    DONE.store(0, Ordering::Relaxed);
    *current = work;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, since there is one place.
    #[test]
    fn what_is_counted_is_said() {
        begin("checking", "files", 3);
        step();
        assert_eq!(words(), None, "nobody looks");
        count(true);
        assert_eq!(words(), None);
        begin("checking", "files", 2_000);
        step();
        let words = words().unwrap();
        // Other tests may check files meanwhile.
        assert!(words.contains(": ") && words.contains(" of "), "{words}");
        count(false);
        assert_eq!(super::words(), None);
    }
}
