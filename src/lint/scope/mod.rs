//! Decides which files are checked: all but ignored and excluded ones, or the named ones and what they affect.

pub(super) mod ignored;
mod paths;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::decide::condition::Truth;
use crate::diagnostic::{Diagnostic, Problem};
use crate::fill::interpolate::hook::has_placeholder;
use crate::fill::palette::Primary;
use crate::fill::palette::capability::Reach;
use crate::lint::folders::{self, AgentFolder};
use crate::lint::options::LintOptions;
use crate::lint::project::{FileKind, Known, LintFile, Project};
use crate::read::item::{Directive, Hook};
pub use crate::read::patterns::Patterns;
use crate::read::protocol::{ContextScope, Protocol};
use crate::read::store::{self, ItemKind, Tiers, Tracked};

use ignored::Ignored;
pub use ignored::repository;
use paths::NamedPaths;
pub use paths::{NamedPath, PathLocation, is_in_tier, named_project, project_of, projects_below};

/// The directives whose prompts a file can change.
pub fn affected_by<'p>(project: &'p Project<'_>, path: &str) -> Vec<&'p LintFile> {
    let is_it: Vec<bool> = project.files.iter().map(|file| file.path == path && project.is_of_project(file)).collect();
    let affected = affected(project, &is_it, &[]);
    let files = project.files.iter().zip(is_it.into_iter().zip(affected));
    files
        .filter(|(file, (is_it, is_affected))| (*is_it || *is_affected) && file.directive().is_some())
        .map(|it| it.0)
        .collect()
}

#[derive(Debug, Default)]
pub struct LintScope {
    /// None for the whole project.
    pub named: Option<Vec<NamedPath>>,
    /// Whether exclusions apply to named files.
    pub force_exclude: bool,
    /// For an agent's working folder.
    pub around: Option<AgentFolder>,
    /// The files that git tracks, read on first use: they are checked even if they are ignored.
    pub tracked: OnceLock<Result<Tracked, Diagnostic>>,
    /// The items of the last commit that no longer exist, read on first use.
    pub removed: OnceLock<Vec<(ItemKind, String)>>,
}

