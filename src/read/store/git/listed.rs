//! Lists of the files that git knows.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::{Access, Disk};
use crate::system;

use super::command::Git;
use super::names::check;
use super::{Repository, Revision, top};

/// The files in the index of a work tree, submodules included.
#[derive(Debug, Default)]
pub struct Tracked {
    top: PathBuf,
    files: HashSet<PathBuf>,
}

impl Tracked {
    /// Empty if the folder is in no repository, or in a bare one.
    pub fn read(folder: &Path, disk: &Disk) -> Result<Self, Diagnostic> {
        let git = Git::new(folder)?;
        let (top, has_work_tree) = match top(&git) {
            Ok(found) => found,
            Err(error) if matches!(error.problem, Problem::NoRepository { .. }) => return Ok(Self::default()),
            Err(error) => return Err(error),
        };
        if !has_work_tree {
            return Ok(Self::default());
        }
        if disk.is_recording() {
            look_at_index(&git, &mut HashSet::new(), disk);
        }
        // Links may lead from a project to anywhere in the repository, so all of it is listed.
        let listed = git.output(["ls-files", "-z", "--cached", "--recurse-submodules", "--full-name", "--", ":/"])?;
        Ok(Self { top, files: names(&listed).map(system::path_of_bytes).collect() })
    }

    /// Absolute, in no order.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().map(|file| self.top.join(file))
    }

    /// Whether git tracks this absolute path, or the file its links lead to.
    pub fn has(&self, file: &Path) -> bool {
        let holds = |file: PathBuf| file.strip_prefix(&self.top).is_ok_and(|file| self.files.contains(file));
        // A link is itself a tracked file.
        let itself = file.parent().and_then(|folder| Some(folder.canonicalize().ok()?.join(file.file_name()?)));
        !self.files.is_empty() && (itself.is_some_and(holds) || file.canonicalize().is_ok_and(holds))
    }
}

/// Records that the result depends on the index and on the indexes of submodules.
fn look_at_index(git: &Git, known: &mut HashSet<PathBuf>, disk: &Disk) {
    let Some(index) = git.index() else { return };
    disk.record(&index, Access::Read);
    if !known.insert(index) {
        return;
    }
    let Ok(listed) = git.output(["ls-files", "-z", "--stage", "--", ":/"]) else { return };
    for entry in names(&listed) {
        let Some(folder) = submodule(entry) else { continue };
        let folder = git.working_folder().join(folder);
        disk.record(&folder.join(".git"), Access::Read);
        if folder.join(".git").exists() {
            look_at_index(&git.inside(&folder), known, disk);
        }
    }
}

/// Parses `160000 ID STAGE<TAB>PATH`.
fn submodule(entry: &[u8]) -> Option<PathBuf> {
    let entry = entry.strip_prefix(b"160000 ")?;
    let tab = entry.iter().position(|&byte| byte == b'\t')?;
    Some(system::path_of_bytes(&entry[tab + 1..]))
}

fn names(listed: &[u8]) -> impl Iterator<Item = &[u8]> {
    listed.split(|&byte| byte == 0).filter(|name| !name.is_empty())
}

/// The files below `.ai` that are in the last commit but no longer exist, relative to `folder`; empty if git fails.
pub fn removed(folder: &Path) -> Vec<String> {
    let gone = ["diff", "--name-only", "--no-renames", "--diff-filter=D", "--no-ext-diff", "--no-textconv"];
    let arguments = gone.into_iter().chain(["--relative", "-z", "HEAD", "--", ".ai"]);
    let listed = Git::new(folder).and_then(|git| git.output(arguments)).unwrap_or_default();
    names(&listed).filter_map(|path| String::from_utf8(path.to_vec()).ok()).collect()
}

impl Repository {
    /// The paths of all files at a revision, relative to the top. `None` is the working tree, with files that git does
    /// not know yet and without ignored ones. Paths that are not UTF-8 are left out.
    pub fn files(&self, revision: Option<&Revision>) -> Result<Vec<String>, Diagnostic> {
        let git = &self.0.git;
        let of_work_tree = ["ls-files", "-z", "--full-name", "--cached"];
        let listed = match revision {
            Some(Revision::Named(name)) => {
                check(name)?;
                git.output(["ls-tree", "-r", "-z", "--name-only", "--full-tree", name])?
            }
            Some(Revision::Index) => git.output(of_work_tree.into_iter().chain(["--", ":/"]))?,
            None => git.output(of_work_tree.into_iter().chain(["--others", "--exclude-standard", "--", ":/"]))?,
        };
        Ok(names(&listed).filter_map(|name| Some(std::str::from_utf8(name).ok()?.to_string())).collect())
    }
}
