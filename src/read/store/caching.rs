use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::HashMap;

use super::{ObjectId, PathKind, ReadError, Store, StoreEntry, StoreLocation, entries_of, shard, within};
use crate::read::limits;
use crate::text::Source;

/// The number of locks; more of them reduce contention.
const SHARDS: usize = 16;

/// A store that reads each file and lists each folder once. Some files may be replaced by other bytes,
/// such as unsaved edits.
pub struct CachingStore {
    inner: Arc<dyn Store>,
    replaced: BTreeMap<String, Vec<u8>>,
    size: AtomicU64,
    kept: [Mutex<HashMap<String, Arc<Source>>>; SHARDS],
    listed: Mutex<HashMap<String, Vec<StoreEntry>>>,
}

impl CachingStore {
    /// `replaced` holds the bytes at some paths; the files need not exist.
    pub fn new(inner: Arc<dyn Store>, replaced: BTreeMap<String, Vec<u8>>) -> Self {
        let (kept, listed) = (Default::default(), Default::default());
        Self { inner, replaced, size: AtomicU64::new(0), kept, listed }
    }
}

impl Store for CachingStore {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.replaced.get(path) {
            Some(bytes) => within(limit, bytes),
            None => self.inner.read(path, limit),
        }
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        if self.replaced.contains_key(path) { Ok(PathKind::File) } else { self.inner.kind(path) }
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let listed = || self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entries) = listed().get(folder) {
            return Ok(entries.clone());
        }
        let mut entries = self.inner.list(folder)?;
        // Paths below a folder are adjacent; there may be thousands of others.
        let before = format!("{folder}/");
        let below = self.replaced.range(before.clone()..).map_while(|(path, _)| path.strip_prefix(&before));
        entries.extend(entries_of(below));
        entries.sort();
        // A replaced file may be a link.
        entries.dedup_by(|later, first| later.name == first.name && later.is_folder == first.is_folder);
        listed().insert(folder.to_string(), entries.clone());
        Ok(entries)
    }

    fn source(&self, tier: &Arc<str>, path: &str, limit: u64) -> Result<Arc<Source>, ReadError> {
        let shard = &self.kept[shard(path, SHARDS)];
        if let Some(source) = shard.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return Ok(Arc::clone(source));
        }
        let source = match self.replaced.get(path) {
            Some(_) => {
                let bytes = self.read(path, limit)?;
                Source::read_at(self.revision(path), Arc::clone(tier), path, bytes).map_err(ReadError::NotUtf8)?
            }
            // An inner store that caches returns the same source, whose parsed form may be cached too.
            None => self.inner.source(tier, path, limit)?,
        };
        let mut kept = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(source) = kept.get(path) {
            return Ok(Arc::clone(source));
        }
        let size = source.text().len() as u64;
        if let Some(problem) = limits::too_large_for_a_tier(self.size.fetch_add(size, Ordering::Relaxed) + size, limit)
        {
            self.size.fetch_sub(size, Ordering::Relaxed);
            return Err(ReadError::other(problem));
        }
        kept.insert(path.to_string(), Arc::clone(&source));
        Ok(source)
    }

    fn revision(&self, path: &str) -> Option<Arc<str>> {
        self.inner.revision(path)
    }

    fn identity(&self, path: &str) -> Option<ObjectId> {
        if self.replaced.contains_key(path) { None } else { self.inner.identity(path) }
    }

    fn place(&self) -> Option<StoreLocation> {
        self.inner.place()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::store::MemoryStore;

    #[test]
    fn a_file_is_read_once_and_may_be_replaced() {
        let inner: MemoryStore = [(".ai/a", "one"), (".ai/b", "two")].into_iter().collect();
        let replaced = [(".ai/b", "other"), (".ai/new/c", "c")].map(|(path, text)| (path.to_string(), text.into()));
        let store = CachingStore::new(Arc::new(inner), replaced.into());
        let tier: Arc<str> = "project".into();
        let read = |path: &str| store.source(&tier, path, 100).unwrap();
        assert!(Arc::ptr_eq(&read(".ai/a"), &read(".ai/a")));
        assert_eq!((read(".ai/b").text(), read(".ai/new/c").text()), ("other", "c"));
        assert!(store.exists(".ai/new/c") && store.read(".ai/b", 1).is_err());
        let names: Vec<String> = store.list(".ai").unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["a", "b", "new"]);
    }

    #[test]
    fn folders_list_replaced_files_below_them_only() {
        let inner: MemoryStore = [("a/x", ""), ("a-b", ""), ("a.b", "")].into_iter().collect();
        let paths = ["a", "a-b/x", "a/y", "a/z/1", "a/z/2", "a0/x", "b/a/x"];
        let store = CachingStore::new(Arc::new(inner), paths.map(|path| (path.to_string(), Vec::new())).into());
        let entries = store.list("a").unwrap();
        let expected = [("x", false), ("y", false), ("z", true)];
        let expected = expected.map(|(name, is_folder)| StoreEntry::new(name, is_folder));
        assert_eq!(entries, expected);
    }
}
