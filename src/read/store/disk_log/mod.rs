//! A log of the files that a run reads, the folders that it lists and the paths that it tests, for `--watch`. It
//! includes missing files, which may be created later.
//!
//! The log is global, so that code that reads the disk need not pass it along for one flag. Without
//! `--watch`, recording costs one comparison.

mod observation;
mod own_output;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::read::store::Access;
use observation::Observation;
use own_output::OwnOutput;

static IS_RECORDING: AtomicBool = AtomicBool::new(false);

static LOG: Mutex<Option<DiskLog>> = Mutex::new(None);

#[derive(Debug, Default)]
pub(crate) struct DiskLog {
    observations: HashMap<(PathBuf, Access), Observation>,
    own_output: Arc<OwnOutput>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PathChange<'l> {
    /// Absolute.
    pub path: &'l Path,
    pub kind: ChangeKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    Created,
    Deleted,
    Modified,
}

/// Starts the log of a run. The file that the run writes is left out.
pub(crate) fn start(written: Option<&Path>) {
    *LOG.lock().unwrap_or_else(PoisonError::into_inner) = Some(DiskLog::without(written));
    IS_RECORDING.store(true, Ordering::Relaxed);
}

/// Ends the log of a run and returns it. [`is_recording`] stays true between the runs of `--watch`, until [`stop`].
pub(crate) fn take() -> DiskLog {
    LOG.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
}

pub(crate) fn stop() {
    take();
    IS_RECORDING.store(false, Ordering::Relaxed);
}

pub(crate) fn is_recording() -> bool {
    IS_RECORDING.load(Ordering::Relaxed)
}

/// Records that the result depends on a path. Callers record before they read, so that no change is missed.
pub(crate) fn record(path: &Path, access: Access) {
    if is_recording() {
        add(path.to_path_buf(), access);
    }
}

/// Like [`record`], for a path below a folder.
pub(crate) fn record_below(folder: &Path, path: &str, access: Access) {
    if is_recording() {
        add(folder.join(path), access);
    }
}

pub(crate) fn is_folder(path: &Path) -> bool {
    record(path, Access::Probe);
    path.is_dir()
}

pub(crate) fn is_file(path: &Path) -> bool {
    record(path, Access::Probe);
    path.is_file()
}

pub(crate) fn exists(path: &Path) -> bool {
    record(path, Access::Probe);
    path.exists()
}

fn add(path: PathBuf, access: Access) {
    let Ok(path) = std::path::absolute(path) else { return };
    let key = (path, access);
    let own_output = match LOG.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        Some(log) if !log.observations.contains_key(&key) => Arc::clone(&log.own_output),
        _ => return,
    };
    // Reads the disk without the lock, since many threads record.
    let observation = Observation::new(&key.0, access, &own_output);
    if let (Some(log), Some(observation)) = (LOG.lock().unwrap_or_else(PoisonError::into_inner).as_mut(), observation) {
        // Keeps the first observation, which is the one that the result depends on.
        log.observations.entry(key).or_insert(observation);
    }
}

impl DiskLog {
    fn without(written: Option<&Path>) -> Self {
        Self { observations: HashMap::new(), own_output: Arc::new(OwnOutput::new(written)) }
    }

    #[cfg(test)]
    pub fn of(paths: impl IntoIterator<Item = (PathBuf, Access)>) -> Self {
        let mut log = Self::default();
        paths.into_iter().for_each(|(path, access)| log.add(path, access));
        log
    }

    #[cfg(test)]
    fn add(&mut self, path: PathBuf, access: Access) {
        let observation = Observation::new(&path, access, &self.own_output);
        self.observations.extend(observation.map(|observation| ((path, access), observation)));
    }

    pub fn is_empty(&self) -> bool {
        self.observations.is_empty()
    }

    /// The number of files that were read.
    pub fn files(&self) -> usize {
        let is_read =
            |((_, access), seen): &(&(PathBuf, Access), &Observation)| *access == Access::Read && seen.is_file();
        self.observations.iter().filter(is_read).count()
    }

    /// Every path with its access, and with links resolved if it exists.
    pub fn paths(&self) -> impl Iterator<Item = (&Path, Access, Option<&Path>)> {
        self.observations.iter().map(|((path, access), seen)| (path.as_path(), *access, seen.real()))
    }

    /// The most specific change, independent of the order of the log.
    pub fn change(&mut self) -> Option<PathChange<'_>> {
        let changed = self.observations.iter_mut().filter_map(|((path, access), seen)| {
            let kind = seen.change(path, *access, &self.own_output)?;
            Some((*access, PathChange { path, kind }))
        });
        // A file is more specific than the folder that lists it.
        changed.min_by_key(|(access, change)| (*access, change.path)).map(|(_, change)| change)
    }
}

#[cfg(test)]
mod tests;
