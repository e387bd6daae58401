use super::{PathKind, ReadError, Store, StoreEntry, StoreLocation, entries_of, within};
use crate::read::bundle::EmbeddedFile;

pub struct EmbeddedStore {
    files: &'static [EmbeddedFile],
}

impl EmbeddedStore {
    /// `files` must be sorted by path, in byte order.
    pub fn new(files: &'static [EmbeddedFile]) -> Self {
        debug_assert!(files.is_sorted_by(|a, b| a.path < b.path), "the table is not sorted");
        Self { files }
    }

    fn file(&self, path: &str) -> Option<&'static EmbeddedFile> {
        Some(&self.files[self.files.binary_search_by(|file| file.path.cmp(path)).ok()?])
    }

    fn below(&self, folder: &str) -> impl Iterator<Item = &'static str> {
        let prefix = format!("{folder}/");
        let first = self.files.partition_point(|file| file.path < prefix.as_str());
        self.files[first..].iter().map_while(move |file| file.path.strip_prefix(prefix.as_str()))
    }
}

impl Store for EmbeddedStore {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.file(path) {
            Some(file) => within(limit, file.bytes),
            None => Err(self.kind(path).map_or_else(|error| error, |_| ReadError::NotAFile("a folder"))),
        }
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        if self.file(path).is_some() {
            return Ok(PathKind::File);
        }
        self.below(path).next().map(|_| PathKind::Folder).ok_or(ReadError::NotFound)
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        Ok(entries_of(self.below(folder)).into_iter().collect())
    }

    fn place(&self) -> Option<StoreLocation> {
        Some(StoreLocation::Program(self.files.as_ptr().addr()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static FILES: &[EmbeddedFile] = &[
        EmbeddedFile { path: ".ai/a-b/x.md", bytes: b"one" },
        EmbeddedFile { path: ".ai/a.md", bytes: b"two" },
        EmbeddedFile { path: ".ai/a/x.md", bytes: b"three" },
        EmbeddedFile { path: ".ai/a/y/z.md", bytes: b"four" },
    ];

    fn names(folder: &str) -> Vec<(String, bool)> {
        let entries = EmbeddedStore::new(FILES).list(folder).unwrap();
        entries.into_iter().map(|entry| (entry.name, entry.is_folder)).collect()
    }

    #[test]
    fn files_are_read() {
        let store = EmbeddedStore::new(FILES);
        assert_eq!(store.read(".ai/a/x.md", 5).unwrap(), b"three");
        assert!(matches!(store.read(".ai/a/x.md", 4), Err(ReadError::TooLarge(Some(5)))));
        assert!(matches!(store.read(".ai/a", 5), Err(ReadError::NotAFile("a folder"))));
        for absent in ["", "a.md", ".ai/a/", ".ai/a/x", ".ai/b.md", "/.ai/a.md"] {
            assert!(matches!(store.read(absent, 5), Err(ReadError::NotFound)), "{absent}");
        }
    }

    #[test]
    fn folders_are_listed_in_byte_order() {
        let entry = |name: &str, is_folder| (name.to_string(), is_folder);
        assert_eq!(names(".ai"), [entry("a", true), entry("a-b", true), entry("a.md", false)]);
        assert_eq!(names(".ai/a"), [entry("x.md", false), entry("y", true)]);
        assert_eq!(names(".ai/a.md"), []);
        assert_eq!(names(".ai/none"), []);
    }

    #[test]
    fn files_and_folders_exist() {
        let store = EmbeddedStore::new(FILES);
        assert!(store.exists(".ai/a.md") && store.exists(".ai/a/y") && store.exists(".ai"));
        assert!(!store.exists(".ai/a/y/z") && !store.exists("a"));
    }
}
