//! Where skills come from, in the order in which they win.

use indexmap::IndexMap;
use indexmap::map::Entry;

use super::entries::Entries;
use crate::agents::files::{ancestors, below, parent};
use crate::agents::pi::places::Places;
use crate::agents::pi::settings::{Settings, SettingsFile};
use crate::agents::skills::{LooseFiles, NameBudget, WalkRules, Walked, walk};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::PathKind;

use super::packages;

/// How strong a source is; the first one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    ProjectSettings,
    ProjectFound,
    UserSettings,
    UserFound,
    Package,
    Argument,
}

/// A file that may be a skill.
pub(super) struct Candidate {
    pub path: String,
    pub real: String,
    pub rank: Rank,
    pub tier: &'static str,
    /// The entry of the settings that leaves it out.
    pub left_out_by: Option<String>,
}

/// A folder whose skills do not count, and files that ignore files exclude.
#[derive(Default)]
pub(super) struct Found {
    /// By path.
    pub candidates: IndexMap<String, Candidate>,
    /// With the folder of the ignore file.
    pub ignored: Vec<(String, String)>,
}

pub(super) struct Search<'v, 'a> {
    pub visit: &'v mut Visit<'a>,
    pub places: &'v Places,
    pub budget: NameBudget,
    pub found: Found,
}

/// A source with the entries that apply to it.
struct Source<'e> {
    rank: Rank,
    tier: &'static str,
    entries: &'e Entries,
    /// What paths in the entries are relative to.
    base: String,
}

impl Search<'_, '_> {
    /// All sources but those of the command line. The project's are left out if it is not trusted.
    pub fn all(&mut self, settings: &Settings, is_trusted: bool) {
        let home = self.places.home.clone();
        let entries = |file: &SettingsFile| Entries::new(&file.texts("skills"), &home);
        let (project, global) = (entries(&settings.project), entries(&settings.global));
        for (file, base, tier) in
            [(&settings.project, &self.places.project, "cwd"), (&settings.global, &self.places.agent, "agent")]
        {
            let base = base.clone();
            for package in file.list("packages").unwrap_or_default() {
                packages::add(self, package, &base, tier);
            }
        }
        self.plain(&project, Rank::ProjectSettings, "cwd", self.places.project.clone());
        self.plain(&global, Rank::UserSettings, "agent", self.places.agent.clone());
        if is_trusted {
            for (folder, tier) in self.project_roots() {
                self.root(&folder, Rank::ProjectFound, tier, &project);
            }
        }
        for (folder, tier) in [(below(&self.places.agent, "skills"), "agent"), (agents(&home), "home")] {
            self.root(&folder, Rank::UserFound, tier, &global);
        }
    }

    /// The roots of the project and of the folders above it, up to the first repository.
    pub fn project_roots(&self) -> Vec<(String, &'static str)> {
        let own = (below(&self.places.project, "skills"), "cwd");
        let above = self.agents_roots().into_iter().filter(|(_, is_outside)| !is_outside);
        let tier = |folder: &str| if *folder == agents(&self.places.cwd) { "cwd" } else { "ancestor" };
        let above = above.map(|(folder, _)| (tier(&folder), folder)).map(|(tier, folder)| (folder, tier));
        std::iter::once(own).chain(above).collect()
    }

    /// The `.agents` roots of the working folder and the folders above it, each with whether the search ends below it.
    pub fn agents_roots(&self) -> Vec<(String, bool)> {
        let (mut roots, mut is_outside) = (Vec::new(), false);
        for folder in ancestors(&self.places.cwd) {
            let root = agents(folder);
            if root != agents(&self.places.home) {
                roots.push((root, is_outside));
            }
            is_outside |= self.visit.kind(&below(folder, ".git")).is_some();
        }
        roots
    }

    /// The files of the plain entries of a settings file.
    fn plain(&mut self, entries: &Entries, rank: Rank, tier: &'static str, base: String) {
        for entry in &entries.plain {
            let path = self.places.resolved(entry.trim(), &base);
            let walked = self.named(&path);
            self.add(walked, true, &Source { rank, tier, entries, base: base.clone() });
        }
    }

    /// A file or folder that someone names.
    pub fn named(&mut self, path: &str) -> Option<Walked> {
        match self.visit.kind(path)? {
            PathKind::File => Some(Walked::file(path, self.visit.files)),
            PathKind::Folder => self.walk(path, true),
        }
    }

    fn root(&mut self, folder: &str, rank: Rank, tier: &'static str, entries: &Entries) {
        let is_own = !folder.ends_with("/.agents/skills");
        let walked = self.walk(folder, is_own);
        let base = parent(folder).unwrap_or("/").to_string();
        self.add(walked, false, &Source { rank, tier, entries, base });
    }

    /// The files of a folder; `is_own` unless it is an `.agents` root.
    pub fn walk(&mut self, folder: &str, is_own: bool) -> Option<Walked> {
        let has_own_rules = self.visit.since("0.73.1");
        let loose = match is_own || !has_own_rules {
            true => LooseFiles::Top,
            false if self.visit.since("0.84.0") => LooseFiles::BelowTop,
            false => LooseFiles::Nowhere,
        };
        let rules = WalkRules { ends_at_skill: has_own_rules, follows_again: true, loose };
        walk(folder, rules, self.visit.files, &mut self.budget)
    }

    fn add(&mut self, walked: Option<Walked>, is_plain: bool, source: &Source<'_>) {
        let Source { rank, tier, entries, base } = source;
        let left_out_by = |path: &str| entries.leaves_out(path, base, is_plain);
        self.take(walked, *rank, tier, left_out_by);
    }

    /// Adds the files of a source. A path that is there already stays as it is.
    pub fn take(
        &mut self,
        walked: Option<Walked>,
        rank: Rank,
        tier: &'static str,
        left_out_by: impl Fn(&str) -> Option<String>,
    ) {
        let Some(Walked { found, ended_at, refused }) = walked else { return };
        for file in found {
            if let Some(folder) = file.ignored_by {
                self.found.ignored.push((file.path, folder));
            } else if let Entry::Vacant(new) = self.found.candidates.entry(file.path) {
                let (path, left_out_by) = (new.key().clone(), left_out_by(new.key()));
                new.insert(Candidate { path, real: file.real, rank, tier, left_out_by });
            }
        }
        for (path, problem) in refused {
            let at = crate::agents::files::location(&path, tier, None);
            self.visit.diagnostics.push(Diagnostic::at(problem, at));
        }
        if let Some(folder) = ended_at {
            let most = crate::text::numbers::thousands(crate::read::limits::SKILL_NAMES);
            let at = crate::agents::files::location(&folder, tier, None);
            self.visit.diagnostics.push(Diagnostic::at(Problem::SkillsTooMany { most }, at));
        }
    }
}

fn agents(folder: &str) -> String {
    below(folder, ".agents/skills")
}
