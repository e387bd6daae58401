//! Reads the files of tiers and agents' folders from disk, a revision or the program. No other module opens them.

mod caching;
mod discover;
pub(crate) mod disk;
mod embedded;
mod folder;
mod git;
mod id;
mod inside;
mod installed;
mod isolated;
mod memo;
mod modules;
mod paired;
mod python_bundles;
mod reference;
pub(crate) mod regular;
#[cfg(any(test, feature = "internals"))]
mod testing;
mod tiers;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostic::{Problem, system_reason};
use crate::text::{NotUtf8, Source};

pub use caching::CachingStore;
pub(crate) use discover::absolute;
pub use discover::{Surroundings, TierArguments, find_project, find_tiers, named_project, user_folder};
pub use disk::Disk;
pub use embedded::EmbeddedStore;
pub use folder::FolderStore;
pub use git::{AtRevision, ObjectId, Range, Repository, Revision, Snapshot, Tracked, removed};
pub use id::{ItemId, ItemKind, last_segment};
pub use inside::InsideStore;
pub use installed::Installed;
pub use isolated::IsolatedStore;
pub use memo::Memo;
pub use modules::Modules;
pub use paired::{Differing, PairedTier, PairedTierSide};
pub use reference::{DirectiveArgument, DirectiveFile};
#[cfg(any(test, feature = "internals"))]
pub use testing::MemoryStore;
pub use tiers::{FoundItem, ReadOptions, Tier, TierKind, Tiers};

/// How a path was accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    Read,
    /// Only existence was checked.
    Probe,
    List,
}

/// A tree of files: a folder on disk, a git tree, the embedded bundle, the whole disk. Paths use `/`. They are relative
/// to the folder that holds `.ai/`, or absolute in [`Disk::whole`] and [`AtRevision`].
pub trait Store: Send + Sync {
    /// `limit` is in bytes.
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError>;

    /// Follows links, and opens nothing.
    fn kind(&self, path: &str) -> Result<PathKind, ReadError>;

    /// The entries of a folder, in byte order of names; empty if there is no such folder.
    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError>;

    /// The entries of a folder, in the order of the disk if the store is [`Self::in_disk_order`].
    fn listed(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        self.list(folder)
    }

    /// Answers later questions about what is in a folder from its list, where that is faster.
    fn survey(&self, _folder: &str) {}

    /// Whether [`Self::listed`] tells how this disk orders a folder. The order is different on another machine.
    fn in_disk_order(&self) -> bool {
        false
    }

    /// Whether there is anything at that path, readable or not.
    fn exists(&self, path: &str) -> bool {
        !matches!(self.kind(path), Err(ReadError::NotFound | ReadError::Io(_)))
    }

    fn is_file(&self, path: &str) -> bool {
        matches!(self.kind(path), Ok(PathKind::File))
    }

    fn size(&self, path: &str, limit: u64) -> Option<usize> {
        self.read(path, limit).ok().map(|bytes| bytes.len())
    }

    /// The path with links resolved; unchanged if it does not exist.
    fn real(&self, path: &str) -> String {
        path.to_string()
    }

    /// Whether its real path may differ from its folder's real path and its name.
    fn is_link(&self, _path: &str) -> bool {
        true
    }

    /// Whether nothing is known of a path, because it leads out of what the store shows.
    fn is_outside(&self, _path: &str) -> bool {
        false
    }

    /// Whether it is a link whose target is missing.
    fn is_dangling(&self, _path: &str) -> bool {
        false
    }

    /// The text of a file; `tier` is the label that output shows. A store that caches returns the same source again.
    fn source(&self, tier: &Arc<str>, path: &str, limit: u64) -> Result<Arc<Source>, ReadError> {
        let bytes = self.read(path, limit)?;
        Source::read_at(self.revision(path), Arc::clone(tier), path, bytes).map_err(ReadError::NotUtf8)
    }

    /// Reads many files at once where that is faster: `each` receives the index of a path and the
    /// bytes. A file for which it is not called may still exist.
    fn read_many(&self, _paths: &[&str], _limit: u64, _each: &mut dyn FnMut(usize, Vec<u8>)) {}

    /// The revision as typed; `None` for files on disk.
    fn revision(&self, _path: &str) -> Option<Arc<str>> {
        None
    }

    /// Identifies the content without reading it: files with the same identity are equal, in any
    /// store. `None` if unknown or unreadable.
    fn identity(&self, _path: &str) -> Option<ObjectId> {
        None
    }

