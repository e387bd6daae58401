//! A store that records which paths are accessed.

use std::sync::{Arc, Mutex, PoisonError};

use rye_render::internals::read::store::{Access, MemoryStore, ObjectId, PathKind, ReadError, Store, StoreEntry};
use rye_render::internals::text::Source;

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReadRecord {
    pub path: String,
    pub access: Access,
    pub hit: bool,
}

pub struct Recording {
    store: Arc<dyn Store>,
    records: Mutex<Vec<ReadRecord>>,
}

impl Recording {
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, records: Mutex::new(Vec::new()) }
    }

    pub fn reads(&self) -> Vec<ReadRecord> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn record(&self, path: &str, access: Access, hit: bool) {
        let record = ReadRecord { path: path.to_string(), access, hit };
        self.records.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }
}

impl Store for Recording {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let result = self.store.read(path, limit);
        self.record(path, Access::Read, !matches!(result, Err(ReadError::NotFound)));
        result
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        let result = self.store.kind(path);
        self.record(path, Access::Probe, !matches!(result, Err(ReadError::NotFound)));
        result
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let result = self.store.list(folder);
        self.record(folder, Access::List, !matches!(&result, Ok(entries) if entries.is_empty()));
        result
    }

    fn source(&self, tier: &Arc<str>, path: &str, limit: u64) -> Result<Arc<Source>, ReadError> {
        let result = self.store.source(tier, path, limit);
        self.record(path, Access::Read, !matches!(result, Err(ReadError::NotFound)));
        result
    }

    fn revision(&self, path: &str) -> Option<Arc<str>> {
        self.store.revision(path)
    }

    fn identity(&self, path: &str) -> Option<ObjectId> {
        let identity = self.store.identity(path);
        self.record(path, Access::Read, identity.is_some());
        identity
    }
}

#[test]
fn hits_and_misses_are_recorded_in_order() {
    let files: MemoryStore = [(".ai/a.md", "text")].into_iter().collect();
    let store = Recording::new(Arc::new(files));
    assert!(store.read(".ai/b.md", 10).is_err());
    assert!(store.read(".ai/a.md", 1).is_err());
    assert!(store.exists(".ai/a.md"));
    assert!(store.list("none").unwrap().is_empty());
    let record = |path: &str, access, hit| ReadRecord { path: path.to_string(), access, hit };
    assert_eq!(
        store.reads(),
        [
            record(".ai/b.md", Access::Read, false),
            record(".ai/a.md", Access::Read, true),
            record(".ai/a.md", Access::Probe, true),
            record("none", Access::List, false),
        ]
    );
}
