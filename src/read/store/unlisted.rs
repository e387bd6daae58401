use std::sync::Arc;

use super::{PathKind, ReadError, Store, StoreEntry, entries_of};

/// A store in which folders seem to hold only some files. What is asked for by its name is there, too.
pub struct UnlistedStore {
    files: Arc<dyn Store>,
    listed: Vec<String>,
}

impl UnlistedStore {
    pub fn new(files: Arc<dyn Store>, listed: Vec<String>) -> Self {
        Self { files, listed }
    }
}

impl Store for UnlistedStore {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.files.read(path, limit)
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        self.files.kind(path)
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let inside =
            |path: &'_ String| path.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/').map(str::to_string);
        let below: Vec<String> = self.listed.iter().filter_map(inside).collect();
        Ok(entries_of(below.iter().map(String::as_str)).into_iter().collect())
    }

    fn size(&self, path: &str, limit: u64) -> Option<usize> {
        self.files.size(path, limit)
    }

    fn real(&self, path: &str) -> String {
        self.files.real(path)
    }

    fn is_link(&self, path: &str) -> bool {
        self.files.is_link(path)
    }

    fn is_dangling(&self, path: &str) -> bool {
        self.files.is_dangling(path)
    }
}
