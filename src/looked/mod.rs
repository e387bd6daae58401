//! What a run looked at on the disk, so that `--watch` knows what its result depends on: files that it read, folders that
//! it listed, places where it asked whether there is something. What was not there counts, too: it may appear.
//!
//! The process keeps this in one place, and it is not handed from function to function: everything that touches the disk
//! would have to carry it for the sake of one flag. Where that flag is not typed, a look costs a comparison.

mod own;
mod seen;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::store::Access;
use own::Own;
use seen::Seen;

static IS_KEPT: AtomicBool = AtomicBool::new(false);

static LOOKS: Mutex<Option<Looks>> = Mutex::new(None);

/// Every path that was looked at, and what was seen there.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    seen: HashMap<(PathBuf, Access), Seen>,
    own: Arc<Own>,
}

/// What became of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Change<'l> {
    /// The path, absolute.
    pub path: &'l Path,
    /// In which way.
    pub how: How,
}

/// In which way something is another than it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// There was nothing.
    Appeared,
    /// There is nothing left.
    Vanished,
    /// It is still there.
    Changed,
}

/// From now on looks are kept, those of one run, but for what it writes itself.
pub(crate) fn begin(written: Option<&Path>) {
    *LOOKS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Looks::beside(written));
    IS_KEPT.store(true, Ordering::Relaxed);
}

/// Those of the run that ends.
pub(crate) fn taken() -> Looks {
    LOOKS.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
}

/// Whether looks are kept, since the program runs again when something changes.
pub(crate) fn is_kept() -> bool {
    IS_KEPT.load(Ordering::Relaxed)
}

/// Says that the result depends on a path. It is said before the path is looked at, so that what changes in between is
/// seen as a change.
pub(crate) fn at(path: &Path, access: Access) {
    if is_kept() {
        keep(path.to_path_buf(), access);
    }
}

/// The same of a path from a folder.
pub(crate) fn below(folder: &Path, path: &str, access: Access) {
    if is_kept() {
        keep(folder.join(path), access);
    }
}

/// Whether there is a folder.
pub(crate) fn is_folder(path: &Path) -> bool {
    at(path, Access::Probe);
    path.is_dir()
}

/// Whether there is a file.
pub(crate) fn is_file(path: &Path) -> bool {
    at(path, Access::Probe);
    path.is_file()
}

/// Whether there is anything.
pub(crate) fn exists(path: &Path) -> bool {
    at(path, Access::Probe);
    path.exists()
}

fn keep(path: PathBuf, access: Access) {
    let Ok(path) = std::path::absolute(path) else { return };
    let key = (path, access);
    let Some(own) = LOOKS.lock().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(|looks| looks.asks(&key))
    else {
        return;
    };
    // The lock is free while the disk is asked: many threads look.
    let seen = Seen::new(&key.0, access, &own);
    if let (Some(looks), Some(seen)) = (LOOKS.lock().unwrap_or_else(PoisonError::into_inner).as_mut(), seen) {
        // What was seen first has decided something.
        looks.seen.entry(key).or_insert(seen);
    }
}

impl Looks {
    fn beside(written: Option<&Path>) -> Self {
        Self { seen: HashMap::new(), own: Arc::new(Own::new(written)) }
    }

    /// What is at these paths now.
    #[cfg(test)]
    pub fn of(paths: impl IntoIterator<Item = (PathBuf, Access)>) -> Self {
        let mut looks = Self::default();
        paths.into_iter().for_each(|(path, access)| looks.add(path, access));
        looks
    }

    #[cfg(test)]
    fn add(&mut self, path: PathBuf, access: Access) {
        let seen = Seen::new(&path, access, &self.own);
        self.seen.extend(seen.map(|seen| ((path, access), seen)));
    }

    /// With what the run writes in mind, if that path is not known yet.
    fn asks(&self, key: &(PathBuf, Access)) -> Option<Arc<Own>> {
        (!self.seen.contains_key(key)).then(|| Arc::clone(&self.own))
    }

    /// Whether nothing was looked at: then nothing can change the result.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// How many files were read.
    pub fn files(&self) -> usize {
        let is_read = |((_, access), seen): &(&(PathBuf, Access), &Seen)| *access == Access::Read && seen.is_file();
        self.seen.iter().filter(is_read).count()
    }

    /// Every path, how it was looked at, and where links lead from there.
    pub fn paths(&self) -> impl Iterator<Item = (&Path, Access, Option<&Path>)> {
        self.seen.iter().map(|((path, access), seen)| (path.as_path(), *access, seen.real()))
    }

    /// What is now another, the same one in whatever order looks are kept.
    pub fn change(&mut self) -> Option<Change<'_>> {
        let changed = self.seen.iter_mut().filter_map(|((path, access), seen)| {
            let how = seen.change(path, *access, &self.own)?;
            Some((*access, Change { path, how }))
        });
        // A file says more than the folder that now lists it.
        changed.min_by_key(|(access, change)| (*access, change.path)).map(|(_, change)| change)
    }
}

#[cfg(test)]
mod tests;
