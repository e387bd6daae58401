//! Where bytes are read from: tiers of stores. Nothing outside this folder opens item files.

mod discover;
mod embedded;
mod folder;
mod id;
mod memory;
mod modules;
mod python_bundles;
mod recording;
mod reference;
mod regular;
mod tiers;

use std::io;

use crate::diagnostic::{Problem, system_reason};

pub use discover::{Surroundings, TierArguments, find_project, find_tiers};
pub use embedded::EmbeddedStore;
pub use folder::FolderStore;
pub use id::{ItemId, ItemKind, last_segment};
pub use memory::MemoryStore;
pub use modules::Modules;
pub use recording::{Access, ReadRecord, Recording};
pub use reference::{DirectiveArgument, DirectiveFile};
pub use tiers::{Found, ReadOptions, Tier, TierKind, Tiers};

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
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its name in the folder.
    pub name: String,
    /// Whether it is a folder. A link to one is none: a walk that entered links might never end, and that of the
    /// documents' system does not enter them either.
    pub is_folder: bool,
}

/// Why a file could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// Nothing there.
    NotFound,
    /// A folder, a FIFO, a device: what it is, in words.
    NotAFile(&'static str),
    /// A link leads out of the folder that holds `.ai/`.
    Outside,
    /// Larger than the limit; the size in bytes, if known.
    TooLarge(Option<u64>),
    /// The system's reason.
    Io(io::Error),
}

impl ReadError {
    /// The problem that a diagnostic tells. `limit` is the one that was read with, `raise_with` the flag that sets it.
    pub fn problem(self, limit: u64, raise_with: Option<&'static str>) -> Problem {
        match self {
            Self::NotFound => Problem::Unreadable { reason: "no such file".to_string() },
            Self::NotAFile(what) => Problem::NotAFile { what },
            Self::Outside => Problem::OutsideTier,
            Self::TooLarge(size) => Problem::TooLarge { size, limit, raise_with },
            Self::Io(error) => Problem::Unreadable { reason: system_reason(&error) },
        }
    }
}
