//! Which files are checked: those of the project that nobody ignores or excludes, or those that were named and the
//! directives whose prompts they can affect.

mod affected;
mod below;
mod ignored;
mod named;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::diagnostic::{Diagnostic, Problem};
use crate::protocol::Protocol;
use crate::store::{Tiers, Tracked};

use super::folders::{self, Around};
use super::options::Options;
use super::project::{File, Project};

pub use super::patterns::Patterns;
pub use below::projects_below;
pub use ignored::Ignored;
pub use ignored::repository;
use named::AllNamed;
pub use named::{Named, Place, is_in_tier, named_project, project_of};

/// What is asked to be checked.
#[derive(Debug, Default)]
pub struct Scope {
    /// Files and folders that were named; none for the whole project.
    pub named: Option<Vec<Named>>,
    /// Whether a named file that is excluded is passed over.
    pub force_exclude: bool,
    /// The folder of agents that is checked; none for a project of directives.
    pub around: Option<Around>,
    /// What git tracks, once that was asked: an ignored file that it tracks all the same is checked as any other.
    pub tracked: OnceLock<Result<Tracked, Diagnostic>>,
}

impl Scope {
    /// Reads a project, and says of every file whether it is checked.
    pub fn project<'a>(&self, tiers: &'a Tiers, protocol: &'a Protocol, options: &'a Options) -> Project<'a> {
        let mut project = match &self.around {
            None => Project::read(tiers, protocol, options),
            Some(around) => {
                let named = self.named.iter().flatten().filter(|named| named.is_file()).map(Named::path);
                folders::read(tiers, protocol, options, around, &named.collect::<Vec<_>>())
            }
        };
        self.apply(&mut project);
        project
    }

    /// Says of every file of a project whether it is checked. All files stay items, whatever is checked.
    ///
    /// What the project excludes is checked all the same for what it must not lower.
    fn apply(&self, project: &mut Project<'_>) {
        let is_excluded = self.excluded(project);
        let mut checked = self.checked(project, &is_excluded);
        let least = &project.options.least;
        if !least.is_silent() && is_excluded.contains(&true) {
            let files = project.files.iter().zip(is_excluded);
            let is_excluded_by_all = files.map(|(file, is)| is && least.exclude.matches(&file.path));
            let owed = self.checked(project, &is_excluded_by_all.collect::<Vec<_>>());
            let passed_over = project.files.iter().zip(owed.iter().zip(&checked));
            let passed_over = passed_over.filter(|(_, (is_owed, is_checked))| **is_owed && !**is_checked);
            project.passed_over = passed_over.map(|(file, _)| file.path.clone()).collect();
            checked = owed;
        }
        for (file, is_checked) in project.files.iter_mut().zip(checked) {
            file.is_linted &= is_checked;
        }
    }

    /// Which files are checked if those are excluded.
    fn checked(&self, project: &Project<'_>, is_excluded: &[bool]) -> Vec<bool> {
        let Some(named) = &self.named else { return is_excluded.iter().map(|is_excluded| !is_excluded).collect() };
        let named = self.named_files(named, project, is_excluded);
        let affected = match &project.folders {
            None => affected::affected(project, &named, &affected::removed(project)),
            Some(_) => folders::affected(project, &named),
        };
        let marks = named.into_iter().zip(affected).zip(is_excluded);
        marks.map(|((is_named, is_affected), is_excluded)| is_named || is_affected && !is_excluded).collect()
    }

    /// Which files were named, and are not excluded for all that.
    fn named_files(&self, all: &[Named], project: &Project<'_>, is_excluded: &[bool]) -> Vec<bool> {
        let all = AllNamed::new(all);
        let is_named = |(file, &is_excluded): (&File, &bool)| {
            let counts =
                if is_excluded { !self.force_exclude && all.is_file(&file.path) } else { all.holds(&file.path) };
            file.is_linted && counts
        };
        project.files.iter().zip(is_excluded).map(is_named).collect()
    }

    /// Which files are excluded by a pattern, or ignored by git.
    fn excluded(&self, project: &Project<'_>) -> Vec<bool> {
        let paths = project.linted().map(|file| file.path.as_str());
        let ignored = project.tiers.project_root().and_then(|root| Some((root, Ignored::read(root, paths)?)));
        let exclude = &project.options.exclude;
        if ignored.is_none() && exclude.is_empty() {
            return vec![false; project.files.len()];
        }
        let is_ignored = |file: &File| {
            let passed_over = ignored.as_ref().filter(|(_, ignored)| ignored.has(&file.path));
            passed_over.is_some_and(|(root, ignored)| !self.is_tracked(ignored, &root.join(&file.path)))
        };
        let is_excluded = |file: &File| file.is_linted && (exclude.matches(&file.path) || is_ignored(file));
        project.files.par_iter().map(is_excluded).collect()
    }

    /// Whether git tracks a file that is ignored, which it is asked once, and not where no repository is seen.
    fn is_tracked(&self, ignored: &Ignored, file: &Path) -> bool {
        let Some(top) = ignored.repository() else { return false };
        let tracked = self.tracked.get_or_init(|| Tracked::read(top));
        tracked.as_ref().is_ok_and(|tracked| tracked.has(file))
    }

    /// What is to be said of the files of a project that are not checked.
    pub fn warnings(&self, project: &Project<'_>) -> Vec<Diagnostic> {
        let not_asked = self.tracked.get().and_then(|tracked| tracked.as_ref().err());
        let not_asked = not_asked.map(|error| Problem::NotAskedOfGit { why: error.message() });
        let files = project.files.iter().filter(|file| project.is_of_project(file)).count();
        let is_nothing_left = self.named.is_none() && files > 0 && project.linted().next().is_none();
        let nothing = is_nothing_left.then_some(Problem::NothingChecked { files });
        not_asked.into_iter().chain(nothing).map(Diagnostic::new).collect()
    }
}
