//! A store in memory.

use std::collections::BTreeMap;

use super::{ReadError, Store, StoreEntry, entries_of, within};

#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryStore {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    fn below(&self, folder: &str) -> impl Iterator<Item = &str> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        self.files.range(prefix.clone()..).map_while(move |(path, _)| path.strip_prefix(prefix.as_str()))
    }
}

impl<P: Into<String>, B: Into<Vec<u8>>> FromIterator<(P, B)> for MemoryStore {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> Self {
        Self { files: files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect() }
    }
}

impl Store for MemoryStore {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.files.get(path) {
            Some(bytes) => within(limit, bytes),
            None if self.below(path).next().is_some() => Err(ReadError::NotAFile("a folder")),
            None => Err(ReadError::NotFound),
        }
    }

    fn exists(&self, path: &str) -> bool {
        self.files.contains_key(path) || self.below(path).next().is_some()
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        Ok(entries_of(self.below(folder)).into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_list_in_byte_order() {
        let store: MemoryStore =
            ["t/a/x", "t/a-b", "t/a.py", "t/b/c/d", "t/b/e", "tt"].map(|path| (path, path)).into_iter().collect();
        let names = |folder| -> Vec<(String, bool)> {
            store.list(folder).unwrap().into_iter().map(|entry| (entry.name, entry.is_folder)).collect()
        };
        let own = |list: &[(&str, bool)]| -> Vec<_> { list.iter().map(|(name, is)| (name.to_string(), *is)).collect() };
        assert_eq!(names("t"), own(&[("a", true), ("a-b", false), ("a.py", false), ("b", true)]));
        assert_eq!(names("t/b"), own(&[("c", true), ("e", false)]));
        assert_eq!(names("none"), []);
        assert!(matches!(store.read("t/a", 9), Err(ReadError::NotAFile(_))));
        assert!(matches!(store.read("t/x", 9), Err(ReadError::NotFound)));
        assert!(matches!(store.read("t/a/x", 2), Err(ReadError::TooLarge(Some(5)))));
        assert_eq!(store.read("tt", 9).unwrap(), b"tt");
        assert!(store.exists("t/b/c") && !store.exists("t/b/c/"));
    }
}
