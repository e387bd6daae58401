//! Reads the files that apply to a folder.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::{Location, Problem, system_reason};
use crate::disk_log;
use crate::limits;
use crate::store::Access;
use crate::store::regular::{read_anywhere, size_anywhere};

/// What is at a path, following links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    File,
    Folder,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    /// Invalid UTF-8 is replaced by U+FFFD.
    pub name: String,
    /// As returned by [`FileSource::kind`].
    pub kind: Option<PathKind>,
    /// Whether its real path may differ from its folder's real path and its name.
    pub is_link: bool,
    /// Whether the name is valid UTF-8; if not, the entry cannot be opened by path.
    pub is_named: bool,
}

/// The files that the assembler reads. Paths are absolute and use `/` as the separator.
pub trait FileSource: Sync {
    /// `None` for missing files, dangling links, and anything but files and folders.
    fn kind(&self, path: &str) -> Option<PathKind>;

    fn read(&self, path: &str) -> Result<Vec<u8>, Problem>;

    fn size(&self, path: &str) -> Option<usize> {
        self.read(path).ok().map(|bytes| bytes.len())
    }

    /// The names in a folder in byte order; empty if it cannot be read.
    fn names(&self, folder: &str) -> Vec<String>;

    /// The entries of a folder in byte order of names; empty if it cannot be read.
    fn entries(&self, folder: &str) -> Vec<FolderEntry> {
        let entry =
            |name: String| FolderEntry { kind: self.kind(&below(folder, &name)), name, is_link: true, is_named: true };
        self.names(folder).into_iter().map(entry).collect()
    }

    /// Why a path cannot be inspected; `None` if it can, or if it does not exist.
    fn refusal(&self, _path: &str) -> Option<String> {
        None
    }

    /// Whether its real path may differ from its folder's real path and its name.
    fn is_link(&self, _path: &str) -> bool {
        true
    }

    /// Whether it is a link whose target is missing.
    fn is_dangling(&self, _path: &str) -> bool {
        false
    }

    /// The path with links resolved; unchanged if it does not exist.
    fn real(&self, path: &str) -> String;

