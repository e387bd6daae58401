//! The files of a repository.

use super::tracked::names;
use super::{Repository, Revision, names as revisions};
use crate::diagnostic::Diagnostic;

impl Repository {
    /// The paths of all files at a revision, relative to the top. `None` is the working tree, with files that git does
    /// not know yet and without ignored ones. Paths that are not UTF-8 are left out.
    pub fn files(&self, revision: Option<&Revision>) -> Result<Vec<String>, Diagnostic> {
        let git = &self.0.git;
        let of_work_tree = ["ls-files", "-z", "--full-name", "--cached"];
        let output = match revision {
            Some(Revision::Named(name)) => {
                revisions::check(name)?;
                git.run(["ls-tree", "-r", "-z", "--name-only", "--full-tree", name])?
            }
            Some(Revision::Index) => git.run(of_work_tree.into_iter().chain(["--", ":/"]))?,
            None => git.run(of_work_tree.into_iter().chain(["--others", "--exclude-standard", "--", ":/"]))?,
        };
        if !output.status.success() {
            return Err(git.failed(&output));
        }
        Ok(names(&output.stdout).filter_map(|name| Some(std::str::from_utf8(name).ok()?.to_string())).collect())
    }
}
