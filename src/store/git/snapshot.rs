use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::store::GitStore;
use super::tree::{Folder, Node, Subfolder};
use super::{MAX_PATH, ObjectId, Repository, Revision, walk};
use crate::diagnostic::Problem;
use crate::store::{ReadError, Store};

/// The files of a repository at a revision.
#[derive(Clone)]
pub struct Snapshot(Arc<State>);

struct State {
    repository: Repository,
    typed: Arc<str>,
    top: Arc<Folder>,
}

/// Where a path in a snapshot leads, links and all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// To a file, by its path without links.
    File(String),
    /// To a folder, likewise; the top is empty.
    Folder(String),
    /// Out of the repository by a link, to this path on disk.
    Outside(PathBuf),
    /// Into a submodule, whose files are those of another repository: to this path on disk.
    Submodule(PathBuf),
}

impl Snapshot {
    pub(super) fn new(repository: Repository, revision: &Revision, top: Arc<Folder>) -> Self {
        Self(Arc::new(State { repository, typed: revision.to_string().into(), top }))
    }

    /// The repository.
    pub fn repository(&self) -> &Repository {
        &self.0.repository
    }

    /// The revision as it was typed; `:` is the index.
    pub fn revision(&self) -> &Arc<str> {
        &self.0.typed
    }

    /// Where a path on disk lies in the repository, as git writes it: with `/`, and empty for the top. None for what lies
    /// elsewhere, or has a name that no id can have.
    ///
    /// It need not be there. A repository without a work tree stands for its own top folder.
    pub fn within(&self, path: &Path) -> Option<String> {
        let top = self.0.repository.top();
        if self.0.repository.passes_over(path) {
            return None;
        }
        let below = match path.strip_prefix(top) {
            Ok(below) => below.to_path_buf(),
            // Something on the way may be a link. What is not there is none.
            Err(_) => path
                .ancestors()
                .find_map(|there| {
                    let rest = path.strip_prefix(there).ok()?;
                    Some(there.canonicalize().ok()?.join(rest))
                })?
                .strip_prefix(top)
                .ok()?
                .to_path_buf(),
        };
        joined(&below)
    }

    /// The same, where no link of the disk inside of the repository has a say: only those on the way to it are followed.
    pub fn within_tree(&self, path: &Path) -> Option<String> {
        let repository = &self.0.repository;
        if repository.passes_over(path) {
            return None;
        }
        let top = repository.top();
        let below = path.strip_prefix(top).map(Path::to_path_buf).ok().or_else(|| {
            let ancestors: Vec<&Path> = path.ancestors().collect();
            ancestors.into_iter().rev().find_map(|there| {
                let real = there.canonicalize().ok()?;
                Some(real.strip_prefix(top).ok()?.join(path.strip_prefix(there).ok()?))
            })
        })?;
        joined(&below)
    }

    /// [`Self::within`] for the target of a link, of which the disk must not decide where it leads: it begins with the top, as it
    /// is written, or it lies elsewhere.
    pub(super) fn target_within(&self, path: &Path) -> Option<String> {
        joined(path.strip_prefix(self.0.repository.top()).ok()?)
    }

    /// The path on disk of a path in the repository, whether anything is there or not.
    pub fn on_disk(&self, path: &str) -> PathBuf {
        let top = self.0.repository.top();
        // The top itself has no slash at its end.
        if path.is_empty() { top.to_path_buf() } else { top.join(path) }
    }

    /// Whether a folder, given as [`Self::within`] gives it, holds `.ai/` at this revision.
    pub fn holds_tier(&self, folder: &str) -> bool {
        let path = if folder.is_empty() { ".ai".to_string() } else { format!("{folder}/.ai") };
        walk::walk(self, &path).is_ok_and(|reached| matches!(reached.node, Node::Folder(_)))
    }

    /// Whether a file, given as [`Self::within`] gives it, is there at this revision.
    pub fn holds_file(&self, path: &str) -> bool {
        walk::walk(self, path).is_ok_and(|reached| !matches!(reached.node, Node::Folder(_)))
    }

    /// Where a path leads, given as [`Self::within`] gives it.
    ///
    /// # Errors
    /// Nothing is there, links go round in a circle, or git cannot tell.
    pub fn way(&self, path: &str) -> Result<Way, ReadError> {
        if path.len() > MAX_PATH {
            return Err(ReadError::NotFound);
        }
        Ok(match walk::end(self, path)? {
            walk::End::Inside(walk::Reached { real, node: Node::Folder(_) }) => Way::Folder(real.join("/")),
            walk::End::Inside(walk::Reached { real, .. }) => Way::File(real.join("/")),
            walk::End::Outside(path) => Way::Outside(path),
            walk::End::Submodule(_, path) => Way::Submodule(path),
        })
    }

    /// The bytes of a file, by its path without links; `limit` in bytes.
    ///
    /// # Errors
    /// It is not there, is no file, is larger than that, or git cannot tell.
    pub fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        match walk::walk(self, path)?.node {
            Node::File(id) => self.blob(id, limit),
            Node::Unmerged => Err(ReadError::other(Problem::FileUnmerged)),
            _ => Err(ReadError::NotAFile("a folder")),
        }
    }

    /// The names in a folder in byte order, by its path without links.
    ///
    /// # Errors
    /// It is not there, or git cannot tell.
    pub fn names(&self, path: &str) -> Result<Vec<String>, ReadError> {
        match walk::walk(self, path)?.node {
            Node::Folder(folder) => Ok(self.enter(&folder)?.iter().map(|(name, _)| name.to_string()).collect()),
            _ => Err(ReadError::NotFound),
        }
    }

    /// The files below a folder, given as [`Self::within`] gives it. One that is not there holds no files.
    ///
    /// A file must lie in that folder, where links lead as well: as for folders on disk. With `follow_links` it may lie
    /// anywhere in the repository. What leads out of the repository has no revision, and is never read.
    pub fn store(&self, folder: &str, follow_links: bool) -> Arc<dyn Store> {
        Arc::new(GitStore::new(self.clone(), folder, follow_links))
    }

    /// The top folder.
    pub(super) fn top(&self) -> &Arc<Folder> {
        &self.0.top
    }

    /// The folder that an entry stands for.
    pub(super) fn enter(&self, folder: &Subfolder) -> Result<Arc<Folder>, ReadError> {
        match folder {
            Subfolder::Tree(id) => self.0.repository.folder(*id),
            Subfolder::Built(folder) => Ok(Arc::clone(folder)),
        }
    }

    /// Where a link leads.
    pub(super) fn link(&self, id: ObjectId) -> Result<String, ReadError> {
        match self.0.repository.blob(id, MAX_PATH as u64) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| ReadError::NotFound),
            // No system follows a path that is so long.
            Err(ReadError::TooLarge(_)) => Err(ReadError::NotFound),
            Err(error) => Err(error),
        }
    }

    /// The bytes of a file; `limit` in bytes.
    pub(super) fn blob(&self, id: ObjectId, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.0.repository.blob(id, limit)
    }
}

/// A path below the top, as git writes it.
fn joined(below: &Path) -> Option<String> {
    let names = below.components().map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    names.collect::<Option<Vec<_>>>().map(|names| names.join("/"))
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.0.repository.top().display(), self.0.typed)
    }
}
