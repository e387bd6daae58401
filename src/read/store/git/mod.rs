//! Reads a project at a revision of its repository through the `git` program. One process of
//! `git cat-file --batch` supplies objects by id on demand: nothing is checked out, and no filter,
//! textconv or link on disk affects a file's content.

mod at_revision;
mod command;
mod id;
mod index;
mod listed;
mod names;
mod objects;
mod snapshot;
mod store;
mod tree;
mod walk;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::diagnostic::{Diagnostic, Problem};
use crate::system;

use super::ReadError;
use command::Git;
use objects::{GitObject, ObjectReader, ObjectType};
use tree::TreeFolder;

pub use at_revision::AtRevision;
pub use id::ObjectId;
pub use listed::{Tracked, removed};
pub use snapshot::Snapshot;

/// The longest path in bytes, as on most disks; bounds the depth of folders.
const MAX_PATH: usize = 4_096;

/// The largest tree object in bytes: a million files in one folder.
const MAX_TREE: u64 = 64_000_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revision {
    /// A commit or tree, by any name that git accepts.
    Named(String),
    Index,
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Named(name) => name,
            Self::Index => ":",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    pub left: Revision,
    pub right: Option<Revision>,
}

/// The repository that a project lies in. Clones share one `git` process and the folders read so
/// far, so both sides of a comparison should share one repository.
#[derive(Debug, Clone)]
pub struct Repository(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    git: Git,
    /// The top of the work tree; the repository itself if it is bare.
    top: PathBuf,
    /// The folder that holds the repository as `.git`, if git assumes a different work tree.
    ignored_work_tree: Option<PathBuf>,
    has_work_tree: bool,
    objects: ObjectReader,
    folders: RwLock<HashMap<ObjectId, Arc<TreeFolder>>>,
    is_partial: OnceLock<bool>,
}

impl Repository {
    /// Finds the repository that contains a folder, which may no longer exist. As in git hooks, the
    /// environment may name one.
    pub fn find(folder: &Path) -> Result<Self, Diagnostic> {
        let there = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(folder);
        let git = Git::new(there)?;
        let objects = ObjectReader::new(git.clone());
        // The process starts while the top is determined. A failure to start is reported on first use.
        let _ = objects.start();
        let (top, has_work_tree) = top(&git)?;
        let ignored_work_tree = ignored_work_tree(&git, &top);
        let (folders, is_partial) = (RwLock::default(), OnceLock::new());
        Ok(Self(Arc::new(Shared { git, top, ignored_work_tree, has_work_tree, objects, folders, is_partial })))
    }

    /// The top of the work tree, without links; the repository itself if it is bare.
    pub fn top(&self) -> &Path {
        &self.0.top
    }

    /// Whether a folder lies in the work tree that git ignores because the environment names only the repository.
    pub fn is_in_ignored_work_tree(&self, folder: &Path) -> bool {
        let beside = |passed: &PathBuf| {
            folder.starts_with(passed) || folder.canonicalize().is_ok_and(|folder| folder.starts_with(passed))
        };
        self.0.ignored_work_tree.as_ref().is_some_and(beside)
    }

    pub(crate) fn outside(&self, folder: &Path) -> Problem {
        let (shown, top) = (folder.display().to_string(), self.top().display().to_string());
        match &self.0.ignored_work_tree {
            Some(passed) if self.is_in_ignored_work_tree(folder) => {
                Problem::WorkTreeElsewhere { folder: shown, top, beside: passed.display().to_string() }
            }
            _ => Problem::OutsideRepository { folder: shown, repository: top },
        }
    }

    pub fn has_work_tree(&self) -> bool {
        self.0.has_work_tree
    }

    pub fn snapshot(&self, revision: &Revision) -> Result<Snapshot, Diagnostic> {
        let folder = match revision {
            Revision::Named(name) => self.tree_of(name)?,
            Revision::Index => Arc::new(self.index()?),
        };
        Ok(Snapshot::new(self.clone(), revision, folder))
    }

    /// Parses `A..B`, `A...B` or `A` as git does: an empty name is `HEAD`, `A...B` starts at the merge base, `A` alone
    /// is compared with the working tree, and `:` is the index.
    pub fn range(&self, typed: &str) -> Result<Range, Diagnostic> {
        let (mut range, since_parted) = names::range(typed)?;
        if let Some(right) = range.right.as_ref().filter(|_| since_parted) {
            range.left = self.merge_base(&range.left.to_string(), &right.to_string())?;
        }
        Ok(range)
    }

    /// The merge base, as a short unique id.
    pub fn merge_base(&self, left: &str, right: &str) -> Result<Revision, Diagnostic> {
        let (from, to) = (self.commit(left)?.to_string(), self.commit(right)?.to_string());
        let git = &self.0.git;
        let output = git.run(["merge-base", &from, &to])?;
        let base = String::from_utf8_lossy(&output.stdout).trim().to_string();
        if ObjectId::from_hex(&base).is_none() {
            // Git prints nothing if there is no merge base, and the reason if the search fails.
            if !output.stderr.is_empty() {
                return Err(git.failed(&output));
            }
            let is_shallow = names::is_shallow(git);
            let (left, right) = (left.to_string(), right.to_string());
            return Err(Diagnostic::new(Problem::NoMergeBase { left, right, is_shallow }));
        }
        Ok(Revision::Named(git.line(["rev-parse", "--short=12", &base]).unwrap_or(base)))
    }

