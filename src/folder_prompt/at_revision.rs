//! The files of a folder at a revision of its repository.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::files::{Disk, FileSource, PathKind};
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::limits;
use crate::store::{ReadError, Snapshot, SnapshotTarget};
use crate::tokens::thousands;

/// The maximum number of links out of the repository that one path may follow; they may lead back into it.
const MAX_LINKS: usize = 40;

/// Reads the repository from a snapshot and everything else from the disk: the agent's own folder, targets of links out
/// of the repository, and submodules, whose files belong to other repositories.
pub struct AtRevision {
    snapshot: Snapshot,
    /// Folders in the repository by path on disk; `None` for those elsewhere. Most paths share a few folders.
    folders: Mutex<HashMap<PathBuf, Option<String>>>,
    names: AtomicUsize,
    failed: Mutex<Option<Diagnostic>>,
}

enum ResolvedPath {
    File(String),
    Folder(String),
    Disk(String),
}

impl AtRevision {
    pub fn new(snapshot: Snapshot) -> Self {
        Self { snapshot, folders: Mutex::default(), names: AtomicUsize::new(0), failed: Mutex::new(None) }
    }

    /// The first error of git, after which the prompt may be incomplete.
    pub fn failure(&self) -> Option<Diagnostic> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn fail(&self, problem: Problem, path: &str) {
        let revision = Some(Arc::clone(self.snapshot.revision()));
        let at = Location::File { tier: "".into(), path: path.to_string(), revision, position: None };
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.get_or_insert_with(|| Diagnostic::at(problem, at));
    }

    fn place(&self, path: &str) -> Option<ResolvedPath> {
        let mut at = PathBuf::from(path);
        for _ in 0..=MAX_LINKS {
            let within = self.within(&at).filter(|within| !within.split('/').any(|name| name == ".git"));
            // Git's own files are in no revision.
            let Some(within) = within else { return Some(ResolvedPath::Disk(text(&at))) };
            match self.snapshot.way(&within) {
                Ok(SnapshotTarget::File(real)) => return Some(ResolvedPath::File(real)),
                Ok(SnapshotTarget::Folder(real)) => return Some(ResolvedPath::Folder(real)),
                Ok(SnapshotTarget::Submodule(there)) => return Some(ResolvedPath::Disk(text(&there))),
                Ok(SnapshotTarget::Outside(there)) => at = there,
                Err(error) => {
                    self.note(error, path);
                    return None;
                }
            }
        }
        None
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

    /// Records an error from git; missing files and circular links are not errors.
    fn note(&self, error: ReadError, path: &str) {
        if let ReadError::Other(problem) = error {
            self.fail(*problem, path);
        }
    }
}

impl FileSource for AtRevision {
    fn kind(&self, path: &str) -> Option<PathKind> {
        let repository = self.snapshot.repository();
        if !repository.has_work_tree() && Path::new(path) == repository.top().join(".git") {
            // In a repository without a work tree, its top folder stands in for `.git`.
            return Some(PathKind::Folder);
        }
        match self.place(path)? {
            ResolvedPath::File(_) => Some(PathKind::File),
            ResolvedPath::Folder(_) => Some(PathKind::Folder),
            ResolvedPath::Disk(there) => Disk.kind(&there),
        }
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        match self.place(path) {
            Some(ResolvedPath::File(real)) => self.snapshot.read(&real, limits::FILE_BYTES).map_err(|error| {
                self.note(error.clone(), path);
                error.problem(limits::FILE_BYTES, None)
            }),
            Some(ResolvedPath::Folder(_)) => Err(ReadError::NotAFile("a folder").problem(limits::FILE_BYTES, None)),
            Some(ResolvedPath::Disk(there)) => Disk.read(&there),
            None => Err(ReadError::NotFound.problem(limits::FILE_BYTES, None)),
        }
    }

    fn size(&self, path: &str) -> Option<usize> {
        match self.place(path)? {
            ResolvedPath::Disk(there) => Disk.size(&there),
            ResolvedPath::File(_) | ResolvedPath::Folder(_) => self.read(path).ok().map(|bytes| bytes.len()),
        }
    }

    fn refusal(&self, path: &str) -> Option<String> {
        match self.place(path)? {
            ResolvedPath::Disk(there) => Disk.refusal(&there),
            ResolvedPath::File(_) | ResolvedPath::Folder(_) => None,
        }
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let names = match self.place(folder) {
            Some(ResolvedPath::Folder(real)) => self.snapshot.names(&real).unwrap_or_else(|error| {
                self.note(error, folder);
                Vec::new()
            }),
            Some(ResolvedPath::Disk(there)) => return Disk.names(&there),
            Some(ResolvedPath::File(_)) | None => Vec::new(),
        };
        let listed = self.names.fetch_add(names.len(), Ordering::Relaxed).saturating_add(names.len());
        if listed > limits::SKILL_NAMES {
            let what = format!("there are more than {} files in skill folders", thousands(limits::SKILL_NAMES));
            let help = Some("leave them out with --no-skills".to_string());
            self.fail(Problem::InvalidArgument { what, help }, folder);
            return Vec::new();
        }
        names
    }

    fn real(&self, path: &str) -> String {
        match self.place(path) {
            Some(ResolvedPath::File(real) | ResolvedPath::Folder(real)) => text(&self.snapshot.on_disk(&real)),
            Some(ResolvedPath::Disk(there)) => Disk.real(&there),
            None => path.to_string(),
        }
    }

    fn revision(&self, path: &str) -> Option<Arc<str>> {
        matches!(self.place(path), Some(ResolvedPath::File(_))).then(|| Arc::clone(self.snapshot.revision()))
    }
}

/// Joins paths in the repository; the top is empty.
fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
