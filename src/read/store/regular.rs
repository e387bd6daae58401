//! Reads files that must be regular. Every check uses the opened file, so that the file checked is the file read.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::ReadError;
use crate::system;

/// Reads a regular file, wherever links lead; `limit` is in bytes.
pub(crate) fn read_anywhere(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_opened(open_anywhere(path)?, limit)
}

pub(super) fn open_anywhere(path: &Path) -> Result<File, ReadError> {
    system::open(path).map_err(|error| not_opened(path, error))
}

pub(super) fn size_opened(file: &File, limit: u64) -> Result<u64, ReadError> {
    let metadata = file.metadata()?;
    if let Some(what) = other_than_file(metadata.file_type()) {
        return Err(ReadError::NotAFile(what));
    }
    let size = metadata.len();
    if size > limit { Err(ReadError::TooLarge(Some(size))) } else { Ok(size) }
}

/// `limit` is in bytes.
pub(super) fn read_opened(file: File, limit: u64) -> Result<Vec<u8>, ReadError> {
    let size = size_opened(&file, limit)?;
    let mut bytes = Vec::new();
    // One spare byte, so that the read that finds the end needs no larger buffer.
    let capacity = usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1);
    bytes.try_reserve_exact(capacity).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    // One read normally suffices: a regular file returns fewer bytes than requested only at its
    // end. The size is a hint: a file may have grown, and those of /proc report 0.
    let mut file = file.take(limit.saturating_add(1));
    bytes.resize(capacity, 0);
    let first = match file.read(&mut bytes) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
        first => first?,
    };
    bytes.truncate(first);
    if size == 0 || first as u64 != size {
        file.read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge(None)) } else { Ok(bytes) }
}

/// The error for a file that cannot be opened at all, such as a socket.
pub(super) fn not_opened(path: &Path, error: io::Error) -> ReadError {
    match ReadError::from(error) {
        ReadError::Io(error) => match fs::metadata(path).ok().and_then(|found| other_than_file(found.file_type())) {
            Some(what) => ReadError::NotAFile(what),
            None => ReadError::Io(error),
        },
        other => other,
    }
}

pub(super) fn other_than_file(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        return None;
    }
    if kind.is_dir() { Some("a folder") } else { system::special_file(kind).or(Some("something else")) }
}

impl From<io::Error> for ReadError {
    /// A path that cannot exist, because a part of it is a file or is too long, is reported as not found.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => Self::NotFound,
            _ => Self::Io(Arc::new(error)),
        }
    }
}
