//! The git repositories of a comparison, each opened once.

use std::path::{Path, PathBuf};

use super::arguments::PromptFlags;
use super::resolve::tier_arguments;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::{
    DirectiveFile, Repository, Revision, Snapshot, Surroundings, TierArguments, find_project, named_project,
};

/// Open repositories by what selects them: `--project`, a directive's file, or an agent's working folder.
#[derive(Default)]
pub(super) struct Repositories {
    opened: Vec<(Option<PathBuf>, Repository)>,
}

impl Repositories {
    /// The repository of the project, or of the working folder if the project is in none. A directive's file on disk
    /// determines its project.
    pub(super) fn of(
        &mut self,
        file: Option<&DirectiveFile>,
        flags: &PromptFlags,
        here: &Surroundings<'_>,
    ) -> Result<&Repository, Diagnostic> {
        let arguments = tier_arguments(&flags.tiers, file);
        self.open(arguments.project.clone(), || find(&arguments, here))
    }

    pub(super) fn of_folder(&mut self, folder: &Path) -> Result<&Repository, Diagnostic> {
        let repository = self.open(Some(folder.to_path_buf()), || Repository::find(folder).map_err(no_repository))?;
        if repository.is_in_ignored_work_tree(folder) {
            return Err(Diagnostic::new(repository.outside(folder)));
        }
        Ok(repository)
    }

    fn open(
        &mut self,
        key: Option<PathBuf>,
        find: impl FnOnce() -> Result<Repository, Diagnostic>,
    ) -> Result<&Repository, Diagnostic> {
        let at = match self.opened.iter().position(|(known, _)| *known == key) {
            Some(at) => at,
            None => {
                self.opened.push((key, find()?));
                self.opened.len() - 1
            }
        };
        Ok(&self.opened[at].1)
    }

    /// The files at a revision; `None` for the working tree.
    pub(super) fn snapshot(
        &mut self,
        file: Option<&DirectiveFile>,
        flags: &PromptFlags,
        revision: Option<&Revision>,
        here: &Surroundings<'_>,
    ) -> Result<Option<Snapshot>, Diagnostic> {
        let Some(revision) = revision else { return Ok(None) };
        let repository = self.of(file, flags, here)?;
        if *revision == Revision::Index {
            check_work_tree(repository)?;
        }
        repository.snapshot(revision).map(Some)
    }
}

/// Refuses a bare repository if the working tree is compared.
pub(super) fn check_work_tree(repository: &Repository) -> Result<(), Diagnostic> {
    if repository.has_work_tree() {
        return Ok(());
    }
    let what = format!("{} has no work tree", repository.top().display());
    Err(Diagnostic::invalid(what, "name two revisions, such as --rev HEAD~1..HEAD"))
}

fn no_repository(error: Diagnostic) -> Diagnostic {
    match error.problem {
        Problem::NoRepository { folder } => {
            let what = format!("`{folder}` is not in a git repository, so it has no revisions");
            Diagnostic::invalid(what, "name two folders, or use flags that set one side, such as --left-tools")
        }
        _ => error,
    }
}

fn find(arguments: &TierArguments, here: &Surroundings<'_>) -> Result<Repository, Diagnostic> {
    let project = match named_project(arguments, here) {
        // The project need not exist on disk, only at the revision.
        Some((project, _)) => Some(project),
        None => find_project(arguments, here)?,
    };
    let Some(project) = project else { return Repository::find(&here.working_folder) };
    Repository::find(&project).or_else(|error| match error.problem {
        Problem::NoRepository { .. } => Repository::find(&here.working_folder).map_err(|_| error),
        _ => Err(error),
    })
}
