//! The folders that decide what the agent reads, and the variables that switch some off.

use std::collections::HashSet;

use super::{refusal, warn};
use crate::agents::files::{ancestors, below, joined, location};
use crate::agents::git;
use crate::agents::visit::Visit;
use crate::diagnostic::Diagnostic;
use crate::read::store::{PathKind, ReadError};

pub(super) struct AgentFolders {
    pub cwd: String,
    pub home: String,
    /// The user's folder of the agent.
    pub global: String,
    /// The folder that `OPENCODE_CONFIG_DIR` names.
    pub named: Option<String>,
    /// `/` without a repository.
    pub worktree: String,
    pub switches: Switches,
}

/// What the variables switch off.
#[derive(Debug, Default)]
pub(super) struct Switches {
    pub no_project: bool,
    pub no_claude_prompt: bool,
    pub no_claude_skills: bool,
    pub no_external_skills: bool,
}

impl AgentFolders {
    pub fn new(visit: &mut Visit<'_>, switches: Switches) -> Self {
        let (cwd, home) = (visit.request.cwd.clone(), visit.request.home.clone());
        let config = visit.variable("XDG_CONFIG_HOME").map_or_else(|| below(&home, ".config"), str::to_string);
        let global = below(&joined(&cwd, &config), "opencode");
        let named = visit.request.agent_dir.as_deref().or_else(|| visit.variable("OPENCODE_CONFIG_DIR"));
        let named = named.map(|folder| joined(&cwd, folder));
        let worktree = worktree(visit, &cwd).unwrap_or_else(|| "/".to_string());
        Self { cwd, home, global, named, worktree, switches }
    }

    /// From the working folder up to the worktree.
    pub fn chain(&self) -> Vec<String> {
        let is_above = |folder: &&str| folder.len() >= self.worktree.len();
        ancestors(&self.cwd).take_while(is_above).map(str::to_string).collect()
    }

    /// The folders above the worktree.
    pub fn outside(&self) -> Vec<String> {
        ancestors(&self.worktree).skip(1).map(str::to_string).collect()
    }

    /// The folders with settings, agents and skills, each once.
    pub fn config_folders(&self) -> Vec<String> {
        let mut folders = vec![self.global.clone()];
        let project = if self.switches.no_project { Vec::new() } else { self.chain() };
        folders.extend(project.iter().chain([&self.home]).map(|folder| below(folder, DOT_FOLDER)));
        folders.extend(self.named.clone());
        let mut met = HashSet::new();
        folders.retain(|folder| met.insert(folder.clone()));
        folders
    }
}

pub(super) const DOT_FOLDER: &str = ".opencode";

impl Switches {
    pub fn read(visit: &Visit<'_>) -> Result<Self, Diagnostic> {
        let is_on = |name: &str| match visit.variable(name) {
            Some("true" | "yes" | "on" | "1" | "y") => Ok(true),
            None | Some("false" | "no" | "off" | "0" | "n") => Ok(false),
            Some(value) => Err(refusal(format!("{name} is `{value}`, neither true nor false"), None)),
        };
        let both = is_on("OPENCODE_DISABLE_CLAUDE_CODE")?;
        let project = visit.variable("OPENCODE_DISABLE_PROJECT_CONFIG").unwrap_or_default();
        Ok(Self {
            no_project: project == "1" || project.eq_ignore_ascii_case("true"),
            no_claude_prompt: is_on("OPENCODE_DISABLE_CLAUDE_CODE_PROMPT")? || both,
            no_claude_skills: is_on("OPENCODE_DISABLE_CLAUDE_CODE_SKILLS")? || both,
            no_external_skills: is_on("OPENCODE_DISABLE_EXTERNAL_SKILLS")?,
        })
    }
}

/// Whether something is at a path, links followed.
pub(super) fn exists(visit: &Visit<'_>, path: &str) -> bool {
    matches!(visit.files.kind(path), Ok(_) | Err(ReadError::NotAFile(_)))
}

/// The nearest folder with a valid `.git`; none if a `.git` file comes first that is not valid.
fn worktree(visit: &mut Visit<'_>, cwd: &str) -> Option<String> {
    for folder in ancestors(cwd) {
        let dot_git = below(folder, ".git");
        let Some(kind) = visit.kind(&dot_git) else { continue };
        let at = location(&dot_git, "ancestor", None);
        match kind {
            PathKind::Folder if is_repository(visit, &dot_git, &dot_git) => return Some(folder.to_string()),
            PathKind::Folder => {
                let does = "passes over this folder, which is not a repository".to_string();
                warn(visit, at, does, "run `git init`, or delete the folder");
            }
            PathKind::File if is_linked(visit, folder) => return Some(folder.to_string()),
            PathKind::File => {
                let does = "sees no repository, because this file names none".to_string();
                warn(visit, at, does, "correct the path in it");
                return None;
            }
        }
    }
    None
}

fn is_repository(visit: &Visit<'_>, own: &str, common: &str) -> bool {
    let is_folder = |name: &str| visit.kind(&below(common, name)) == Some(PathKind::Folder);
    exists(visit, &below(own, "HEAD")) && is_folder("objects") && is_folder("refs")
}

fn is_linked(visit: &Visit<'_>, folder: &str) -> bool {
    let Some(own) = git::named_folder(folder, visit) else { return false };
    let common = git::line(&below(&own, "commondir"), visit);
    let common = common.map_or_else(|| own.clone(), |common| joined(&own, &common));
    is_repository(visit, &own, &common)
}
