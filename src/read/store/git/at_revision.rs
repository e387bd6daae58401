//! The files of a folder at a revision of its repository.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::MAX_PATH;
use super::snapshot::Snapshot;
use super::tree::TreeEntry;
use super::walk::{WalkEnd, WalkTarget, resolve};
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::limits;
use crate::read::store::{Disk, FolderStore, PathKind, ReadError, Store, StoreEntry, below};
use crate::system::{self, text};
use crate::text::numbers::thousands;

/// The maximum number of links out of the repository that one path may follow; they may lead back into it.
const MAX_LINKS: usize = 40;

/// Reads the repository from a snapshot and everything else from the disk: the agent's own folder, targets of links out
/// of the repository, and submodules, whose files belong to other repositories.
pub struct AtRevision {
    snapshot: Snapshot,
    disk: FolderStore,
    /// Folders in the repository by path on disk; `None` for those elsewhere. Most paths share a few folders.
    folders: Mutex<HashMap<PathBuf, Option<String>>>,
    listed: AtomicUsize,
    failed: Mutex<Option<Diagnostic>>,
}

enum ResolvedPath {
    Inside(WalkTarget),
    Disk(String),
}

impl AtRevision {
    pub fn new(snapshot: Snapshot, disk: &Disk) -> Self {
        Self {
            snapshot,
            disk: disk.whole(),
            folders: Mutex::default(),
            listed: AtomicUsize::new(0),
            failed: Mutex::new(None),
        }
    }

    /// The first error of git, after which the prompt may be incomplete.
    pub fn failure(&self) -> Option<Diagnostic> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records an error from git; missing files and circular links are not errors.
    fn noted<T>(&self, path: &str, read: Result<T, ReadError>) -> Result<T, ReadError> {
        if let Err(ReadError::Other(problem)) = &read {
            let revision = Some(Arc::clone(self.snapshot.revision()));
            let at = Location::File { tier: "".into(), path: path.to_string(), revision, position: None };
            let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
            failed.get_or_insert_with(|| Diagnostic::at(Problem::clone(problem), at));
        }
        read
    }

    fn find(&self, path: &str) -> Result<ResolvedPath, ReadError> {
        let mut at = system::path(path);
        for _ in 0..=MAX_LINKS {
            let within = self.within(&at).filter(|within| !within.split('/').any(|name| name == ".git"));
            // No revision contains git's own files.
            let Some(within) = within else { return Ok(ResolvedPath::Disk(text(&at))) };
            if within.len() > MAX_PATH {
                break;
            }
            at = match self.noted(path, resolve(&self.snapshot, &within))? {
                WalkEnd::Inside(target) => return Ok(ResolvedPath::Inside(target)),
                WalkEnd::Submodule(_, there) => return Ok(ResolvedPath::Disk(text(&there))),
                WalkEnd::Outside(there) => there,
            };
        }
        Err(ReadError::NotFound)
    }

    /// The path in the repository for a path on disk, which may be a link into it.
    fn within(&self, path: &Path) -> Option<String> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return self.snapshot.within_tree(path);
        };
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if !folders.contains_key(folder) {
            folders.insert(folder.to_path_buf(), self.snapshot.within_tree(folder));
        }
        match folders.get(folder)? {
            Some(folder) => Some(below(folder, name.to_str()?)),
            None => {
                let real = path.canonicalize().ok()?;
                let is_inside = real.starts_with(self.snapshot.repository().top());
                is_inside.then(|| self.snapshot.within_tree(&real))?
            }
        }
    }
}

impl Store for AtRevision {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.find(path)? {
            ResolvedPath::Inside(WalkTarget { node, .. }) => {
                self.noted(path, node.file().and_then(|id| self.snapshot.repository().blob(id, limit)))
            }
            ResolvedPath::Disk(there) => self.disk.read(&there, limit),
        }
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        let repository = self.snapshot.repository();
        if !repository.has_work_tree() && system::path(path) == repository.top().join(".git") {
            // In a repository without a work tree, its top folder stands in for `.git`.
            return Ok(PathKind::Folder);
        }
        match self.find(path)? {
            ResolvedPath::Inside(WalkTarget { node, .. }) => Ok(node.kind()),
            ResolvedPath::Disk(there) => self.disk.kind(&there),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let there = match self.find(folder)? {
            ResolvedPath::Inside(WalkTarget { node: TreeEntry::Folder(there), .. }) => {
                self.noted(folder, self.snapshot.enter(&there))?
            }
            ResolvedPath::Inside(_) => return Ok(Vec::new()),
            ResolvedPath::Disk(there) => return self.disk.list(&there),
        };
        let entries: Vec<StoreEntry> = there.iter().map(|(name, node)| node.listed(name)).collect();
        let listed = self.listed.fetch_add(entries.len(), Ordering::Relaxed).saturating_add(entries.len());
        if listed > limits::SKILL_NAMES {
            let what = format!("there are more than {} files in skill folders", thousands(limits::SKILL_NAMES));
            let help = "leave them out with --no-skills";
            return self.noted(folder, Err(ReadError::other(Problem::invalid(what, help))));
        }
        Ok(entries)
    }

    fn real(&self, path: &str) -> String {
        match self.find(path) {
            Ok(ResolvedPath::Inside(target)) => text(&self.snapshot.on_disk(&target.real.join("/"))),
            Ok(ResolvedPath::Disk(there)) => self.disk.real(&there),
            Err(_) => path.to_string(),
        }
    }

    fn is_link(&self, path: &str) -> bool {
        // Anything else is found under its name in its real folder. A link that leads nowhere counts as missing.
        let (Some(folder), Some(name)) = (Path::new(path).parent(), Path::new(path).file_name()) else { return false };
        self.exists(path) && Path::new(&self.real(path)) != Path::new(&self.real(&text(folder))).join(name)
    }

    fn revision(&self, path: &str) -> Option<Arc<str>> {
        match self.find(path) {
            Ok(ResolvedPath::Inside(target)) if target.node.kind() == PathKind::File => {
                Some(Arc::clone(self.snapshot.revision()))
            }
            _ => None,
        }
    }
}
