//! Folders in which agents work, checked as a project: which instruction files, bases and skills
//! apply where. The code that renders the agent's prompt decides what the agent reads.

mod affected;
mod agent_warnings;
mod guidelines;
mod overlay;
mod read;
mod skills;
#[cfg(test)]
mod tests;
mod walk;

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::agents::{self, AgentRequest};
use crate::read::store::{Disk, Store};
use crate::text::Source;

pub use affected::affected;
pub use agent_warnings::AgentWarnings;
pub use guidelines::{ApplicableGuidelines, Guideline, MOST_REPORTED, omitted_note};
pub use read::read;
pub use walk::{holds_any, is_named_so};

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
    /// The path of the file that standard input replaces; it need not exist.
    pub piped: Option<String>,
    /// Reads files outside of the project.
    pub files: Arc<dyn Store>,
    /// The coding agents whose warnings are findings.
    pub agents: Vec<AgentRequest>,
}

impl AgentFolder {
    pub fn on_disk(root: String, agent_dir: String, home: String, folder: String, disk: &Disk) -> Self {
        Self { root, agent_dir, home, folder, piped: None, files: Arc::new(disk.whole()), agents: Vec::new() }
    }

    pub fn settings(&self) -> String {
        format!("{}/{SETTINGS}", self.folder)
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
}

#[derive(Debug, Default)]
pub struct Folders {
    pub settings: String,
    /// Files outside of the project that apply to all of it, in the order of the prompt.
    pub outside: Vec<Arc<Source>>,
    pub context: Vec<FolderContext>,
    pub agents: Vec<AgentWarnings>,
    /// One list per file of `outside`, then of `context`; computed on first use.
    guidelines: OnceLock<Vec<Vec<Guideline>>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderContext {
    /// Relative to the root; empty for the root itself.
    pub folder: String,
    /// The file that agents read, as an index into the files of the project.
    pub effective: usize,
    pub hidden: Option<usize>,
}

impl FolderContext {
    /// Whether a folder is this one or below it.
    pub fn holds(&self, folder: &str) -> bool {
        let rest = folder.strip_prefix(self.folder.as_str());
        self.folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

pub(in crate::lint) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
