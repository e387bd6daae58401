use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use foldhash::HashMap;

use super::regular::{not_opened, open_anywhere, other_than_file, read_opened, size_opened};
use super::{Access, Disk, PathKind, ReadError, Store, StoreEntry, StoreLocation};
use crate::system::{self, FolderEntry, OpenedFolder};

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
    /// What folders hold, by path; `None` if it is not kept.
    known: Option<Mutex<HashMap<String, KnownFolder>>>,
    /// The folder that was surveyed last. Surveys usually go down.
    last: Mutex<Option<(String, OpenedFolder)>>,
    in_disk_order: bool,
    disk: Disk,
}

/// What is known of a folder.
#[derive(Default)]
struct KnownFolder {
    /// What it holds, by name, once it was surveyed; empty if that is not worth it.
    surveyed: Option<Vec<StoreEntry>>,
    /// What is at the names that were asked about.
    asked: HashMap<String, Looked>,
}

/// A longer list takes more time than the questions that it answers.
const MOST_SURVEYED: usize = 256;

/// What is at a path, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looked {
    Missing,
    File,
    Folder,
    /// A link, or neither a file nor a folder.
    Other,
}

struct AllowedRoot {
    real: PathBuf,
    folder: Dir,
}

impl KnownFolder {
    /// What it holds, if that is known.
    fn entries(&self) -> Option<&[StoreEntry]> {
        self.surveyed.as_deref().filter(|entries| !entries.is_empty())
    }

    /// What is at a name. A disk may ignore the case of letters.
    fn look(&self, name: &str) -> Option<Looked> {
        if let Some(&found) = self.asked.get(name) {
            return Some(found);
        }
        let entries = self.entries()?;
        match entries.binary_search_by(|entry| entry.name.as_str().cmp(name)).map(|index| &entries[index]) {
            Ok(StoreEntry { is_named: false, .. }) => None,
            Ok(StoreEntry { is_link: true, .. }) => Some(Looked::Other),
            Ok(StoreEntry { is_folder: true, .. }) => Some(Looked::Folder),
            Ok(_) => Some(Looked::File),
            Err(_) => {
                let is_other = |entry: &StoreEntry| !entry.name.eq_ignore_ascii_case(name);
                (name.is_ascii() && entries.iter().all(is_other)).then_some(Looked::Missing)
            }
        }
    }
}

impl Disk {
    /// The whole disk. Paths are absolute, and links may lead anywhere. An agent asks about the same path several times,
    /// and about many paths in folders that do not exist; on a long path, each answer of the system takes longer than
    /// reading a small file.
    pub fn whole(&self) -> FolderStore {
        FolderStore { known: Some(Mutex::default()), ..FolderStore::unopened(PathBuf::new(), true, self) }
    }

    /// The whole disk as an agent that runs here has it, for a comparison with what it sent.
    pub fn in_its_order(&self) -> FolderStore {
        FolderStore { in_disk_order: true, ..self.whole() }
    }
}

impl FolderStore {
    pub fn open(root: &Path, follow_links: bool, disk: &Disk) -> io::Result<Self> {
        let store = Self::unopened(root.to_path_buf(), follow_links, disk);
        store.folder()?;
        Ok(store)
    }

    pub fn unopened(root: PathBuf, follow_links: bool, disk: &Disk) -> Self {
        Self {
            root,
            folder: OnceLock::new(),
            follow_links,
            places: OnceLock::new(),
            known: None,
            last: Mutex::default(),
            in_disk_order: false,
            disk: disk.clone(),
        }
    }

    fn folder(&self) -> io::Result<&Dir> {
        if let Some(folder) = self.folder.get() {
            return Ok(folder);
        }
        let folder = Dir::open_ambient_dir(&self.root, ambient_authority())?;
        Ok(self.folder.get_or_init(|| folder))
    }

