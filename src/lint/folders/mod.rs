//! The folders in which agents work, as a project: their files of instructions, bases and skills, which of them apply
//! where, and what is wrong with them. What the agent reads is decided by the functions that make its prompt.

mod affected;
mod guidelines;
mod overlay;
mod read;
mod skills;
#[cfg(test)]
mod tests;
mod walk;

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::sf::{self, Disk, Files};
use crate::text::Source;

pub use affected::affected;
pub use guidelines::{Applying, Guideline, InFile, MOST_TOLD, untold};
pub use read::read;
pub use walk::{holds_any, is_named_so};

/// The name of the file with the settings of a folder, in the agents' own folder of its root.
pub const SETTINGS: &str = "rye-render.yaml";

/// The folder whose files are checked, and where its agents look besides.
#[derive(Clone)]
pub struct Around {
    /// The folder whose files are checked: absolute, with `/`.
    pub root: String,
    /// The agent's own folder.
    pub agent_dir: String,
    /// The home folder.
    pub home: String,
    /// The name of a folder's own folder for agents: `.sf`.
    pub folder: String,
    /// The file that standard input stands for, from the root; it need not be there.
    pub piped: Option<String>,
    /// Where files outside of the project are read.
    pub files: &'static dyn Files,
}

impl Around {
    /// A folder on the disk.
    pub fn on_disk(root: String, agent_dir: String, home: String, folder: String) -> Self {
        Self { root, agent_dir, home, folder, piped: None, files: &Disk }
    }

    /// Where the settings of the folder stand, from its root.
    pub fn settings(&self) -> String {
        format!("{}/{SETTINGS}", self.folder)
    }

    /// A path from the root as a whole one.
    fn whole(&self, path: &str) -> String {
        if path.is_empty() { self.root.clone() } else { sf::below(&self.root, path) }
    }

    /// A whole path from the root; none of one that does not lie below it.
    fn inside<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = path.strip_prefix(&self.root)?;
        if self.root.ends_with('/') { Some(rest) } else { rest.strip_prefix('/') }
    }
}

impl fmt::Debug for Around {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Around").field("root", &self.root).finish_non_exhaustive()
    }
}

/// What a file of agents is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentFile {
    /// `AGENTS.md`, or `CLAUDE.md`.
    Context,
    /// `SYSTEM.md`, the base of a prompt.
    Base,
    /// `APPEND_SYSTEM.md`.
    Append,
    /// A skill, or what is meant as one.
    Skill,
}

/// Which files of instructions apply to which folder.
#[derive(Debug, Default)]
pub struct Folders {
    /// Those that apply to every folder of the project and do not lie in it, in the order of the prompt.
    pub outside: Vec<Arc<Source>>,
    /// The folders that have one, each in front of those below it.
    pub context: Vec<InFolder>,
    /// What they say, once that was asked.
    guidelines: OnceLock<Vec<Vec<Guideline>>>,
}

/// The files of instructions of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InFolder {
    /// The folder, from the root of the project; empty for that itself.
    pub folder: String,
    /// The one that counts, as an index into the files of the project.
    pub counts: usize,
    /// The one that it hides.
    pub hidden: Option<usize>,
}

impl InFolder {
    /// Whether what applies to this folder applies to another one.
    pub fn holds(&self, folder: &str) -> bool {
        let rest = folder.strip_prefix(self.folder.as_str());
        self.folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// The folder of a path from the root; empty for a name alone.
pub(in crate::lint) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
