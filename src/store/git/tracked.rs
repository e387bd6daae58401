//! Which files git tracks.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Problem};
use crate::looked;
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
        looked::at(&top.join(".git/index"), Access::Read);
        // Links may lead from a project to anywhere in the repository, so all of it is listed.
        let output = git.run(["ls-files", "-z", "--cached", "--recurse-submodules", "--full-name", "--", ":/"])?;
        if !output.status.success() {
            return Err(git.failed(&output));
        }
        let listed = output.stdout.split(|&byte| byte == 0).filter(|name| !name.is_empty());
        Ok(Self { top, files: listed.map(path).collect() })
    }

    /// Whether it holds the file of that whole path, or the one that links lead to from there.
    pub fn has(&self, file: &Path) -> bool {
        let holds = |file: PathBuf| file.strip_prefix(&self.top).is_ok_and(|file| self.files.contains(file));
        // A link is a file of its own, wherever it leads.
        let itself = file.parent().and_then(|folder| Some(folder.canonicalize().ok()?.join(file.file_name()?)));
        !self.files.is_empty() && (itself.is_some_and(holds) || file.canonicalize().is_ok_and(holds))
    }
}