    /// Reads many files through a separate `git` process that receives all ids up front: for
    /// workers that read thousands of files. `each` receives the index into `ids` and the bytes, in
    /// order; `limit` is in bytes. The ids come from [`Store::identity`](super::Store::identity).
    pub fn read_many(
        &self,
        ids: &[ObjectId],
        limit: u64,
        mut each: impl FnMut(usize, Result<Vec<u8>, ReadError>),
    ) -> Result<(), Diagnostic> {
        let read =
            self.0.objects.get_many(ids, limit, |index, object| each(index, self.content(object, ObjectType::Blob)));
        read.map_err(|error| Diagnostic::new(stopped(&error)))
    }

    fn blob(&self, id: ObjectId, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.object(id, limit, ObjectType::Blob)
    }

    fn object(&self, id: ObjectId, limit: u64, kind: ObjectType) -> Result<Vec<u8>, ReadError> {
        let object = self.0.objects.get(&id.to_string(), limit).map_err(|error| ReadError::other(stopped(&error)))?;
        self.content(object, kind)
    }

    fn folder(&self, id: ObjectId) -> Result<Arc<TreeFolder>, ReadError> {
        if let Some(folder) = self.0.folders.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Ok(Arc::clone(folder));
        }
        let folder = self.parsed(id, &self.object(id, MAX_TREE, ObjectType::Tree)?)?;
        self.0.folders.write().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&folder));
        Ok(folder)
    }

    fn parsed(&self, id: ObjectId, content: &[u8]) -> Result<Arc<TreeFolder>, ReadError> {
        let malformed = || ReadError::other(Problem::GitFailed { reason: format!("{id} is not a valid tree") });
        TreeFolder::parse(content, id.as_bytes().len()).map(Arc::new).map_err(|_| malformed())
    }

    fn content(&self, object: Option<GitObject>, kind: ObjectType) -> Result<Vec<u8>, ReadError> {
        let Some(GitObject { id, kind: found, size, content }) = object else {
            return Err(ReadError::other(Problem::ObjectNotHere { is_partial: self.is_partial() }));
        };
        if found != kind {
            let reason = format!("{id} is not the kind of object that its folder records");
            return Err(ReadError::other(Problem::GitFailed { reason }));
        }
        content.ok_or(ReadError::TooLarge(Some(size)))
    }

    /// Whether the repository omits objects that a promisor remote would supply.
    fn is_partial(&self) -> bool {
        let pattern = r"^(extensions\.partialclone|remote\..*\.promisor)$";
        *self.0.is_partial.get_or_init(|| self.0.git.line(["config", "--get-regexp", pattern]).is_some())
    }

    fn tree_of(&self, name: &str) -> Result<Arc<TreeFolder>, Diagnostic> {
        let object = self.revision(name, "^{tree}", MAX_TREE)?;
        let id = object.id;
        let content = self.content(Some(object), ObjectType::Tree);
        content
            .and_then(|content| self.parsed(id, &content))
            .map_err(|error| Diagnostic::new(error.problem(MAX_TREE, None)))
    }

    fn commit(&self, name: &str) -> Result<ObjectId, Diagnostic> {
        match name {
            ":" => Err(names::invalid(name, "the index has no history")),
            _ => Ok(self.revision(name, "^{commit}", 0)?.id),
        }
    }

    fn revision(&self, name: &str, suffix: &str, limit: u64) -> Result<GitObject, Diagnostic> {
        names::check(name)?;
        let object = self.0.objects.get(&format!("{name}{suffix}"), limit);
        let object = object.map_err(|error| Diagnostic::new(stopped(&error)))?;
        object.ok_or_else(|| names::missing(self, name, suffix))
    }

    fn index(&self) -> Result<TreeFolder, Diagnostic> {
        let git = &self.0.git;
        // Paths are relative to the top, regardless of the folder that git runs in.
        let listed = git.output(["ls-files", "--stage", "--debug", "-z", "--full-name", "--", ":/"])?;
        let not_understood = || Problem::GitFailed { reason: "its index cannot be read".to_string() };
        index::read(&listed).ok_or_else(|| Diagnostic::new(not_understood()))
    }
}

/// The top of the work tree, or the repository itself if it is bare; and whether there is a work tree.
fn top(git: &Git) -> Result<(PathBuf, bool), Diagnostic> {
    let output = git.run(["rev-parse", "--is-inside-work-tree", "--show-toplevel"])?;
    let printed = output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout);
    let top = [b"true\n".as_slice(), b"false\n"].into_iter().find_map(|inside| printed.strip_prefix(inside));
    if let Some(top) = top.map(system::path_of_bytes).filter(|_| output.status.success()) {
        // The configuration of a repository may name any folder as its work tree, such as another project.
        if git.is_named() || top.join(".git").exists() {
            return Ok((top, true));
        }
        let reason = format!("it declares the work tree {}, which holds no .git", top.display());
        return Err(Diagnostic::new(Problem::RepositoryRefused { reason, advice: None }));
    }
    if printed != b"false" {
        return Err(git.failed(&output));
    }
    Ok((git.path(["rev-parse", "--absolute-git-dir"])?, false))
}

/// The folder that holds the named repository as `.git`, if git assumes a different work tree by default.
fn ignored_work_tree(git: &Git, top: &Path) -> Option<PathBuf> {
    if !git.names_repository_alone() {
        return None;
    }
    let repository = git.path(["rev-parse", "--absolute-git-dir"]).ok()?;
    let beside = repository.parent().filter(|_| repository.file_name() == Some(OsStr::new(".git")))?;
    let is_assumed = beside != top && repository != top && git.line(["config", "--get", "core.worktree"]).is_none();
    is_assumed.then(|| beside.to_path_buf())
}

fn stopped(error: &io::Error) -> Problem {
    let reason = match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe => {
            "it ended before it returned all objects".to_string()
        }
        _ => crate::diagnostic::system_reason(error),
    };
    Problem::GitFailed { reason }
}
