//! The folders that decide what the agent reads.

use super::arguments::PromptArguments;
use crate::agents::files::{ancestors, below, joined, parent};
use crate::agents::git;
use crate::agents::visit::Visit;
use crate::read::store::PathKind;

pub(super) const CONFIG_VARIABLE: &str = "CLAUDE_CONFIG_DIR";
/// A folder with the files of a project.
pub(super) const DOT_FOLDER: &str = ".claude";

pub(super) struct DecidingFolders {
    /// The working folder, links resolved.
    pub cwd: String,
    pub home: String,
    /// The agent's own folder.
    pub config: String,
    /// Whether the agent's own folder is named rather than the usual one.
    pub is_config_named: bool,
    /// The nearest folder from the working folder up that has `.git`.
    pub root: Option<String>,
    /// The root of the main repository, if the working folder is in a worktree.
    pub main: Option<String>,
    /// They name further folders, and whose files count.
    pub arguments: PromptArguments,
}

impl DecidingFolders {
    pub fn new(visit: &Visit<'_>, arguments: PromptArguments) -> Self {
        let (cwd, home) = (visit.request.cwd.clone(), visit.request.home.clone());
        let named = visit.request.agent_dir.as_deref().or_else(|| visit.variable(CONFIG_VARIABLE));
        let config = named.map_or_else(|| below(&home, DOT_FOLDER), |named| joined(&cwd, named));
        let root = ancestors(&cwd).find(|folder| visit.files.exists(&below(folder, ".git"))).map(str::to_string);
        let main = root.as_deref().and_then(|root| main_root(visit, root));
        Self { is_config_named: named.is_some(), cwd, home, config, root, main, arguments }
    }

    /// The folder by which the agent knows the project: the root of the main repository, else of the repository, else
    /// the working folder.
    pub fn project(&self) -> &str {
        self.main.as_ref().or(self.root.as_ref()).unwrap_or(&self.cwd)
    }

    /// The folders `.claude/KIND` of the project for its lists, there or not: of the working folder and of those
    /// above, nearest first, up to the root or to below the home. A worktree that has none uses the main repository's.
    pub fn of_project(&self, visit: &Visit<'_>, kind: &str) -> Vec<String> {
        let of = |folder: &str| below(&below(folder, DOT_FOLDER), kind);
        let mut folders = Vec::new();
        for folder in ancestors(&self.cwd).take_while(|folder| *folder != self.home) {
            folders.push(of(folder));
            if self.root.as_deref() == Some(folder) {
                break;
            }
        }
        if let (Some(root), Some(main)) = (&self.root, &self.main)
            && visit.kind(&of(root)) != Some(PathKind::Folder)
        {
            folders.push(of(main));
        }
        folders
    }
}

/// The root of the main repository, if a folder is a worktree: its `.git` is a file that names a folder of worktrees,
/// which leads back to the repository.
fn main_root(visit: &Visit<'_>, root: &str) -> Option<String> {
    let named = git::named_folder(root, visit)?;
    let common = visit.files.real(&joined(&named, &git::line(&below(&named, "commondir"), visit)?));
    let worktrees = visit.files.real(parent(&named)?);
    let is_worktree = common.ends_with("/.git") && worktrees == below(&common, "worktrees");
    parent(&common).filter(|_| is_worktree).map(str::to_string)
}
