//! Where skills come from, in the order in which they win.

use indexmap::IndexMap;
use indexmap::map::Entry;
use serde_json::Value;

use super::entries::Entries;
use crate::agents::files::{ancestors, below, location, parent};
use crate::agents::pi::Places;
use crate::agents::pi::settings::{Settings, SettingsFile, object};
use crate::agents::skills::{LooseFiles, WalkRules, Walked, walk};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::read::limits;
use crate::read::store::PathKind;
use crate::text::numbers::thousands;

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

pub(super) struct Search<'v, 'a> {
    pub visit: &'v mut Visit<'a>,
    pub places: &'v Places,
    /// By path.
    pub candidates: IndexMap<String, Candidate>,
    /// The files that ignore files exclude, with the folder of the ignore file.
    pub ignored: Vec<(String, String)>,
}

impl Search<'_, '_> {
    /// All sources but those of the command line. The project's are left out if it is not trusted.
    pub fn all(&mut self, settings: &Settings) {
        let home = self.places.home.clone();
        let entries = |file: &SettingsFile| Entries::new(&file.texts("skills"), &home);
        let (project, global) = (entries(&settings.project), entries(&settings.global));
        for (entries, file) in [(&project, &settings.project), (&global, &settings.global)] {
            if let Some(filter) = entries.filters().next().filter(|_| entries.plain.is_empty()) {
                let does = "treats this as a pattern, so it adds no skill".to_string();
                let help = "name files and folders; a pattern only says which of them stay";
                let problem = Problem::AgentPitfall { agent: "pi", does, help };
                self.visit.report_near(problem, file.entry(filter.to_string()).span);
            }
        }
        let places = self.places;
        for (file, base, tier) in
            [(&settings.project, &places.project, "cwd"), (&settings.global, &places.agent, "agent")]
        {
            for package in file.list("packages").unwrap_or_default() {
                self.add_package(package, base, tier);
            }
        }
        self.plain(&project, Rank::ProjectSettings, "cwd", &places.project);
        self.plain(&global, Rank::UserSettings, "agent", &places.agent);
        if settings.is_trusted {
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

    /// The files of the plain entries of a settings file in the folder `base`.
    fn plain(&mut self, entries: &Entries, rank: Rank, tier: &'static str, base: &str) {
        for entry in &entries.plain {
            let walked = self.named(&self.places.resolved(entry.trim(), base));
            self.take(walked, rank, tier, |path| entries.leaves_out(path, base, true));
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
        let base = parent(folder).unwrap_or("/");
        self.take(walked, rank, tier, |path| entries.leaves_out(path, base, false));
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
        walk(folder, rules, self.visit.files, &mut self.visit.names)
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
                self.ignored.push((file.path, folder));
            } else if let Entry::Vacant(new) = self.candidates.entry(file.path) {
                let (path, left_out_by) = (new.key().clone(), left_out_by(new.key()));
                new.insert(Candidate { path, real: file.real, rank, tier, left_out_by });
            }
        }
        for (path, problem) in refused {
            self.visit.report_at(problem, location(&path, tier, None));
        }
        if let Some(folder) = ended_at {
            let most = thousands(limits::SKILL_NAMES);
            self.visit.report_at(Problem::SkillsTooMany { most }, location(&folder, tier, None));
        }
    }
}

fn agents(folder: &str) -> String {
    below(folder, ".agents/skills")
}

/// Where packages come from that are no local folders.
const REMOTE: [&str; 7] = ["npm:", "git:", "github:", "http:", "https:", "ssh:", "builtin:"];

impl Search<'_, '_> {
    /// Adds the skills of a package in the settings of the folder `base`.
    fn add_package(&mut self, package: &Value, base: &str, tier: &'static str) {
        let Some(source) = package.as_str().or_else(|| package.get("source")?.as_str()) else { return };
        if REMOTE.iter().any(|start| source.trim().starts_with(start)) {
            let problem = Problem::AgentPackageUnknown { source: source.to_string() };
            self.visit.report_at(problem, location(&below(base, "settings.json"), tier, None));
            return;
        }
        let folder = self.places.resolved(source.trim(), base);
        if self.visit.kind(&folder) != Some(PathKind::Folder) {
            return;
        }
        let is_automatic = package.get("autoload") != Some(&Value::Bool(false));
        let filter = package.get("skills").and_then(Value::as_array);
        let filter: Option<Vec<&str>> = filter.map(|list| list.iter().filter_map(Value::as_str).collect());
        // Without its own skills, a package gives only those that the settings name.
        if !is_automatic && filter.as_ref().is_none_or(Vec::is_empty) {
            return;
        }
        let chosen = filter.as_ref().map(|list| Entries::new(list, &self.places.home));
        let manifest = of_manifest(self.visit, self.places, &folder, tier);
        let paths = match &manifest {
            Some(entries) => entries.plain.iter().map(|entry| self.places.resolved(entry, &folder)).collect(),
            None => vec![below(&folder, "skills")],
        };
        let left_out_by = |path: &str| {
            let by_manifest = manifest.as_ref().and_then(|entries| entries.leaves_out(path, &folder, false));
            by_manifest.or_else(|| match &chosen {
                // An empty list chooses nothing.
                Some(_) if filter.as_ref().is_some_and(Vec::is_empty) => Some("skills".to_string()),
                chosen => chosen.as_ref()?.leaves_out(path, &folder, true),
            })
        };
        for path in paths {
            let walked = self.named(&path);
            self.take(walked, Rank::Package, tier, left_out_by);
        }
    }
}

/// The entries of the package's manifest; `None` if it has none, so that its folder `skills` counts.
fn of_manifest(visit: &Visit<'_>, places: &Places, folder: &str, tier: &'static str) -> Option<Entries> {
    let manifest = object(visit, &below(folder, "package.json"), tier).ok()?;
    let listed: Option<Vec<&str>> = manifest.get("pi")?.get("skills")?.as_array()?.iter().map(Value::as_str).collect();
    Some(Entries::new(&listed?, &places.home))
}
