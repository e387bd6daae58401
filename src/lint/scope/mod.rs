//! Which files are checked: those of the project that nobody ignores or excludes, or those that were named and the
//! directives whose prompts they can affect.

mod affected;
mod below;
mod ignored;
mod named;
mod patterns;
#[cfg(test)]
mod tests;

use rayon::prelude::*;

use crate::protocol::Protocol;
use crate::store::Tiers;

use super::options::Options;
use super::project::{File, Project};

pub use below::projects_below;
use ignored::Ignored;
pub use named::{Named, Place, named_project, project_of};
pub use patterns::Patterns;

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
    fn apply(&self, project: &mut Project<'_>) {
        let is_excluded = excluded(project);
        let checked: Vec<bool> = match &self.named {
            None => is_excluded.iter().map(|is_excluded| !is_excluded).collect(),
            Some(named) => {
                let named = self.named_files(named, project, &is_excluded);
                let affected = affected::affected(project, &named);
                let marks = named.into_iter().zip(affected).zip(is_excluded);
                marks.map(|((is_named, is_affected), is_excluded)| is_named || is_affected && !is_excluded).collect()
            }
        };
        for (file, is_checked) in project.files.iter_mut().zip(checked) {
            file.is_linted &= is_checked;
        }
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
