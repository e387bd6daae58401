//! A project at a revision, read through the library from repositories built with git.

mod folders;
mod links;
mod malicious;
mod names;
mod places;
mod tiers;

use std::path::Path;
use std::sync::Arc;

use rye_render::internals::read::store::{ReadError, Repository, Revision, Snapshot, Store};
use tempfile::TempDir;

use crate::repo::{Repo, git_is_there};

const DIRECTIVE: &str = ".ai/directives/a.md";

/// A folder for repositories, without links in its path.
struct Case {
    _folder: TempDir,
    root: std::path::PathBuf,
}

impl Case {
    /// None if git is missing.
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        git_is_there().then_some(Self { _folder: folder, root })
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.root.join(path)
    }

    /// A repository with a directive whose text is `one` at the tag `v1`, and `two` at `v2` and on disk.
    fn repo(&self) -> Repo {
        let repo = Repo::init(&self.path("repo"));
        repo.write(DIRECTIVE, "one").commit("one").tag("v1");
        repo.write(DIRECTIVE, "two").commit("two").tag("v2");
        repo
    }
}

fn named(name: &str) -> Revision {
    Revision::Named(name.to_string())
}

fn snapshot(folder: &Path, revision: &str) -> Snapshot {
    let revision = if revision == ":" { Revision::Index } else { named(revision) };
    let repository = Repository::find(folder).unwrap_or_else(|error| panic!("{}", error.message()));
    repository.snapshot(&revision).unwrap_or_else(|error| panic!("{}", error.message()))
}

/// The files below a folder at a revision, as a project sees them.
fn store(folder: &Path, revision: &str) -> Arc<dyn Store> {
    let snapshot = snapshot(folder, revision);
    snapshot.store(&snapshot.within(folder).unwrap(), false)
}

/// The text, or the error.
fn read(store: &dyn Store, path: &str) -> String {
    text_or_error(store.read(path, 1_000))
}

fn text_or_error(read: Result<Vec<u8>, ReadError>) -> String {
    match read {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(ReadError::Io(_)) => "Io".to_string(),
        Err(ReadError::Other(problem)) => format!("{problem:?}"),
        Err(error) => format!("{error:?}"),
    }
}
