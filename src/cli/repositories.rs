//! The repositories that a comparison reads, each opened once.

use std::path::PathBuf;

use super::arguments::PromptFlags;
use super::resolve::{surroundings, tier_arguments, wrong};
use crate::diagnostic::{Diagnostic, Problem};
use crate::store::{DirectiveFile, Repository, Revision, Snapshot, find_project, named_project};

/// What is open, by the folder that decides which repository it is: `--project`, or the project of a directive's file.
#[derive(Default)]
pub(super) struct Repositories {
    opened: Vec<(Option<PathBuf>, Repository)>,
}

impl Repositories {
    /// The repository that the project lies in, or, where that lies in none, the working folder. `file` is the file of
    /// the directive, if it is on disk that it says which project it belongs to.
    pub(super) fn of(&mut self, file: Option<&DirectiveFile>, flags: &PromptFlags) -> Result<&Repository, Diagnostic> {
        let named = tier_arguments(&flags.tiers, file).project;
        let at = match self.opened.iter().position(|(known, _)| *known == named) {
            Some(at) => at,
            None => {
                self.opened.push((named, find(file, flags)?));
                self.opened.len() - 1
            }
        };
        Ok(&self.opened[at].1)
    }

    /// The files of that repository at a revision; none of the working tree.
    pub(super) fn snapshot(
        &mut self,
        file: Option<&DirectiveFile>,
        flags: &PromptFlags,
        revision: Option<&Revision>,
    ) -> Result<Option<Snapshot>, Diagnostic> {
        let Some(revision) = revision else { return Ok(None) };
        let repository = self.of(file, flags)?;
        if *revision == Revision::Index {
            check_work_tree(repository)?;
        }
        repository.snapshot(revision).map(Some)
    }
}

/// Refuses a repository that has nothing but revisions where it is not a revision that is asked for.
pub(super) fn check_work_tree(repository: &Repository) -> Result<(), Diagnostic> {
    if repository.has_work_tree() {
        return Ok(());
    }
    let what = format!("{} has no work tree", repository.top().display());
    Err(wrong(&what, "name two revisions, such as --rev HEAD~1..HEAD"))
}

fn find(file: Option<&DirectiveFile>, flags: &PromptFlags) -> Result<Repository, Diagnostic> {
    let surroundings = surroundings();
    let working_folder = &surroundings.working_folder;
    let arguments = tier_arguments(&flags.tiers, file);
    let project = match named_project(&arguments, &surroundings) {
        // At a revision it may hold what it does not hold on disk; a repository without a work tree has nothing there.
        Some((project, _)) => Some(project),
        None => find_project(&arguments, &surroundings)?,
    };
    let Some(project) = project else { return Repository::find(working_folder) };
    Repository::find(&project).or_else(|error| match error.problem {
        Problem::NoRepository { .. } => Repository::find(working_folder).map_err(|_| error),
        _ => Err(error),
    })
}
