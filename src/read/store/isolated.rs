//! The files of a repository as they are on a machine that has nothing else, so that what is read depends neither on the
//! place of the repository nor on the machine.

use std::collections::BTreeSet;
use std::io;
use std::ops::Bound;
use std::path::Path;

use super::{Disk, FolderStore, PathKind, ReadError, Store, StoreEntry, below, entries_of};

/// A store of absolute paths.
pub struct IsolatedStore {
    top: FolderStore,
    /// The files that exist, relative to the top.
    listed: BTreeSet<String>,
    /// The paths by which agents recognize a repository, whose files are empty.
    of_git: BTreeSet<String>,
}

impl IsolatedStore {
    /// Where the top of the repository seems to be.
    pub const TOP: &str = "/repository";
    /// The user's home folder, which does not exist.
    pub const HOME: &str = "/home";

    /// `top` is the top of the working tree, and `listed` holds the paths below it that count.
    pub fn new(top: &Path, listed: impl IntoIterator<Item = String>, disk: &Disk) -> io::Result<Self> {
        let of_git = ["HEAD", "objects/info/packs", "refs/heads/main"];
        let of_git = of_git.map(|path| format!("{}/.git/{path}", Self::TOP)).into();
        Ok(Self { top: FolderStore::open(top, false, disk)?, listed: listed.into_iter().collect(), of_git })
    }

    /// The path below the top, with links resolved, of something that is listed or holds what is listed.
    fn find(&self, path: &str) -> Option<String> {
        let below = self.below(path)?;
        let real = if below.is_empty() { String::new() } else { self.top.real_inside(below)? };
        (real.is_empty() || self.listed.contains(&real) || self.holds(&real)).then_some(real)
    }

    fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        let below = path.strip_prefix(Self::TOP)?;
        if below.is_empty() { Some(below) } else { below.strip_prefix('/') }
    }

    fn holds(&self, folder: &str) -> bool {
        let before = format!("{folder}/");
        let next = self.listed.range::<str, _>((Bound::Excluded(before.as_str()), Bound::Unbounded)).next();
        next.is_some_and(|path| path.starts_with(&before))
    }

    /// The paths of git's files, relative to a folder.
    fn of_git(&self, folder: &str) -> impl Iterator<Item = &str> {
        let before = if folder == "/" { folder.to_string() } else { format!("{folder}/") };
        let paths = self.of_git.range::<str, _>((Bound::Excluded(before.as_str()), Bound::Unbounded));
        paths.map_while(move |path| path.strip_prefix(&before))
    }
}

impl Store for IsolatedStore {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.find(path) {
            _ if self.of_git.contains(path) => Ok(Vec::new()),
            Some(real) => self.top.read(&real, limit),
            None => Err(ReadError::NotFound),
        }
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        match self.find(path) {
            _ if self.of_git.contains(path) => Ok(PathKind::File),
            Some(real) if !real.is_empty() => self.top.kind(&real),
            None if self.of_git(path).next().is_none() => Err(ReadError::NotFound),
            _ => Ok(PathKind::Folder),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let mut entries = Vec::new();
        if let Some(real) = self.find(folder) {
            let is_listed = |entry: &StoreEntry| {
                let path = below(&real, &entry.name);
                self.listed.contains(&path) || entry.is_folder && self.holds(&path)
            };
            entries = self.top.list(if real.is_empty() { "." } else { &real })?;
            entries.retain(is_listed);
        }
        entries.extend(entries_of(self.of_git(folder)));
        entries.sort_unstable();
        Ok(entries)
    }

    fn size(&self, path: &str, limit: u64) -> Option<usize> {
        if self.of_git.contains(path) { Some(0) } else { self.top.size(&self.find(path)?, limit) }
    }

    fn real(&self, path: &str) -> String {
        match self.find(path) {
            Some(real) if real.is_empty() => Self::TOP.to_string(),
            Some(real) => format!("{}/{real}", Self::TOP),
            None => path.to_string(),
        }
    }

    fn is_link(&self, path: &str) -> bool {
        self.below(path).is_some_and(|below| self.listed.contains(below) && self.top.is_link(below))
    }

    fn is_dangling(&self, path: &str) -> bool {
        self.is_link(path) && self.find(path).is_none()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn store(listed: &[&str]) -> (tempfile::TempDir, IsolatedStore) {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir_all(top.path().join("api/sub")).unwrap();
        for path in ["AGENTS.md", "api/AGENTS.md", "api/ignored.md"] {
            fs::write(top.path().join(path), path).unwrap();
        }
        let listed = listed.iter().map(|path| path.to_string());
        let store = IsolatedStore::new(top.path(), listed, &Disk::default());
        (top, store.unwrap())
    }

    #[test]
    fn only_listed_files_exist() {
        let (_top, store) = store(&["AGENTS.md", "api/AGENTS.md", "api/sub", "gone.md"]);
        assert_eq!(store.read("/repository/api/AGENTS.md", 99).unwrap(), b"api/AGENTS.md");
        for path in ["/repository/api/ignored.md", "/repository/gone.md", "/repository/../AGENTS.md", "/etc", "/homely"]
        {
            assert!(!store.exists(path), "{path}");
        }
        let names = |folder: &str| -> Vec<_> { store.list(folder).unwrap().into_iter().map(|it| it.name).collect() };
        assert_eq!(names("/repository"), [".git", "AGENTS.md", "api"]);
        assert_eq!(names("/repository/api"), ["AGENTS.md", "sub"]);
        assert_eq!((names("/"), names("/home")), (vec!["repository".to_string()], Vec::new()));
        for folder in ["/", "/repository", "/repository/api", "/repository/api/sub", "/repository/.git/refs"] {
            assert!(matches!(store.kind(folder), Ok(PathKind::Folder)), "{folder}");
        }
        assert!(!store.exists(IsolatedStore::HOME));
    }

    #[test]
    fn links_lead_to_listed_files_only() {
        let (top, store) = store(&["AGENTS.md", "api/AGENTS.md", "inside", "outside", "ignored", "absolute", "folder"]);
        let link = |target: &str, name: &str| symlink(target, top.path().join(name)).unwrap();
        link("api/AGENTS.md", "inside");
        link("/etc/hostname", "outside");
        link("api/ignored.md", "ignored");
        link(top.path().join("AGENTS.md").to_str().unwrap(), "absolute");
        link("api", "folder");
        assert_eq!(store.real("/repository/inside"), "/repository/api/AGENTS.md");
        assert_eq!(store.read("/repository/folder/AGENTS.md", 99).unwrap(), b"api/AGENTS.md");
        // Another clone does not have the folder that an absolute link names.
        for path in ["outside", "ignored", "absolute"] {
            let path = format!("{}/{path}", IsolatedStore::TOP);
            assert!(!store.exists(&path) && store.is_dangling(&path), "{path}");
        }
    }
}