    /// Where the files are: stores with the same location are the same. `None` if unknown.
    fn place(&self) -> Option<StoreLocation> {
        None
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreLocation {
    Folder {
        root: PathBuf,
        /// Whether links may lead out of `root`.
        follow_links: bool,
    },
    Program(usize),
}

/// What is at a path, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    File,
    Folder,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoreEntry {
    /// The name, with U+FFFD for bytes that are not UTF-8.
    pub name: String,
    /// False for a link to a folder: links may form a loop, and the documented system does not follow them either.
    pub is_folder: bool,
    /// Whether it is a link, or neither a file nor a folder.
    pub is_link: bool,
    /// Whether the name is UTF-8; if not, no id or path can name it.
    pub is_named: bool,
}

impl StoreEntry {
    pub fn new(name: impl Into<String>, is_folder: bool) -> Self {
        Self { name: name.into(), is_folder, is_link: false, is_named: true }
    }

    pub fn link(name: impl Into<String>) -> Self {
        Self { is_link: true, ..Self::new(name, false) }
    }

    /// The kind with links followed; `None` for anything but files and folders. `path` makes the path of this entry.
    pub fn followed(&self, store: &dyn Store, path: impl FnOnce() -> String) -> Option<PathKind> {
        match (self.is_link, self.is_folder) {
            (true, _) => store.kind(&path()).ok(),
            (false, true) => Some(PathKind::Folder),
            (false, false) => Some(PathKind::File),
        }
    }
}

#[derive(Debug, Clone)]
pub enum ReadError {
    NotFound,
    /// What it is instead, in words: a folder, a FIFO, a device.
    NotAFile(&'static str),
    Outside,
    TooLarge(Option<u64>),
    NotUtf8(NotUtf8),
    Io(Arc<io::Error>),
    Other(Box<Problem>),
}

impl ReadError {
    pub fn is_same(&self, other: &Self) -> bool {
        // The limit appears only in the message.
        let said = |error: &Self| (error.clone().problem(0, None), matches!(error, Self::NotFound));
        said(self) == said(other)
    }

    /// `limit` is the limit in force, `raise_with` the flag that sets it.
    pub fn problem(self, limit: u64, raise_with: Option<&'static str>) -> Problem {
        match self {
            Self::NotFound => Problem::Unreadable { reason: "no such file".to_string() },
            Self::NotAFile(what) => Problem::NotAFile { what },
            Self::Outside => Problem::OutsideTier,
            Self::TooLarge(size) => Problem::TooLarge { size, limit, raise_with },
            Self::NotUtf8(NotUtf8 { at, .. }) => Problem::InvalidUtf8 { at },
            Self::Io(error) => Problem::Unreadable { reason: system_reason(&error) },
            Self::Other(problem) => *problem,
        }
    }

    /// The system's reason, if access is denied.
    pub fn denial(&self) -> Option<String> {
        match self {
            Self::Io(error) if error.kind() == io::ErrorKind::PermissionDenied => Some(system_reason(error)),
            _ => None,
        }
    }

    pub(crate) fn other(problem: Problem) -> Self {
        Self::Other(Box::new(problem))
    }
}

/// The bytes of a file in memory, unless they exceed the limit.
fn within(limit: u64, bytes: &[u8]) -> Result<Vec<u8>, ReadError> {
    let size = bytes.len() as u64;
    if size > limit { Err(ReadError::TooLarge(Some(size))) } else { Ok(bytes.to_vec()) }
}

/// The entries of a folder, from the paths of the files below it.
pub(crate) fn entries_of<'a>(paths: impl Iterator<Item = &'a str>) -> BTreeSet<StoreEntry> {
    // Paths in byte order do not give names in byte order: `a.md` sorts between `a-b/x` and `a/x`.
    let entry = |path: &str| match path.split_once('/') {
        Some((name, _)) => StoreEntry::new(name, true),
        None => StoreEntry::new(path, false),
    };
    paths.map(entry).collect()
}

/// Joins relative paths; the top is empty.
fn below(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_string() } else { format!("{folder}/{path}") }
}

/// Distributes paths over locks to reduce contention. Uses the ends of paths, which differ most.
fn shard(path: &str, shards: usize) -> usize {
    path.bytes().rev().take(12).fold(0, |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(byte.into())) % shards
}
