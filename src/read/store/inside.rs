use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{PathKind, ReadError, Store, StoreEntry};

/// A folder of another store, and nothing else: a path outside of it is missing, and so is what a link leads to there.
pub struct InsideStore<'a> {
    files: &'a dyn Store,
    /// Absolute, without links.
    root: &'a str,
    /// Links out that were asked for, or something behind them, with where they lead.
    leading_out: Mutex<BTreeMap<String, String>>,
}

impl<'a> InsideStore<'a> {
    pub fn new(files: &'a dyn Store, root: &'a str) -> Self {
        Self { files, root, leading_out: Mutex::default() }
    }

    /// The links out of the folder that somebody asked for, or for something behind them, with where they lead.
    pub fn leading_out(self) -> BTreeMap<String, String> {
        self.leading_out.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn holds(&self, path: &str) -> bool {
        let rest = path.strip_prefix(self.root.trim_end_matches('/'));
        rest.is_some_and(|rest| (rest.is_empty() || rest.starts_with('/')) && !rest.split('/').any(|part| part == ".."))
    }

    fn is_inside(&self, path: &str) -> bool {
        if !self.holds(path) {
            return false;
        }
        let (mut link, mut target) = (path, self.files.real(path));
        // If the real path is not UTF-8, the path stays as it is.
        let has_link = || self.folders(path).any(|folder| self.files.is_link(folder));
        let is_unknown = || target == path && self.files.exists(path) && has_link();
        if self.holds(&target) && !is_unknown() {
            return true;
        }
        // A folder on the way may be the link.
        while let Some((above, _)) = link.rsplit_once('/').filter(|(above, _)| self.holds(above)) {
            let real = self.files.real(above);
            if self.holds(&real) {
                break;
            }
            (link, target) = (above, real);
        }
        self.leading_out.lock().unwrap_or_else(PoisonError::into_inner).insert(link.to_string(), target);
        false
    }

    /// A path and the folders on the way to it, as far as they are below the root.
    fn folders<'p>(&self, path: &'p str) -> impl Iterator<Item = &'p str> {
        let above = |folder: &&'p str| folder.rsplit_once('/').map(|(above, _)| above);
        std::iter::successors(Some(path), above)
            .take_while(|folder| self.holds(folder) && folder.len() > self.root.len())
    }

    fn inside<T>(&self, path: &str, answer: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
        if self.is_inside(path) { answer() } else { Err(ReadError::NotFound) }
    }
}

impl Store for InsideStore<'_> {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.inside(path, || self.files.read(path, limit))
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        self.inside(path, || self.files.kind(path))
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        if self.is_inside(folder) { self.files.list(folder) } else { Ok(Vec::new()) }
    }

    fn size(&self, path: &str, limit: u64) -> Option<usize> {
        self.is_inside(path).then(|| self.files.size(path, limit)).flatten()
    }

    fn real(&self, path: &str) -> String {
        if self.is_inside(path) { self.files.real(path) } else { path.to_string() }
    }

    fn is_link(&self, path: &str) -> bool {
        let is_asked = path.rsplit_once('/').is_some_and(|(folder, _)| folder.is_empty() || self.is_inside(folder));
        is_asked && self.holds(path) && self.files.is_link(path)
    }

    fn is_outside(&self, path: &str) -> bool {
        !self.is_inside(path)
    }

    fn is_dangling(&self, path: &str) -> bool {
        self.is_link(path) && (!self.is_inside(path) || self.files.is_dangling(path))
    }

    fn revision(&self, path: &str) -> Option<Arc<str>> {
        self.files.revision(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::store::MemoryStore;

    #[test]
    fn nothing_outside_is_there() {
        let mut files: MemoryStore =
            [("/a/r/in", "in"), ("/a/secret", "secret"), ("/a/other/x", "secret"), ("/a/rest/x", "secret")]
                .into_iter()
                .collect();
        for (link, target) in [("/a/r/same", "/a/r/in"), ("/a/r/out", "/a/secret"), ("/a/r/dir", "/a/other")] {
            files.link(link, Some(target.to_string()));
        }
        let inside = InsideStore::new(&files, "/a/r");
        let read = |path: &str| inside.read(path, 10).ok().map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!((read("/a/r/in").as_deref(), read("/a/r/same").as_deref()), (Some("in"), Some("in")));
        assert_eq!(inside.list("/a/r/dir").unwrap(), []);
        for path in ["/a/r/out", "/a/r/dir/x", "/a/secret", "/a/rest/x", "/a/r/../secret", "/a/r/dir"] {
            assert_eq!(read(path), None, "{path}");
            assert!(!inside.exists(path) && inside.size(path, 10).is_none(), "{path}");
            assert_eq!(inside.real(path), path);
        }
        assert_eq!((inside.is_dangling("/a/r/out"), inside.is_dangling("/a/r/same")), (true, false));
        let out: Vec<_> = inside.leading_out().into_iter().collect();
        assert_eq!(out, [("/a/r/dir", "/a/other"), ("/a/r/out", "/a/secret")].map(|(a, b)| (a.into(), b.into())));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_path_that_is_not_utf_8_leads_out() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        use crate::read::store::Disk;

        let top = tempfile::tempdir().unwrap();
        let path = top.path().canonicalize().unwrap();
        let (root, outside) = (path.join("root"), path.join(OsStr::from_bytes(b"caf\xe9")));
        std::fs::create_dir_all(&root).unwrap();
        std::fs::create_dir_all(&outside).unwrap();
        std::fs::write(outside.join("s.md"), "secret").unwrap();
        std::os::unix::fs::symlink(outside.join("s.md"), root.join("AGENTS.md")).unwrap();
        std::os::unix::fs::symlink(&outside, root.join("folder")).unwrap();
        let (root, disk) = (root.to_string_lossy().into_owned(), Disk::default().whole());
        let inside = InsideStore::new(&disk, &root);
        for name in ["AGENTS.md", "folder/s.md"] {
            assert!(inside.read(&format!("{root}/{name}"), 99).is_err(), "{name}");
        }
    }
}
