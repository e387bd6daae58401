//! A store in memory.

use std::collections::BTreeMap;

use super::{PathKind, ReadError, Store, StoreEntry, entries_of, within};

#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    files: BTreeMap<String, Vec<u8>>,
    links: BTreeMap<String, Option<String>>,
}

impl MemoryStore {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// Adds a link to a path in the store; without a target, the link leads out of the store.
    pub fn link(&mut self, path: impl Into<String>, target: Option<String>) {
        self.links.insert(path.into(), target);
    }

    /// Follows at most ten links.
    fn target(&self, path: &str) -> Result<String, ReadError> {
        let mut real = path.to_string();
        for _ in 0..10 {
            let link = self.links.iter().find_map(|(link, target)| {
                let rest = real.strip_prefix(link.as_str()).filter(|it| it.is_empty() || it.starts_with('/'))?;
                Some((target, rest))
            });
            match link {
                Some((target, rest)) => real = format!("{}{rest}", target.as_ref().ok_or(ReadError::Outside)?),
                None => break,
            }
        }
        Ok(real)
    }
}

/// The paths below a folder, relative to it.
fn below<'a, T>(paths: &'a BTreeMap<String, T>, folder: &str) -> impl Iterator<Item = &'a str> {
    let prefix = if matches!(folder, "" | "/") { folder.to_string() } else { format!("{folder}/") };
    paths.range(prefix.clone()..).map_while(move |(path, _)| path.strip_prefix(prefix.as_str()))
}

impl<P: Into<String>, B: Into<Vec<u8>>> FromIterator<(P, B)> for MemoryStore {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect();
        Self { files, links: BTreeMap::new() }
    }
}

impl Store for MemoryStore {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.files.get(&self.target(path)?) {
            Some(bytes) => within(limit, bytes),
            None => Err(self.kind(path).map_or_else(|error| error, |_| ReadError::NotAFile("a folder"))),
        }
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        let real = self.target(path)?;
        if self.files.contains_key(&real) {
            return Ok(PathKind::File);
        }
        let first = below(&self.files, &real).next().or_else(|| below(&self.links, &real).next());
        first.map(|_| PathKind::Folder).ok_or(ReadError::NotFound)
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let real = self.target(folder)?;
        let mut entries = entries_of(below(&self.files, &real));
        entries.extend(entries_of(below(&self.links, &real)).into_iter().map(|entry| match entry.is_folder {
            true => entry,
            false => StoreEntry::link(entry.name),
        }));
        Ok(entries.into_iter().collect())
    }

    fn real(&self, path: &str) -> String {
        self.target(path).unwrap_or_else(|_| path.to_string())
    }

    fn is_link(&self, path: &str) -> bool {
        self.real(path) != path
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