impl LintScope {
    /// Reads a project and marks the files that are checked.
    pub fn project<'a>(
        &self,
        tiers: &'a Tiers,
        protocol: &'a Protocol,
        options: &'a LintOptions,
        known: Known,
    ) -> Project<'a> {
        let mut project = match &self.around {
            None => Project::read_again(tiers, protocol, options, known),
            Some(around) => {
                let named = self.named.iter().flatten().filter(|named| named.is_file()).map(NamedPath::path);
                folders::read(tiers, protocol, options, around, &named.collect::<Vec<_>>())
            }
        };
        self.apply(&mut project);
        project
    }

    /// Marks the files that are checked; the others are still read. Excluded files are still
    /// checked at the levels that the project must not lower.
    fn apply(&self, project: &mut Project<'_>) {
        let is_ignored = self.ignored(project);
        project.files.iter_mut().zip(is_ignored).for_each(|(file, is_ignored)| file.is_private = is_ignored);
        let exclude = &project.options.exclude;
        let is_excluded = |file: &LintFile| file.is_private || file.is_linted && exclude.matches(&file.path);
        let is_excluded: Vec<bool> = project.files.par_iter().map(is_excluded).collect();
        let mut checked = self.checked(project, &is_excluded);
        let trust_floor = &project.options.trust_floor;
        if !trust_floor.is_silent() && is_excluded.contains(&true) {
            let files = project.files.iter().zip(is_excluded);
            let is_excluded_below: Vec<bool> =
                files.map(|(file, is_excluded)| is_excluded && trust_floor.exclude.matches(&file.path)).collect();
            let checked_below = self.checked(project, &is_excluded_below);
            let files = project.files.iter().zip(checked_below.iter().zip(&checked));
            let trust_only = files.filter(|(_, (below, checked))| **below && !**checked);
            project.trust_only = trust_only.map(|(file, _)| file.path.clone()).collect();
            checked = checked_below;
        }
        // An agent that is started in a named folder reads others, too.
        let has_folder = self.named.iter().flatten().any(|named| !named.is_file());
        if let Some(folders) = project.folders.as_mut().filter(|_| !has_folder) {
            let files = project.files.iter().zip(&checked);
            let unchecked = files.filter(|(file, is_checked)| file.is_linted && !**is_checked);
            let unchecked: HashSet<&str> = unchecked.map(|(file, _)| file.path.as_str()).collect();
            folders.reports.retain(|report| report.at.as_ref().is_none_or(|at| !unchecked.contains(at.path())));
        }
        for (file, is_checked) in project.files.iter_mut().zip(checked) {
            file.is_linted &= is_checked;
        }
    }

    fn checked(&self, project: &Project<'_>, is_excluded: &[bool]) -> Vec<bool> {
        let all = || is_excluded.iter().map(|is_excluded| !is_excluded).collect();
        let Some(named) = &self.named else { return all() };
        if let Some(around) = &self.around {
            // The settings of an agent can affect every file.
            let known: HashSet<&str> = project.files.iter().map(|file| file.path.as_str()).collect();
            let is_setting = |path: &str| !known.contains(path) && folders::is_named_so(path, &around.folder);
            if named.iter().any(|it| it.is_file() && is_setting(it.path())) {
                return all();
            }
        }
        let named = self.named_files(named, project, is_excluded);
        let affected = match &project.folders {
            None => affected(project, &named, self.removed(project)),
            Some(_) => folders::affected(project, &named),
        };
        let marks = named.into_iter().zip(affected).zip(is_excluded);
        marks.map(|((is_named, is_affected), is_excluded)| is_named || is_affected && !is_excluded).collect()
    }

    /// For each file, whether it was named and not excluded.
    fn named_files(&self, all: &[NamedPath], project: &Project<'_>, is_excluded: &[bool]) -> Vec<bool> {
        let all = NamedPaths::new(all);
        let is_named = |(file, &is_excluded): (&LintFile, &bool)| {
            let is_named = || all.holds(&file.path) && (!is_excluded || !self.force_exclude && all.is_file(&file.path));
            file.is_linted && is_named()
        };
        project.files.iter().zip(is_excluded).map(is_named).collect()
    }

    /// For each file, whether it would be checked but for git.
    fn ignored(&self, project: &Project<'_>) -> Vec<bool> {
        let paths = project.linted().map(|file| file.path.as_str());
        let (root, disk) = (project.tiers.project_root(), project.tiers.disk());
        let Some((root, ignored)) = root.and_then(|root| Some((root, Ignored::read(root, paths, disk)?))) else {
            return vec![false; project.files.len()];
        };
        let is_ignored = |file: &LintFile| {
            file.is_linted && ignored.has(&file.path) && !self.is_tracked(&ignored, &root.join(&file.path))
        };
        project.files.par_iter().map(is_ignored).collect()
    }

    /// Runs git at most once, and only if a reference is broken.
    fn removed(&self, project: &Project<'_>) -> &[(ItemKind, String)] {
        let Some(root) = project.tiers.project_root().filter(|_| project.names_missing_items()) else { return &[] };
        let item = |path: String| ItemKind::of_path(&path).map(|(kind, id)| (kind, id.to_string()));
        self.removed.get_or_init(|| store::removed(root).into_iter().filter_map(item).collect())
    }

    /// Runs git at most once, and only in a repository.
    fn is_tracked(&self, ignored: &Ignored, file: &Path) -> bool {
        let Some(top) = ignored.repository() else { return false };
        let tracked = self.tracked.get_or_init(|| Tracked::read(top, &ignored.disk));
        tracked.as_ref().is_ok_and(|tracked| tracked.has(file))
    }

    /// Warnings about files that are not checked.
    pub fn warnings(&self, project: &Project<'_>) -> Vec<Diagnostic> {
        let git_error = self.tracked.get().and_then(|tracked| tracked.as_ref().err());
        let git_error = git_error.map(|error| Problem::NotAskedOfGit { why: error.message() });
        let files = project.files.iter().filter(|file| project.is_of_project(file)).count();
        let is_nothing_left = self.named.is_none() && files > 0 && project.linted().next().is_none();
        let nothing = is_nothing_left.then_some(Problem::NothingChecked { files });
        git_error.into_iter().chain(nothing).map(Diagnostic::new).collect()
    }
}

/// A project or an agents' folder whose files and settings are found, ready to be checked.
pub struct OpenProject {
    /// Reads each file once.
    pub tiers: Tiers,
    pub protocol: Protocol,
    pub options: LintOptions,
    pub scope: LintScope,
}

