//! Folders in which agents work, checked as a project: which instruction files, bases and skills
//! apply where. The code that renders the agent's prompt decides what the agent reads.

mod apart;
mod fixes;
mod guidelines;
mod loss;
mod places;
mod read;
mod readers;
mod skills;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};
use std::{fmt, iter};

use crate::agents::{self, AgentRequest};
use crate::diagnostic::Problem;
use crate::prompt::Prompt;
use crate::read::settings;
use crate::read::store::{Disk, Store};
use crate::text::{Source, Span};

pub use guidelines::{ApplicableGuidelines, Guideline, GuidelinePlace, MOST_REPORTED, omitted_note};
pub use loss::AgentReport;
pub use read::read;
pub use readers::{ContextFile, FolderContext, Reader, ReaderSet, split_instructions};
pub use walk::{affected, file_owner, holds_any, is_named_so};

/// The settings of a folder, in its `.sf`.
pub const SETTINGS: &str = "rye-render.yaml";

/// The checked folder, and where else its agents look for files.
#[derive(Clone)]
pub struct AgentFolder {
    /// Absolute, with `/` as separator.
    pub root: String,
    pub agent_dir: String,
    pub home: String,
    /// The name of the subfolder for agents: `.sf`.
    pub folder: String,
    /// The path of the settings: those of the subfolder, or of `.ai/` if only these are there.
    pub settings: String,
    /// The paths of files whose text does not come from the disk; they need not exist.
    pub piped: Vec<String>,
    /// Reads files outside of the project.
    pub files: Arc<dyn Store>,
    /// The absolute paths of the only files that folders seem to hold; others are still there by their names.
    pub listed: Option<Vec<String>>,
    pub agents: ChosenAgents,
}

/// The agents that findings are about.
#[derive(Debug, Clone, Default)]
pub struct ChosenAgents {
    /// Each in the folders that it is started in.
    pub requests: Vec<AgentRequest>,
    /// The name of the assembler for folders, such as `sf`.
    pub assembler: Option<String>,
    /// Whether nothing says which agents are in use.
    pub are_guessed: bool,
    /// Whether the settings of the project name them.
    pub are_of_project: bool,
}

impl AgentFolder {
    pub fn on_disk(root: String, agent_dir: String, home: String, folder: String, disk: &Disk) -> Self {
        let (files, agents) = (Arc::new(disk.whole()), ChosenAgents::default());
        let own = format!("{folder}/{SETTINGS}");
        let is_file = |path: &str| files.is_file(&agents::below(&root, path));
        let settings = if !is_file(&own) && is_file(settings::PATH) { settings::PATH.to_string() } else { own };
        Self { root, agent_dir, home, folder, settings, piped: Vec::new(), files, listed: None, agents }
    }

    fn whole(&self, path: &str) -> String {
        if path.is_empty() { self.root.clone() } else { agents::below(&self.root, path) }
    }

    /// A path relative to the root from an absolute one below it.
    fn inside<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = path.strip_prefix(&self.root)?;
        if self.root.ends_with('/') { Some(rest) } else { rest.strip_prefix('/') }
    }
}

impl fmt::Debug for AgentFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentFolder").field("root", &self.root).finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentFile {
    Context,
    Base,
    Append,
    /// A skill, valid or not.
    Skill,
    /// What only some agents read: a rule, an import, a command.
    Other,
}

#[derive(Debug, Default)]
pub struct Folders {
    pub settings: String,
    pub readers: Vec<Reader>,
    /// Files outside of the project that apply to all of it, in the order of the prompt, and who reads them.
    pub outside: Vec<(Arc<Source>, ReaderSet)>,
    pub context: Vec<FolderContext>,
    /// What agents lose in the folders that they are started in.
    pub reports: Vec<AgentReport>,
    /// What they are told there.
    pub prompts: Vec<Prompt>,
    /// What instruction files import: the place, and the absolute path.
    pub imports: Vec<(Span, String)>,
    /// Paths of instruction files that another one hides there, and from whom.
    pub hidden: BTreeMap<String, ReaderSet>,
    /// By code and path: the agents that report a problem of a skill, too.
    pub also: HashMap<(&'static str, String), ReaderSet>,
    /// The subfolder for agents: `.sf`.
    own: String,
    assembler: ReaderSet,
    /// By reader.
    requests: Vec<Option<AgentRequest>>,
    /// One list per file of `outside`, then of `context`; computed on first use.
    guidelines: OnceLock<Vec<Vec<Guideline>>>,
}

impl Folders {
    /// The agents for which a problem of a file holds.
    pub fn readers_of_problem(&self, problem: &Problem, path: &str) -> ReaderSet {
        let has = |folder: &str| path.split('/').any(|part| part == folder);
        let is_own =
            matches!(problem, Problem::SkillCollision { winner, .. } if winner.split('/').any(|part| part == self.own));
        let is_shared = has(walk::SHARED) && !has(&self.own) && !is_own;
        let matters = self.requests.iter().map(|request| {
            request.as_ref().is_some_and(|it| is_shared && (it.chosen.agent.skill_problem_matters)(&it.chosen, problem))
        });
        let also = self.also.get(&(problem.into_str(), path.to_string())).copied().unwrap_or_default();
        ReaderSet::of(matters).with(self.assembler).with(also)
    }

    pub fn names(&self, readers: ReaderSet) -> Vec<String> {
        readers.names(&self.readers)
    }
}

pub(in crate::lint) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A folder and those above it, up to the root, which is empty.
fn up_from(folder: &str) -> impl Iterator<Item = &str> {
    iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| folder_of(folder)))
}
