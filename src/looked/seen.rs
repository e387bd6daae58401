use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::How;
use super::own::Own;
use crate::store::Access;
use crate::store::regular::read_anywhere;

/// Of a larger file only size and time are compared.
const MOST: u64 = 64_000_000;

/// The times of files are rounded, to two seconds where it is worst: a file that changed so shortly before it was read
/// may change again and keep its time.
const ROUNDED: Duration = Duration::from_secs(3);

/// What was seen at a path.
#[derive(Debug)]
pub(super) struct Seen {
    what: What,
    /// The path without links.
    real: Option<PathBuf>,
    /// What tells without reading that nothing changed; none where that cannot be told.
    stamp: Option<Stamp>,
}

/// What matters for the kind of look.
#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Nothing,
    File,
    Folder,
    /// Neither of both: a FIFO, a device. What comes out of it is read once.
    Other,
    /// The digest of what a file holds.
    Bytes(u64),
    /// A file that is not read whole.
    Large(u64, Option<SystemTime>),
    /// The digest of the names in a folder, and what each is.
    Names(u64),
    /// It is there and cannot be looked into.
    Closed,
}

/// What changes whenever a file does.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    size: u64,
    modified: SystemTime,
    further: [i64; 3],
}

impl Seen {
    /// Looks at a path, if it is not the one that the run writes.
    pub fn new(path: &Path, access: Access, own: &Own) -> Option<Self> {
        let seen = (!own.is(path)).then(|| Self::at(path, access, own))?;
        (!seen.real().is_some_and(|real| own.is_real(real))).then_some(seen)
    }

    fn at(path: &Path, access: Access, own: &Own) -> Self {
        let metadata = fs::metadata(path).ok();
        let stamp = metadata.as_ref().filter(|found| found.is_file()).and_then(settled);
        let real = fs::canonicalize(path).ok();
        let is_own = |name: &OsStr| real.as_ref().is_some_and(|real| own.is_in(real, name));
        Self { what: what(path, access, metadata.as_ref(), is_own), real, stamp }
    }

    /// The path without links, where something is there.
    pub fn real(&self) -> Option<&Path> {
        self.real.as_deref()
    }

    /// Whether it is a file.
    pub fn is_file(&self) -> bool {
        matches!(self.what, What::File | What::Bytes(_) | What::Large(..))
    }

    /// In which way something else would be seen now.
    pub fn change(&mut self, path: &Path, access: Access, own: &Own) -> Option<How> {
        let metadata = fs::metadata(path).ok();
        let is_same_file = self.stamp.is_some() && metadata.as_ref().and_then(Stamp::new) == self.stamp;
        if is_same_file && fs::canonicalize(path).ok() == self.real {
            return None;
        }
        let now = Self::at(path, access, own);
        if now.what == self.what && now.real == self.real {
            self.stamp = now.stamp;
            return None;
        }
        Some(match (&self.what, now.what) {
            (What::Nothing, _) => How::Appeared,
            (_, What::Nothing) => How::Vanished,
            _ => How::Changed,
        })
    }
}

fn what(path: &Path, access: Access, metadata: Option<&Metadata>, is_own: impl Fn(&OsStr) -> bool) -> What {
    let Some(metadata) = metadata else { return What::Nothing };
    match (access, metadata.is_file(), metadata.is_dir()) {
        (Access::Read, true, _) if metadata.len() > MOST => What::Large(metadata.len(), metadata.modified().ok()),
        (Access::Read, true, _) => read_anywhere(path, MOST).map_or(What::Closed, |bytes| What::Bytes(digest(&bytes))),
        (Access::List, _, true) => names(path, is_own).map_or(What::Closed, |names| What::Names(digest(&names))),
        (_, true, _) => What::File,
        (_, _, true) => What::Folder,
        _ => What::Other,
    }
}

/// What a folder holds beside the run's own, in any order that stays: the names, and whether each is a folder or a link.
fn names(folder: &Path, is_own: impl Fn(&OsStr) -> bool) -> Option<Vec<(OsString, bool, bool)>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        if is_own(&entry.file_name()) {
            continue;
        }
        let kind = entry.file_type().ok();
        let is = |asked: fn(&fs::FileType) -> bool| kind.as_ref().is_some_and(asked);
        names.push((entry.file_name(), is(fs::FileType::is_dir), is(fs::FileType::is_symlink)));
    }
    names.sort_unstable();
    Some(names)
}

fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The stamp of a file that has been as it is for a while.
fn settled(metadata: &Metadata) -> Option<Stamp> {
    let stamp = Stamp::new(metadata)?;
    let age = SystemTime::now().duration_since(stamp.modified).ok()?;
    (age > ROUNDED).then_some(stamp)
}

impl Stamp {
    fn new(metadata: &Metadata) -> Option<Self> {
        Some(Self { size: metadata.len(), modified: metadata.modified().ok()?, further: further(metadata) })
    }
}

/// The number of the file and the time of its last change of any kind, which nobody can set.
#[cfg(unix)]
fn further(metadata: &Metadata) -> [i64; 3] {
    use std::os::unix::fs::MetadataExt;
    // It is compared alone, so that the sign does not matter.
    [metadata.ino() as i64, metadata.ctime(), metadata.ctime_nsec()]
}

#[cfg(not(unix))]
fn further(_: &Metadata) -> [i64; 3] {
    [0; 3]
}
