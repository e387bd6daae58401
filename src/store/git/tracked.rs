//! Which files git tracks.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Problem};
use crate::disk_log;
use crate::store::Access;

use super::command::Git;
use super::{path, top};

/// The files of a work tree that its index holds, those of its submodules included.
#[derive(Debug, Default)]
pub struct Tracked {
    /// The top of the work tree, without links.
    top: PathBuf,
    /// From there.
    files: HashSet<PathBuf>,
}

impl Tracked {
    /// What the repository holds that a folder lies in; nothing if that is none, or one without a work tree.
    ///
    /// # Errors
    /// There is no `git` program, or git refuses the repository.
    pub fn read(folder: &Path) -> Result<Self, Diagnostic> {
        let git = Git::new(folder)?;
        let (top, has_work_tree) = match top(&git) {
            Ok(found) => found,
            Err(error) if matches!(error.problem, Problem::NoRepository { .. }) => return Ok(Self::default()),
            Err(error) => return Err(error),
        };
        if !has_work_tree {
            return Ok(Self::default());
        }
        if disk_log::is_recording() {
            look_at_index(&git, &mut HashSet::new());
        }
        // Links may lead from a project to anywhere in the repository, so all of it is listed.
        let output = git.run(["ls-files", "-z", "--cached", "--recurse-submodules", "--full-name", "--", ":/"])?;
        if !output.status.success() {
            return Err(git.failed(&output));
        }
        Ok(Self { top, files: names(&output.stdout).map(path).collect() })
    }

    /// Whether it holds the file of that whole path, or the one that links lead to from there.
    pub fn has(&self, file: &Path) -> bool {
        let holds = |file: PathBuf| file.strip_prefix(&self.top).is_ok_and(|file| self.files.contains(file));
        // A link is a file of its own, wherever it leads.
        let itself = file.parent().and_then(|folder| Some(folder.canonicalize().ok()?.join(file.file_name()?)));
        !self.files.is_empty() && (itself.is_some_and(holds) || file.canonicalize().is_ok_and(holds))
    }
}

/// Says that the result depends on the index of a repository, wherever it lies, and on those of its submodules.
fn look_at_index(git: &Git, known: &mut HashSet<PathBuf>) {
    let Some(index) = git.index() else { return };
    disk_log::record(&index, Access::Read);
    // One that is met again leads around in a circle.
    if !known.insert(index) {
        return;
    }
    let Some(output) = git.run(["ls-files", "-z", "--stage", "--", ":/"]).ok() else { return };
    for entry in names(&output.stdout) {
        let Some(folder) = submodule(entry) else { continue };
        let folder = git.working_folder().join(folder);
        disk_log::record(&folder.join(".git"), Access::Read);
        if folder.join(".git").exists() {
            look_at_index(&git.inside(&folder), known);
        }
    }
}

/// Where a submodule lies, if an entry of an index is one: `160000 ID STAGE<TAB>PATH`.
fn submodule(entry: &[u8]) -> Option<PathBuf> {
    let entry = entry.strip_prefix(b"160000 ")?;
    let tab = entry.iter().position(|&byte| byte == b'\t')?;
    Some(path(&entry[tab + 1..]))
}

/// What git lists with `-z`.
fn names(listed: &[u8]) -> impl Iterator<Item = &[u8]> {
    listed.split(|&byte| byte == 0).filter(|name| !name.is_empty())
}