    /// The path with links resolved, relative to the folder. `None` for what does not exist, and for what only an
    /// absolute link or one that passes outside leads to.
    pub fn real_inside(&self, path: &str) -> Option<String> {
        self.record(path, Access::Probe);
        self.folder().ok()?.canonicalize(path).ok()?.into_os_string().into_string().ok()
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(system::path(path))
    }

    fn record(&self, path: &str, access: Access) {
        if self.disk.is_recording() {
            self.disk.record(&self.at(path), access);
        }
    }

    fn look(&self, path: &str) -> Result<Looked, ReadError> {
        let look = |path: &str| looked(&self.at(path));
        let (Some(known), Some((above, name))) = (&self.known, path.rsplit_once('/')) else { return look(path) };
        let find = |folder: &str, name: &str| locked(known).get(folder)?.look(name);
        let keep = |folder: &str, name: &str, found| {
            locked(known).entry(folder.into()).or_default().asked.insert(name.into(), found);
        };
        if let Some(found) = find(above, name) {
            return Ok(found);
        }
        let folder = above.rsplit_once('/').map(|(above, name)| (above, name, find(above, name)));
        if let Some((_, _, Some(Looked::Missing))) = folder {
            // Not kept: the next question finds it as quickly.
            return Ok(Looked::Missing);
        }
        let found = look(path)?;
        keep(above, name, found);
        // Nothing else is in a missing folder either.
        if let (Looked::Missing, Some((higher, name, None))) = (found, folder) {
            keep(higher, name, look(above)?);
        }
        Ok(found)
    }

    fn is_missing(&self, path: &str) -> bool {
        matches!(self.look(path), Ok(Looked::Missing))
    }

    fn open_file(&self, path: &str) -> Result<File, ReadError> {
        self.record(path, Access::Read);
        if self.follow_links {
            return open_anywhere(&self.at(path));
        }
        match self.confined(path, system::open_below)? {
            Ok(file) => Ok(file),
            Err(error) => Err(not_opened(&self.at(path), error)),
        }
    }

