//! The disk as one command sees it. For `--watch` and for editors, it logs the files that a run reads, the folders that it
//! lists and the paths that it tests, missing ones included, which may be created later.

mod observation;
mod own_output;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, mem};

use super::regular::read_anywhere;
use super::{Access, ReadError};
use observation::Observation;
use own_output::OwnOutput;

/// Handed to everything that reads the disk. Clones share one log; without a log, recording costs one comparison.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    log: Option<Arc<Mutex<DiskLog>>>,
    /// Folders that somebody else watches.
    left_out: Arc<[PathBuf]>,
}

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

impl Disk {
    /// Starts the log of a run. The file that the run writes is left out.
    pub(crate) fn recording(written: Option<&Path>) -> Self {
        Self { log: Some(Arc::new(Mutex::new(DiskLog::without(written)))), ..Self::default() }
    }

    /// Starts the log of what is outside of some folders.
    pub(crate) fn recording_outside(folders: &[PathBuf]) -> Self {
        let real = folders.iter().filter_map(|folder| folder.canonicalize().ok());
        Self { left_out: real.chain(folders.iter().cloned()).collect(), ..Self::recording(None) }
    }

    pub(crate) fn is_recording(&self) -> bool {
        self.log.is_some()
    }

    /// Ends the log of a run and returns it.
    pub(crate) fn take(&self) -> DiskLog {
        self.locked().map(|mut log| mem::take(&mut *log)).unwrap_or_default()
    }

    /// Whether something in the log is not as it was.
    pub(crate) fn has_changed(&self) -> bool {
        self.locked().is_some_and(|mut log| log.change().is_some())
    }

    /// Records that the result depends on a path. Callers record before they read, so that no change is missed.
    pub(crate) fn record(&self, path: &Path, access: Access) {
        if self.is_recording() {
            self.add(path, access);
        }
    }

    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        self.record(path, Access::Probe);
        path.is_dir()
    }

    pub(crate) fn is_file(&self, path: &Path) -> bool {
        self.record(path, Access::Probe);
        path.is_file()
    }

    pub(crate) fn exists(&self, path: &Path) -> bool {
        self.record(path, Access::Probe);
        path.exists()
    }

    /// Reads a regular file, wherever links lead; `limit` is in bytes.
    pub(crate) fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.record(path, Access::Read);
        read_anywhere(path, limit)
    }

    /// The sorted names in a folder, without those that are not UTF-8; empty if it cannot be listed.
    pub(crate) fn names(&self, folder: &Path) -> Vec<String> {
        self.record(folder, Access::List);
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let mut names: Vec<_> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort_unstable();
        names
    }

    fn locked(&self) -> Option<MutexGuard<'_, DiskLog>> {
        Some(self.log.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, path: &Path, access: Access) {
        let Ok(path) = std::path::absolute(path) else { return };
        if self.left_out.iter().any(|folder| path.starts_with(folder)) {
            return;
        }
        let key = (path, access);
        let own_output = match self.locked() {
            Some(log) if !log.observations.contains_key(&key) => Arc::clone(&log.own_output),
            _ => return,
        };
        // Reads the disk without the lock, since many threads record.
        let observation = Observation::new(&key.0, access, &own_output);
        if let (Some(mut log), Some(observation)) = (self.locked(), observation) {
            // Keeps the first observation, which is the one that the result depends on.
            log.observations.entry(key).or_insert(observation);
        }
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
