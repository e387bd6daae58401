//! The progress of long work, counted only if the thread that begins it has called [`watch`].

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::text::numbers::thousands;

thread_local! {
    static WATCHED: RefCell<Option<Arc<Progress>>> = const { RefCell::new(None) };
}

#[derive(Debug, Default)]
pub(crate) struct Progress {
    work: Mutex<Option<CurrentWork>>,
    done: AtomicUsize,
}

#[derive(Debug, Clone, Copy)]
struct CurrentWork {
    verb: &'static str,
    units: &'static str,
    total: usize,
}

/// Counts one step of the work; worker threads share it.
pub(crate) struct ProgressCounter(Option<Arc<Progress>>);

impl ProgressCounter {
    pub fn step(&self) {
        if let Some(progress) = &self.0 {
            progress.done.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Counts the work that this thread begins from now on.
pub(crate) fn watch() -> Arc<Progress> {
    WATCHED.with_borrow_mut(|watched| Arc::clone(watched.insert(Arc::default())))
}

pub(crate) fn unwatch() {
    WATCHED.set(None);
}

pub(crate) fn begin(verb: &'static str, units: &'static str, total: usize) -> ProgressCounter {
    let watched = WATCHED.with_borrow(Option::clone);
    if let Some(progress) = &watched {
        let mut work = progress.work.lock().unwrap_or_else(PoisonError::into_inner);
        progress.done.store(0, Ordering::Relaxed);
        *work = Some(CurrentWork { verb, units, total });
    }
    ProgressCounter(watched)
}

impl Progress {
    /// `checking files: 12 of 300`
    pub fn words(&self) -> Option<String> {
        let CurrentWork { verb, units, total } = (*self.work.lock().unwrap_or_else(PoisonError::into_inner))?;
        // Other work may begin in between.
        let done = self.done.load(Ordering::Relaxed).min(total);
        Some(format!("{verb} {units}: {} of {}", thousands(done), thousands(total)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watched_work_is_counted() {
        begin("checking", "files", 3).step();
        let progress = watch();
        assert_eq!(progress.words(), None);
        let counter = begin("checking", "files", 2_000);
        counter.step();
        assert_eq!(progress.words().unwrap(), "checking files: 1 of 2,000");
        // Work begun by a different thread is not counted.
        std::thread::spawn(|| begin("reading", "items", 1).step()).join().unwrap();
        assert_eq!(progress.words().unwrap(), "checking files: 1 of 2,000");
        unwatch();
        begin("reading", "items", 1).step();
        assert_eq!(progress.words().unwrap(), "checking files: 1 of 2,000");
    }
}
