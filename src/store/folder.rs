use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use super::regular::{not_opened, read_anywhere, read_opened};
use super::{Access, ReadError, Store, StoreEntry};
use crate::disk_log;

/// A folder on disk, usually one that holds an `.ai/` folder. A file's real path must lie in that
/// folder (Directives, "Where items are"). `.ai/` itself may be a link: its target then belongs to
/// the tier too, unless it contains the tier, which would let links reach everything next to it. A
/// dangling link is treated as missing, as in the documented system.
pub struct FolderStore {
    root: PathBuf,
    folder: OnceLock<Dir>,
    follow_links: bool,
    /// Computed for the first link that the fast path rejects.
    places: OnceLock<Vec<AllowedRoot>>,
}

struct AllowedRoot {
    real: PathBuf,
    folder: Dir,
}

impl FolderStore {
    pub fn open(root: &Path, follow_links: bool) -> io::Result<Self> {
        let store = Self::unopened(root.to_path_buf(), follow_links);
        store.folder()?;
        Ok(store)
    }

    pub fn unopened(root: PathBuf, follow_links: bool) -> Self {
        Self { root, folder: OnceLock::new(), follow_links, places: OnceLock::new() }
    }

    fn folder(&self) -> io::Result<&Dir> {
        if let Some(folder) = self.folder.get() {
            return Ok(folder);
        }
        let folder = Dir::open_ambient_dir(&self.root, ambient_authority())?;
        Ok(self.folder.get_or_init(|| folder))
    }

    /// Runs `attempt` on a path below a folder that it cannot leave. The first attempt rejects every link that is
    /// absolute or passes outside the folder, even if it ends inside. The second uses the real path, which contains no
    /// links; a link created in the meantime is still confined.
    fn confined<T>(
        &self,
        path: &str,
        attempt: impl Fn(&Dir, &Path) -> io::Result<T>,
    ) -> Result<io::Result<T>, ReadError> {
        match attempt(self.folder()?, Path::new(path)) {
            Err(error) if leads_out(&error) => {}
            result => return Ok(result),
        }
        let real = fs::canonicalize(self.root.join(path))?;
        let inside = |place: &AllowedRoot| {
            let below = real.strip_prefix(&place.real).ok()?;
            Some(attempt(&place.folder, if below.as_os_str().is_empty() { Path::new(".") } else { below }))
        };
        match self.places.get_or_init(|| places(&self.root)).iter().find_map(inside) {
            Some(Err(error)) if leads_out(&error) => Err(ReadError::Outside),
            Some(result) => Ok(result),
            None => Err(ReadError::Outside),
        }
    }
}

impl Store for FolderStore {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        disk_log::record_below(&self.root, path, Access::Read);
        if self.follow_links {
            return read_anywhere(&self.root.join(path), limit);
        }
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::custom_flags(&mut options, super::regular::careful_flags());
        match self.confined(path, |folder, path| folder.open_with(path, &options))? {
            Ok(file) => read_opened(file.into_std(), limit),
            Err(error) => Err(not_opened(&self.root.join(path), error)),
        }
    }

    fn exists(&self, path: &str) -> bool {
        disk_log::record_below(&self.root, path, Access::Probe);
        fs::metadata(self.root.join(path)).is_ok()
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        disk_log::record_below(&self.root, folder, Access::List);
        let opened = if self.follow_links {
            Ok(Dir::open_ambient_dir(self.root.join(folder), ambient_authority()).and_then(|folder| folder.entries()))
        } else {
            self.confined(folder, |parent, path| parent.read_dir(path))
        };
        let found = match opened.and_then(|opened| Ok(opened?)) {
            Err(ReadError::NotFound) => return Ok(Vec::new()),
            found => found?,
        };
        let mut entries = Vec::new();
        for entry in found {
            let entry = entry?;
            let (name, is_named) = match entry.file_name().into_string() {
                Ok(name) => (name, true),
                Err(name) => (name.to_string_lossy().into_owned(), false),
            };
            entries.push(StoreEntry { name, is_folder: entry.file_type()?.is_dir(), is_named });
        }
        entries.sort_unstable();
        Ok(entries)
    }

    fn place(&self) -> Option<super::StoreLocation> {
        Some(super::StoreLocation::Folder { root: self.root.clone(), follow_links: self.follow_links })
    }
}

fn places(root: &Path) -> Vec<AllowedRoot> {
    let open = |real: PathBuf| {
        let folder = Dir::open_ambient_dir(&real, ambient_authority()).ok()?;
        Some(AllowedRoot { real, folder })
    };
    let Ok(real_root) = fs::canonicalize(root) else { return Vec::new() };
    let linked = fs::canonicalize(root.join(".ai"))
        .ok()
        .filter(|linked| !linked.starts_with(&real_root) && !real_root.starts_with(linked));
    [Some(real_root), linked].into_iter().flatten().filter_map(open).collect()
}

/// Whether opening failed because the path leaves its folder: the only such error without an OS error code.
fn leads_out(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

#[cfg(all(test, unix))]
mod tests;