    fn revision(&self, _path: &str) -> Option<Arc<str>> {
        None
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl FileSource for Disk {
    fn kind(&self, path: &str) -> Option<PathKind> {
        disk_log::record(Path::new(path), Access::Probe);
        let metadata = fs::metadata(path).ok()?;
        match (metadata.is_file(), metadata.is_dir()) {
            (true, _) => Some(PathKind::File),
            (_, true) => Some(PathKind::Folder),
            _ => None,
        }
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        disk_log::record(Path::new(path), Access::Read);
        read_anywhere(Path::new(path), limits::FILE_BYTES).map_err(|error| error.problem(limits::FILE_BYTES, None))
    }

    fn size(&self, path: &str) -> Option<usize> {
        disk_log::record(Path::new(path), Access::Read);
        usize::try_from(size_anywhere(Path::new(path), limits::FILE_BYTES).ok()?).ok()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        disk_log::record(Path::new(folder), Access::List);
        let name = |entry: io::Result<fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        let mut names: Vec<String> =
            fs::read_dir(folder).map(|entries| entries.filter_map(name).collect()).unwrap_or_default();
        names.sort_unstable();
        names
    }

    /// A folder's listing includes the kinds, so only links are inspected.
    fn entries(&self, folder: &str) -> Vec<FolderEntry> {
        disk_log::record(Path::new(folder), Access::List);
        let entry = |entry: io::Result<fs::DirEntry>| {
            let entry = entry.ok()?;
            let kind = entry.file_type().ok()?;
            let (name, is_named) = match entry.file_name().into_string() {
                Ok(name) => (name, true),
                Err(name) => (name.to_string_lossy().into_owned(), false),
            };
            let is_link = kind.is_symlink();
            let kind = match (kind.is_file(), kind.is_dir()) {
                (true, _) => Some(PathKind::File),
                (_, true) => Some(PathKind::Folder),
                _ if is_link => self.kind(&below(folder, &name)),
                _ => None,
            };
            Some(FolderEntry { name, kind, is_link, is_named })
        };
        let mut entries: Vec<FolderEntry> =
            fs::read_dir(folder).map(|entries| entries.filter_map(entry).collect()).unwrap_or_default();
        entries.sort_unstable_by(|left, right| left.name.cmp(&right.name));
        entries
    }

    fn refusal(&self, path: &str) -> Option<String> {
        disk_log::record(Path::new(path), Access::List);
        let error = match fs::metadata(path) {
            Ok(found) if found.is_dir() => fs::read_dir(path).err()?,
            Ok(_) => return None,
            Err(error) => error,
        };
        (error.kind() == io::ErrorKind::PermissionDenied).then(|| system_reason(&error))
    }

    fn is_link(&self, path: &str) -> bool {
        disk_log::record(Path::new(path), Access::Probe);
        fs::symlink_metadata(path).map_or(true, |found| found.is_symlink())
    }

    fn is_dangling(&self, path: &str) -> bool {
        let is_link = || fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
        self.kind(path).is_none() && is_link() && fs::metadata(path).is_err_and(|error| is_nowhere(&error))
    }

    fn real(&self, path: &str) -> String {
        disk_log::record(Path::new(path), Access::Probe);
        fs::canonicalize(path)
            .ok()
            .and_then(|real| real.into_os_string().into_string().ok())
            .unwrap_or(path.to_string())
    }
}

/// Whether a link's target is missing or the link is circular.
fn is_nowhere(error: &io::Error) -> bool {
    #[cfg(unix)]
    let is_link_loop = error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    #[cfg(not(unix))]
    let is_link_loop = false;
    is_link_loop || matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

pub(super) fn location(path: &str, tier: &str, revision: Option<Arc<str>>) -> Location {
    Location::File { tier: tier.into(), path: path.to_string(), revision, position: None }
}

pub fn below(folder: &str, name: &str) -> String {
    if folder.ends_with('/') { format!("{folder}{name}") } else { format!("{folder}/{name}") }
}

pub fn parent(path: &str) -> Option<&str> {
    match path.rsplit_once('/')? {
        ("", "") => None,
        ("", _) => Some("/"),
        (folder, _) => Some(folder),
    }
}

pub fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| parent(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_end_at_the_root() {
        assert_eq!(ancestors("/a/b").collect::<Vec<_>>(), ["/a/b", "/a", "/"]);
        assert_eq!(ancestors("/").collect::<Vec<_>>(), ["/"]);
        assert_eq!((below("/", "x"), below("/a", "x")), ("/x".to_string(), "/a/x".to_string()));
    }

    /// An inaccessible path may still exist.
    #[cfg(unix)]
    #[test]
    fn an_inaccessible_link_is_not_dangling() {
        use rustix::io::Errno;
        let is = |error: Errno| is_nowhere(&io::Error::from(error));
        assert_eq!([Errno::NOENT, Errno::NOTDIR, Errno::LOOP].map(is), [true; 3]);
        assert_eq!([Errno::ACCESS, Errno::IO, Errno::STALE].map(is), [false; 3]);
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| below(folder.path().to_str().unwrap(), name);
        fs::write(path("file"), "").unwrap();
        let links = [("a", "nowhere", true), ("b", "b", true), ("c", "file/x", true), ("d", "file", false)];
        for (link, target, expected) in links {
            std::os::unix::fs::symlink(target, path(link)).unwrap();
            assert_eq!(Disk.is_dangling(&path(link)), expected, "{link}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_have_the_kind_of_their_target() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("b.md"), "").unwrap();
        fs::create_dir(at("a")).unwrap();
        for (link, target) in [("c", "a"), ("d", "b.md"), ("e", "nowhere")] {
            std::os::unix::fs::symlink(target, at(link)).unwrap();
        }
        let path = folder.path().to_str().unwrap();
        let entry = |name: &str, kind, is_link| FolderEntry { name: name.to_string(), kind, is_link, is_named: true };
        assert_eq!(
            Disk.entries(path),
            [
                entry("a", Some(PathKind::Folder), false),
                entry("b.md", Some(PathKind::File), false),
                entry("c", Some(PathKind::Folder), true),
                entry("d", Some(PathKind::File), true),
                entry("e", None, true),
            ]
        );
        assert_eq!(Disk.entries(&below(path, "nowhere")), []);
        assert_eq!(Disk.real(&below(path, "c")), below(&Disk.real(path), "a"));
    }
}
