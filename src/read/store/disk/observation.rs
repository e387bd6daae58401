use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::ChangeKind;
use super::own_output::OwnOutput;
use crate::read::store::Access;
use crate::read::store::regular::read_anywhere;
use crate::system;

/// Files larger than this are compared by size and time only.
const MAX_DIGEST_BYTES: u64 = 64_000_000;

/// File systems round times, FAT to two seconds. A file that changed this recently may change again unnoticed.
const TIME_RESOLUTION: Duration = Duration::from_secs(3);

/// The state of a path when it was read.
#[derive(Debug)]
pub(super) struct Observation {
    state: PathState,
    /// The path with links resolved.
    real: Option<PathBuf>,
    /// An equal stamp means an unchanged file. `None` if that is not certain.
    stamp: Option<Stamp>,
}

/// The part of the state that the access depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PathState {
    Missing,
    File,
    Folder,
    /// A FIFO or device, which can be read only once.
    Other,
    /// A file's content as a digest.
    Bytes(u64),
    /// Size and time of a file above the limit.
    Large(u64, Option<SystemTime>),
    /// A digest of the names and types of a folder's entries.
    Names(u64),
    Unreadable,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    size: u64,
    modified: SystemTime,
    inode_and_ctime: [i64; 3],
}

impl Observation {
    /// `None` for the file that the run writes.
    pub fn new(path: &Path, access: Access, own: &OwnOutput) -> Option<Self> {
        let seen = (!own.is(path)).then(|| Self::at(path, access, own))?;
        (!seen.real().is_some_and(|real| own.is_real(real))).then_some(seen)
    }

    fn at(path: &Path, access: Access, own: &OwnOutput) -> Self {
        let metadata = fs::metadata(path).ok();
        let stamp = metadata.as_ref().filter(|found| found.is_file()).and_then(settled);
        let real = fs::canonicalize(path).ok();
        let is_own = |name: &OsStr| real.as_ref().is_some_and(|real| own.is_in(real, name));
        Self { state: state(path, access, metadata.as_ref(), is_own), real, stamp }
    }

    /// The path with links resolved, if it exists.
    pub fn real(&self) -> Option<&Path> {
        self.real.as_deref()
    }

    pub fn is_file(&self) -> bool {
        matches!(self.state, PathState::File | PathState::Bytes(_) | PathState::Large(..))
    }

    /// How the path differs now.
    pub fn change(&mut self, path: &Path, access: Access, own: &OwnOutput) -> Option<ChangeKind> {
        let metadata = fs::metadata(path).ok();
        let is_same_file = self.stamp.is_some() && metadata.as_ref().and_then(Stamp::new) == self.stamp;
        if is_same_file && fs::canonicalize(path).ok() == self.real {
            return None;
        }
        let now = Self::at(path, access, own);
        if now.state == self.state && now.real == self.real {
            self.stamp = now.stamp;
            return None;
        }
        Some(match (&self.state, now.state) {
            (PathState::Missing, _) => ChangeKind::Created,
            (_, PathState::Missing) => ChangeKind::Deleted,
            _ => ChangeKind::Modified,
        })
    }
}

fn state(path: &Path, access: Access, metadata: Option<&Metadata>, is_own: impl Fn(&OsStr) -> bool) -> PathState {
    let Some(metadata) = metadata else { return PathState::Missing };
    match (access, metadata.is_file(), metadata.is_dir()) {
        (Access::Read, true, _) if metadata.len() > MAX_DIGEST_BYTES => {
            PathState::Large(metadata.len(), metadata.modified().ok())
        }
        (Access::Read, true, _) => read_anywhere(path, MAX_DIGEST_BYTES)
            .map_or(PathState::Unreadable, |bytes| PathState::Bytes(digest(&bytes))),
        (Access::List, _, true) => {
            names(path, is_own).map_or(PathState::Unreadable, |names| PathState::Names(digest(&names)))
        }
        (_, true, _) => PathState::File,
        (_, _, true) => PathState::Folder,
        _ => PathState::Other,
    }
}

/// The sorted entries of a folder without the run's own output: name, whether it is a folder, whether it is a link.
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

/// The stamp of a file that did not change recently.
fn settled(metadata: &Metadata) -> Option<Stamp> {
    let stamp = Stamp::new(metadata)?;
    let age = SystemTime::now().duration_since(stamp.modified).ok()?;
    (age > TIME_RESOLUTION).then_some(stamp)
}

impl Stamp {
    fn new(metadata: &Metadata) -> Option<Self> {
        Some(Self {
            size: metadata.len(),
            modified: metadata.modified().ok()?,
            inode_and_ctime: system::inode_and_ctime(metadata),
        })
    }
}
