//! Which files are checked: those of the project that nobody ignores or excludes, or those that were named and the
//! directives whose prompts they can affect.

mod affected;
mod below;
mod ignored;
mod named;
#[cfg(test)]
mod tests;

use rayon::prelude::*;

use crate::protocol::Protocol;
use crate::store::Tiers;

use super::options::Options;
use super::project::{File, Project};

pub use super::patterns::Patterns;
pub use below::projects_below;
use ignored::Ignored;
pub use named::{Named, Place, named_project, project_of};

/// What is asked to be checked.
#[derive(Debug, Default)]
pub struct Scope {
    /// Files and folders that were named; none for the whole project.
    pub named: Option<Vec<Named>>,
    /// Whether a named file that is excluded is passed over.
    pub force_exclude: bool,
}

impl Scope {
    /// Reads a project, and says of every file whether it is checked.
    pub fn project<'a>(&self, tiers: &'a Tiers, protocol: &'a Protocol, options: &'a Options) -> Project<'a> {
        let mut project = Project::read(tiers, protocol, options, &|_| true);
        self.apply(&mut project);
        project
    }

    /// Says of every file of a project whether it is checked. All files stay items, whatever is checked.
    ///
    /// What the project excludes is checked all the same for what it must not lower.
    fn apply(&self, project: &mut Project<'_>) {
        let is_excluded = excluded(project);
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
        let affected = affected::affected(project, &named);
        let marks = named.into_iter().zip(affected).zip(is_excluded);
        marks.map(|((is_named, is_affected), is_excluded)| is_named || is_affected && !is_excluded).collect()
    }

    /// Which files were named, and are not excluded for all that.
    fn named_files(&self, all: &[Named], project: &Project<'_>, is_excluded: &[bool]) -> Vec<bool> {
        let is_named = |(file, &is_excluded): (&File, &bool)| {
            let counts = |named: &&Named| !is_excluded || (named.is_file() && !self.force_exclude);
            file.is_linted && all.iter().filter(counts).any(|named| named.holds(&file.path))
        };
        project.files.iter().zip(is_excluded).map(is_named).collect()
    }
}

/// Which files are excluded by a pattern, or ignored by git.
fn excluded(project: &Project<'_>) -> Vec<bool> {
    let paths = project.linted().map(|file| file.path.as_str());
    let ignored = project.tiers.project_root().and_then(|root| Ignored::read(root, paths));
    let exclude = &project.options.exclude;
    if ignored.is_none() && exclude.is_empty() {
        return vec![false; project.files.len()];
    }
    let is_excluded = |file: &File| {
        file.is_linted
            && (exclude.matches(&file.path) || ignored.as_ref().is_some_and(|ignored| ignored.has(&file.path)))
    };
    project.files.par_iter().map(is_excluded).collect()
}
