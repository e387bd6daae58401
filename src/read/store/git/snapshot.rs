use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::tree::{Subfolder, TreeFolder};
use super::{MAX_PATH, ObjectId, Repository, Revision};
use crate::read::store::ReadError;

/// The files of a repository at a revision.
#[derive(Clone)]
pub struct Snapshot {
    repository: Repository,
    /// As typed.
    revision: Arc<str>,
    top: Arc<TreeFolder>,
}

impl Snapshot {
    pub(super) fn new(repository: Repository, revision: &Revision, top: Arc<TreeFolder>) -> Self {
        Self { repository, revision: revision.to_string().into(), top }
    }

    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    pub fn revision(&self) -> &Arc<str> {
        &self.revision
    }

    /// The path within the repository, as git writes it: with `/`, and empty for the top. `None` if it lies elsewhere
    /// or is not UTF-8. It need not exist.
    pub fn within(&self, path: &Path) -> Option<String> {
        // An existing parent may be a link.
        let real = |there: &Path| Some(there.canonicalize().ok()?.join(path.strip_prefix(there).ok()?));
        self.within_by(path, |top| Some(path.ancestors().find_map(real)?.strip_prefix(top).ok()?.to_path_buf()))
    }

    /// Like [`Self::within`], but follows only links on the way to the repository, none inside it.
    pub fn within_tree(&self, path: &Path) -> Option<String> {
        self.within_by(path, |top| {
            let ancestors: Vec<&Path> = path.ancestors().collect();
            ancestors.into_iter().rev().find_map(|there| {
                let real = there.canonicalize().ok()?;
                Some(real.strip_prefix(top).ok()?.join(path.strip_prefix(there).ok()?))
            })
        })
    }

    /// `resolve` finds the path below the top if the path does not start with the top.
    fn within_by(&self, path: &Path, resolve: impl FnOnce(&Path) -> Option<PathBuf>) -> Option<String> {
        let repository = &self.repository;
        if repository.is_in_ignored_work_tree(path) {
            return None;
        }
        match path.strip_prefix(repository.top()) {
            Ok(below) => joined(below),
            Err(_) => joined(&resolve(repository.top())?),
        }
    }

    /// Like [`Self::within`] for the target of a link, without disk access: a path that does not
    /// start with the top as written lies elsewhere.
    pub(super) fn target_within(&self, path: &Path) -> Option<String> {
        joined(path.strip_prefix(self.repository.top()).ok()?)
    }

    /// The path on disk, whether or not it exists.
    pub fn on_disk(&self, path: &str) -> PathBuf {
        let top = self.repository.top();
        // Joining an empty path would add a slash.
        if path.is_empty() { top.to_path_buf() } else { top.join(path) }
    }

    pub(super) fn top(&self) -> &Arc<TreeFolder> {
        &self.top
    }

    pub(super) fn enter(&self, folder: &Subfolder) -> Result<Arc<TreeFolder>, ReadError> {
        match folder {
            Subfolder::Tree(id) => self.repository.folder(*id),
            Subfolder::Built(folder) => Ok(Arc::clone(folder)),
        }
    }

    pub(super) fn link(&self, id: ObjectId) -> Result<String, ReadError> {
        match self.repository.blob(id, MAX_PATH as u64) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| ReadError::NotFound),
            // No system follows a path this long.
            Err(ReadError::TooLarge(_)) => Err(ReadError::NotFound),
            Err(error) => Err(error),
        }
    }
}

fn joined(below: &Path) -> Option<String> {
    let names = below.components().map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    names.collect::<Option<Vec<_>>>().map(|names| names.join("/"))
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.repository.top().display(), self.revision)
    }
}