/// The directives whose prompts the changed files can affect through chains, context, hooks and tools; the prompts of
/// all others stay the same. `removed` are items that were deleted. A changed configuration affects every file.
pub(super) fn affected<'p>(
    project: &'p Project<'_>,
    is_changed: &[bool],
    removed: &'p [(ItemKind, String)],
) -> Vec<bool> {
    let all = || project.files.iter();
    let mut changed = ChangedItems::new(project, all().zip(is_changed).filter(|(_, is)| **is).map(|(file, _)| file));
    changed.ids.extend(removed.iter().map(|(kind, id)| (*kind, id.as_str())));
    if all().zip(is_changed).any(|(file, is)| *is && file.kind == FileKind::Configuration) {
        return vec![true; project.files.len()];
    }
    if changed.is_of_all {
        return all().map(|file| file.directive().is_some()).collect();
    }
    if changed.ids.is_empty() {
        return vec![false; project.files.len()];
    }
    let reached = changed.chains();
    let hooks: Vec<&Hook> = project.configured_hooks().filter(|hook| changed.is_named_by(hook, &reached)).collect();
    let is_affected = |file: &LintFile| {
        let Some(directive) = file.directive() else { return false };
        reached.contains(file.id.as_str())
            || directive.hooks.iter().any(|hook| changed.is_named_by(hook, &reached))
            || !hooks.is_empty() && {
                let composed = project.composed(file, directive);
                hooks.iter().any(|hook| composed.truth(hook) != Truth::False)
            }
    };
    project.files.par_iter().map(is_affected).collect()
}

struct ChangedItems<'p> {
    project: &'p Project<'p>,
    ids: HashSet<(ItemKind, &'p str)>,
    tools: Vec<&'p str>,
    /// Whether every prompt depends on one of them.
    is_of_all: bool,
}

impl<'p> ChangedItems<'p> {
    fn new(project: &'p Project<'_>, changed: impl Iterator<Item = &'p LintFile>) -> Self {
        let changed: Vec<&LintFile> = changed.collect();
        let files = || changed.iter().copied();
        let ids: HashSet<_> = files().filter_map(|file| Some((file.kind.item()?, file.id.as_str()))).collect();
        let tools = files().filter(|file| file.kind == FileKind::Item(ItemKind::Tool));
        let is_of_all = |file: &LintFile| match file.kind {
            FileKind::Configuration | FileKind::Agents(_) => false,
            FileKind::Item(ItemKind::Tool) => Primary::is_primary(&file.id),
            // Every prompt may begin with it.
            FileKind::Item(ItemKind::Knowledge) => file.id == crate::fill::assemble::INSTRUCTION_ITEM,
            FileKind::Item(ItemKind::Directive) => false,
        };
        Self { project, ids, tools: tools.map(|file| file.id.as_str()).collect(), is_of_all: files().any(is_of_all) }
    }

    /// The ids of directives that changed or name a changed item that descendants inherit, and of their descendants.
    fn chains(&self) -> HashSet<&'p str> {
        let index = &self.project.index;
        let mut changed = vec![false; index.positions().len()];
        let own = self.ids.iter().filter(|(kind, _)| *kind == ItemKind::Directive).map(|(_, id)| *id);
        let naming = self.ids.iter().flat_map(|(kind, id)| self.project.naming(*kind, id));
        let all = self.project.files.iter().filter_map(|file| Some((file, file.directive()?)));
        let granting = all.filter(|_| !self.tools.is_empty());
        let naming = naming.chain(granting).filter(|(_, directive)| self.is_named_by_directive(directive));
        for at in own.chain(naming.map(|(file, _)| file.id.as_str())).filter_map(|id| index.find(id)) {
            changed[at] = true;
        }
        let reached = match self.project.protocol.context {
            ContextScope::None => changed,
            _ => index.have_in_chain(|at| changed[at]),
        };
        index.positions().filter(|&at| reached[at]).map(|at| index.id(at)).collect()
    }

    fn is_named_by_directive(&self, directive: &Directive) -> bool {
        let counts = |kind| kind != ItemKind::Directive || self.project.protocol.context != ContextScope::None;
        let items = directive.references_handed_on().map(|(kind, id)| (kind, id.as_str()));
        items.filter(|(kind, _)| counts(*kind)).any(|(kind, id)| self.ids.contains(&(kind, id)))
            || !self.tools.is_empty()
                && directive.permissions.iter().any(|permission| self.is_granted_by(&permission.capability))
    }

    fn is_named_by(&self, hook: &Hook, reached: &HashSet<&str>) -> bool {
        hook.references().map(|(kind, id)| (kind, id.as_str())).any(|(kind, id)| {
            // A placeholder may stand for any item of its kind.
            let is_open = has_placeholder(id) && self.ids.iter().any(|(of, _)| *of == kind);
            is_open || self.ids.contains(&(kind, id)) || kind == ItemKind::Directive && reached.contains(id)
        })
    }

    fn is_granted_by(&self, capability: &str) -> bool {
        let Some(reach) = Reach::of(capability, true) else { return false };
        self.tools.iter().any(|tool| reach.pattern.covers(tool))
    }
}