    /// What a folder holds, in the order of the disk.
    fn as_on_disk(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        self.record(folder, Access::List);
        if let Some(known) = &self.known {
            if let Some(entries) = locked(known).get(folder).and_then(KnownFolder::entries) {
                return Ok(entries.to_vec());
            }
            if self.is_missing(folder) {
                return Ok(Vec::new());
            }
        }
        let confined = |entry: io::Result<cap_std::fs::DirEntry>| {
            let (name, kind) = entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?)))?;
            listed(Ok(FolderEntry { name, is_file: kind.is_file(), is_folder: kind.is_dir() }))
        };
        let entries = match self.follow_links {
            true => self.open_folder(folder).map_err(ReadError::from).and_then(|it| it.map(listed).collect()),
            false => {
                self.confined(folder, |parent, path| parent.read_dir(path)).and_then(|it| it?.map(confined).collect())
            }
        };
        match entries {
            Err(ReadError::NotFound) => Ok(Vec::new()),
            entries => entries,
        }
    }

    /// Opens a folder, wherever links lead.
    fn open_folder(&self, folder: &str) -> io::Result<OpenedFolder> {
        if self.known.is_none() {
            return OpenedFolder::open(&self.at(folder), None);
        }
        let last = locked(&self.last);
        let below = |above: &str| {
            folder.strip_prefix(above)?.strip_prefix('/').filter(|path| !path.is_empty() && !path.starts_with('/'))
        };
        let nearer = last.as_ref().and_then(|(above, opened)| Some((opened, Path::new(below(above)?))));
        OpenedFolder::open(&self.at(folder), nearer)
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
        let real = fs::canonicalize(self.at(path))?;
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
        read_opened(self.open_file(path)?, limit)
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        self.record(path, Access::Probe);
        match self.look(path)? {
            Looked::Missing => return Err(ReadError::NotFound),
            Looked::File => return Ok(PathKind::File),
            Looked::Folder => return Ok(PathKind::Folder),
            Looked::Other => {}
        }
        let kind = fs::metadata(self.at(path))?.file_type();
        match other_than_file(kind) {
            None => Ok(PathKind::File),
            Some(_) if kind.is_dir() => Ok(PathKind::Folder),
            Some(what) => Err(ReadError::NotAFile(what)),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let mut entries = self.as_on_disk(folder)?;
        entries.sort_unstable();
        Ok(entries)
    }

    fn listed(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        if self.in_disk_order { self.as_on_disk(folder) } else { self.list(folder) }
    }

    fn survey(&self, folder: &str) {
        let Some(known) = &self.known else { return };
        let is_surveyed = |known: &HashMap<_, KnownFolder>| known.get(folder).is_some_and(|it| it.surveyed.is_some());
        // The root of all paths holds drives on Windows, which no list shows.
        if folder == "/" || self.in_disk_order || is_surveyed(&locked(known)) {
            return;
        }
        // Nothing is recorded: what is looked up in the list is.
        let Ok(mut opened) = self.open_folder(folder) else { return };
        let Ok(mut entries) = opened.by_ref().take(MOST_SURVEYED + 1).map(listed).collect::<Result<Vec<_>, _>>() else {
            return;
        };
        // In a folder that may be read but not entered, names are listed, but nothing else can be known.
        let is_worth_it = (1..=MOST_SURVEYED).contains(&entries.len()) && opened.may_be_entered();
        entries.sort_unstable();
        let entries = if is_worth_it { entries } else { Vec::new() };
        locked(known).entry(folder.to_string()).or_default().surveyed = Some(entries);
        if is_worth_it {
            *locked(&self.last) = Some((folder.to_string(), opened));
        }
    }

    fn in_disk_order(&self) -> bool {
        self.in_disk_order
    }

    fn size(&self, path: &str, limit: u64) -> Option<usize> {
        usize::try_from(size_opened(&self.open_file(path).ok()?, limit).ok()?).ok()
    }

    fn real(&self, path: &str) -> String {
        self.record(path, Access::Probe);
        let real = fs::canonicalize(self.at(path)).ok();
        real.filter(|real| real.to_str().is_some()).map_or(path.to_string(), |real| system::text(&real))
    }

    fn is_link(&self, path: &str) -> bool {
        self.record(path, Access::Probe);
        !matches!(self.look(path), Ok(Looked::File | Looked::Folder))
    }

    fn is_dangling(&self, path: &str) -> bool {
        self.record(path, Access::Probe);
        matches!(self.look(path), Ok(Looked::Other))
            && fs::metadata(self.at(path)).is_err_and(|error| is_nowhere(&error))
    }

    fn place(&self) -> Option<StoreLocation> {
        Some(StoreLocation::Folder { root: self.root.clone(), follow_links: self.follow_links })
    }
}

fn locked<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

fn looked(path: &Path) -> Result<Looked, ReadError> {
    match fs::symlink_metadata(path).map_err(ReadError::from) {
        Ok(found) if found.is_file() => Ok(Looked::File),
        Ok(found) if found.is_dir() => Ok(Looked::Folder),
        Ok(_) => Ok(Looked::Other),
        Err(ReadError::NotFound) => Ok(Looked::Missing),
        Err(error) => Err(error),
    }
}

fn listed(entry: io::Result<FolderEntry>) -> Result<StoreEntry, ReadError> {
    let FolderEntry { name, is_file, is_folder } = entry?;
    let (name, is_named) = match name.into_string() {
        Ok(name) => (name, true),
        Err(name) => (name.to_string_lossy().into_owned(), false),
    };
    Ok(StoreEntry { name, is_folder, is_link: !is_file && !is_folder, is_named })
}

/// Whether a link's target is missing or the link is circular.
fn is_nowhere(error: &io::Error) -> bool {
    system::is_link_loop(error) || matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
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
