//! Where bytes are read from: tiers of stores. Nothing outside this folder opens item files.

mod discover;
mod embedded;
mod folder;
mod git;
mod id;
mod kept;
mod memo;
mod memory;
mod modules;
mod python_bundles;
mod recording;
mod reference;
pub(crate) mod regular;
mod tiers;
mod twin;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostic::{Problem, system_reason};
use crate::text::{NotUtf8, Source};

pub(crate) use discover::absolute;
pub use discover::{Surroundings, TierArguments, find_project, find_tiers, named_project, user_folder};
pub use embedded::EmbeddedStore;
pub use folder::FolderStore;
pub use git::{ObjectId, Range, Repository, Revision, Snapshot, Tracked, Way, removed};
pub use id::{ItemId, ItemKind, last_segment};
pub use kept::KeptStore;
pub use memo::Memo;
pub use memory::MemoryStore;
pub use modules::Modules;
pub use recording::{Access, ReadRecord, Recording};
pub use reference::{DirectiveArgument, DirectiveFile};
pub use tiers::{Found, ReadOptions, Tier, TierKind, Tiers};
pub use twin::{Differing, Half, OneSide, Twin};

/// A tree of files that holds an `.ai/` folder: a folder on disk, the embedded bundle, a git tree.
///
/// Paths are relative to the folder that holds `.ai/` and use `/`.
pub trait Store: Send + Sync {
    /// The bytes of a file.
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError>;

    /// Whether a file or folder stands at that path; nothing is opened.
    fn exists(&self, path: &str) -> bool;

    /// What a folder holds, in byte order of names; empty when there is no such folder.
    fn list(&self, folder: &str) -> Result<Vec<Entry>, ReadError>;

    /// The text of a file; `tier` is the label that output shows. A store that keeps what it has read gives the same
    /// source again.
    fn source(&self, tier: &Arc<str>, path: &str, limit: u64) -> Result<Arc<Source>, ReadError> {
        let bytes = self.read(path, limit)?;
        Source::read_at(self.revision(), Arc::clone(tier), path, bytes).map_err(ReadError::NotUtf8)
    }

    /// Reads many files at once, where that is faster than one by one: `each` gets the index of a path and the bytes.
    /// Of what it is not called for, nothing is known.
    fn read_many(&self, _paths: &[&str], _limit: u64, _each: &mut dyn FnMut(usize, Vec<u8>)) {}

    /// The revision that its files are of, as it was typed; none for files on disk, or in no repository.
    fn revision(&self) -> Option<Arc<str>> {
        None
    }

    /// What a file holds, by name and without reading it: two files of one identity are equal, in whatever stores they
    /// lie. None where that is not known, or no file could be read.
    fn identity(&self, _path: &str) -> Option<ObjectId> {
        None
    }

    /// Where its files lie: two stores of one place are the same. None where that is not known.
    fn place(&self) -> Option<Place> {
        None
    }
}

/// Where the files of a store lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a folder on disk, or elsewhere if links may lead there.
    Folder {
        /// The folder.
        root: PathBuf,
        /// Whether links may lead out of it.
        follow_links: bool,
    },
    /// In the program, at this address.
    Program(usize),
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its name in the folder; U+FFFD stands in it for what is no UTF-8.
    pub name: String,
    /// Whether it is a folder. A link to one is none: a walk that entered links might never end, and that of the
    /// documents' system does not enter them either.
    pub is_folder: bool,
    /// Whether its name is UTF-8, without which no id and no path leads to it.
    pub is_named: bool,
}

impl Entry {
    /// One that a path leads to.
    pub fn new(name: impl Into<String>, is_folder: bool) -> Self {
        Self { name: name.into(), is_folder, is_named: true }
    }
}

/// Why a file could not be read.
#[derive(Debug, Clone)]
pub enum ReadError {
    /// Nothing there.
    NotFound,
    /// A folder, a FIFO, a device: what it is, in words.
    NotAFile(&'static str),
    /// A link leads out of the folder that holds `.ai/`.
    Outside,
    /// Larger than the limit; the size in bytes, if known.
    TooLarge(Option<u64>),
    /// It is no text.
    NotUtf8(NotUtf8),
    /// The system's reason.
    Io(Arc<io::Error>),
    /// Another reason, which the problem tells.
    Other(Box<Problem>),
}

impl ReadError {
    /// Whether both say the same.
    pub fn is_same(&self, other: &Self) -> bool {
        // The limit stands in the sentence alone.
        let said = |error: &Self| (error.clone().problem(0, None), matches!(error, Self::NotFound));
        said(self) == said(other)
    }

    /// The problem that a diagnostic tells. `limit` is the one that was read with, `raise_with` the flag that sets it.
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

    /// A reason of its own.
    pub(super) fn other(problem: Problem) -> Self {
        Self::Other(Box::new(problem))
    }
}
