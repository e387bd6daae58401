//! Wakes up when a file that the result depends on may have changed, or when the reader of the result is gone.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::read::store::Access;
use crate::read::store::disk::DiskLog;
use crate::system;

/// A program may save a file in several steps. After this long without a step, the file counts as saved.
const QUIET: Duration = Duration::from_millis(60);

/// The longest wait for changes to settle, for a file that never stops changing.
const MAX_SETTLE: Duration = Duration::from_secs(1);

/// Its signals are only hints: the files themselves show whether something changed.
pub(super) struct ChangeWatcher {
    watcher: Option<RecommendedWatcher>,
    /// The watched folders, with links resolved.
    folders: HashSet<PathBuf>,
    relevant: Arc<RwLock<RelevantPaths>>,
    /// Holds at most one: further hints would add nothing.
    hints: Receiver<()>,
    /// Keeps the channel open without a watcher: a wait on a closed channel returns immediately.
    sender: SyncSender<()>,
    is_reader_gone: Arc<AtomicBool>,
    fault: Option<notify::Error>,
}

/// The paths at which a change may affect the result. Links are resolved up to the last component.
#[derive(Debug, Default)]
struct RelevantPaths {
    folders: HashSet<PathBuf>,
    paths: HashSet<PathBuf>,
    /// Folders in which every name is relevant.
    listed: HashSet<PathBuf>,
}

impl ChangeWatcher {
    /// Watches nothing yet. `watches_reader`: also wakes up when the reader of standard output is gone.
    pub fn new(watches_reader: bool) -> Self {
        let mut this = Self::without_system();
        let sender = this.sender.clone();
        if watches_reader {
            let (is_reader_gone, sender) = (Arc::clone(&this.is_reader_gone), sender.clone());
            system::when_reader_is_gone(move || {
                is_reader_gone.store(true, Ordering::Relaxed);
                let _ = sender.try_send(());
            });
        }
        let relevant = Arc::clone(&this.relevant);
        let hint = move |event: notify::Result<Event>| {
            if relevant.read().unwrap_or_else(PoisonError::into_inner).contain(&event) {
                // If the channel is full, a hint is waiting already.
                let _ = sender.try_send(());
            }
        };
        match notify::recommended_watcher(hint) {
            Ok(watcher) => this.watcher = Some(watcher),
            Err(error) => this.fault = Some(error),
        }
        this
    }

    /// Polls only.
    fn without_system() -> Self {
        let (sender, hints) = sync_channel(1);
        Self {
            watcher: None,
            folders: HashSet::new(),
            relevant: Arc::default(),
            hints,
            sender,
            is_reader_gone: Arc::default(),
            fault: None,
        }
    }

    pub fn fault(&self) -> Option<&notify::Error> {
        self.fault.as_ref()
    }

    pub fn is_reader_gone(&self) -> bool {
        self.is_reader_gone.load(Ordering::Relaxed)
    }

    pub fn follow(&mut self, log: &DiskLog) {
        let relevant = RelevantPaths::of(log);
        let folders = relevant.folders.clone();
        *self.relevant.write().unwrap_or_else(PoisonError::into_inner) = relevant;
        let Some(watcher) = &mut self.watcher else { return };
        let mut paths = watcher.paths_mut();
        for folder in self.folders.difference(&folders) {
            // A deleted folder is no longer watched anyway.
            let _ = paths.remove(folder);
        }
        let mut fault = None;
        // A folder that was replaced must be added again; for any other this does nothing.
        for folder in &folders {
            match paths.add(folder, RecursiveMode::NonRecursive) {
                // A deleted folder is found by the next poll.
                Err(error) if folder.is_dir() => fault = Some(error),
                _ => {}
            }
        }
        self.fault = fault.or(paths.commit().err());
        self.folders = folders;
    }

    /// Waits at most `longest` for a hint; after one, until `least` has passed since the start and changes settle.
    pub fn wait(&self, least: Duration, longest: Duration) {
        let start = Instant::now();
        if self.hints.recv_timeout(longest).is_err() {
            return;
        }
        // The next poll covers hints that arrive meanwhile.
        while !self.is_reader_gone() && start.elapsed() < least {
            let _ = self.hints.recv_timeout(least.saturating_sub(start.elapsed()));
        }
        self.settle();
    }

    pub fn settle(&self) {
        let start = Instant::now();
        while !self.is_reader_gone() && start.elapsed() < MAX_SETTLE && self.hints.recv_timeout(QUIET).is_ok() {}
    }
}

impl RelevantPaths {
    fn of(log: &DiskLog) -> Self {
        let mut relevant = Self::default();
        let mut known = HashMap::new();
        for (path, access, real) in log.paths() {
            relevant.add(path, &mut known);
            if let Some(real) = real {
                relevant.add(real, &mut known);
                if access == Access::List {
                    relevant.folders.insert(real.to_path_buf());
                    relevant.listed.insert(real.to_path_buf());
                }
            }
        }
        relevant
    }

    /// Adds the place where the path would change, or where its first missing component would appear.
    fn add(&mut self, path: &Path, known: &mut HashMap<PathBuf, Option<PathBuf>>) {
        for place in path.ancestors() {
            let (Some(folder), Some(name)) = (place.parent(), place.file_name()) else { continue };
            let real = known.entry(folder.to_path_buf()).or_insert_with(|| {
                let real = fs::canonicalize(folder).ok()?;
                real.is_dir().then_some(real)
            });
            if let Some(real) = real {
                self.paths.insert(real.join(name));
                self.folders.insert(real.clone());
                return;
            }
        }
    }

    /// Whether an event may be about a relevant path.
    fn contain(&self, event: &notify::Result<Event>) -> bool {
        let Ok(event) = event else { return true };
        if event.need_rescan() || event.paths.is_empty() {
            return true;
        }
        let is_relevant = |path: &PathBuf| {
            let is_listed = || path.parent().is_some_and(|folder| self.listed.contains(folder));
            self.paths.contains(path) || self.folders.contains(path) || is_listed()
        };
        // The program itself reads the files.
        !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(is_relevant)
    }
}

#[cfg(test)]
mod tests;
