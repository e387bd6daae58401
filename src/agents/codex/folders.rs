//! The folders that decide what the agent reads: its own folder, the root above the working folder, the repository.

use super::refusal;
use crate::agents::agent::FolderTrust;
use crate::agents::files::{ancestors, below, joined, parent};
use crate::agents::git;
use crate::agents::visit::Visit;
use crate::diagnostic::Diagnostic;
use crate::read::store::PathKind;

/// A folder with the agent's settings, rules and skills.
pub(super) const DOT_FOLDER: &str = ".codex";

pub(super) struct Folders {
    /// The agent's own folder.
    pub home: String,
    pub cwd: String,
    /// From the root for instruction files down to the working folder.
    pub chain: Vec<String>,
    /// From the root for settings down to the working folder.
    pub settings_chain: Vec<String>,
    pub repository: Option<Repository>,
    /// Whether the user trusts them, whatever the settings say.
    pub are_trusted: bool,
}

/// The repository of the working folder, by its main folder.
pub(super) struct Repository {
    pub folder: String,
}

/// The agent's own folder: `CODEX_HOME`, which must exist, else `.codex` in the user's home.
pub(super) fn own_folder(visit: &Visit<'_>) -> Result<String, Diagnostic> {
    let named = visit.request.agent_dir.as_deref().or_else(|| visit.variable("CODEX_HOME"));
    let Some(named) = named else { return Ok(below(&visit.request.home, DOT_FOLDER)) };
    let path = joined(&visit.request.cwd, named);
    match visit.kind(&path) {
        Some(PathKind::Folder) => Ok(visit.files.real(&path)),
        _ => Err(refusal(format!("its own folder {path} does not exist"), None)),
    }
}

impl Folders {
    pub fn new(visit: &Visit<'_>, home: String, cwd: String, markers: &[String]) -> Self {
        let has = |folder: &str, name: &str| visit.files.exists(&below(folder, name));
        let is_root = |folder: &str| markers.iter().any(|name| has(folder, name));
        let is_settings_root = |folder: &str| {
            markers.iter().any(|name| if name == ".git" { is_repository(visit, folder) } else { has(folder, name) })
        };
        let (chain, settings_chain) = (chain(&cwd, is_root), chain(&cwd, is_settings_root));
        let repository = repository(visit, &cwd);
        let are_trusted = visit.request.trust >= FolderTrust::Trusted;
        Self { home, cwd, chain, settings_chain, repository, are_trusted }
    }

    pub fn root(&self) -> &str {
        self.chain.first().unwrap_or(&self.cwd)
    }

    pub fn settings_root(&self) -> &str {
        self.settings_chain.first().unwrap_or(&self.cwd)
    }

    /// The `.codex` folders of the project, from the root down; the agent's own folder is none of them.
    pub fn dot_folders(&self) -> Vec<(&str, String)> {
        let dot = |folder: &String| below(folder, DOT_FOLDER);
        let all = self.settings_chain.iter().map(|folder| (folder.as_str(), dot(folder)));
        all.filter(|(_, dot)| *dot != self.home).collect()
    }
}

/// The folders from the nearest one that `is_root` down to `cwd`; `cwd` alone if there is none.
fn chain(cwd: &str, is_root: impl Fn(&str) -> bool) -> Vec<String> {
    let root = ancestors(cwd).find(|folder| is_root(folder)).unwrap_or(cwd);
    let above = parent(root);
    let mut folders: Vec<String> =
        ancestors(cwd).take_while(|folder| Some(*folder) != above).map(str::to_string).collect();
    folders.reverse();
    folders
}

/// Whether git would see a repository: `.git` is a file, or a folder with a `HEAD`.
fn is_repository(visit: &Visit<'_>, folder: &str) -> bool {
    let git = below(folder, ".git");
    match visit.kind(&git) {
        Some(PathKind::Folder) => visit.files.exists(&below(&git, "HEAD")),
        Some(PathKind::File) => true,
        None => false,
    }
}

fn repository(visit: &Visit<'_>, cwd: &str) -> Option<Repository> {
    let folder = ancestors(cwd).find(|folder| is_repository(visit, folder))?;
    let git = below(folder, ".git");
    let folder = match visit.kind(&git)? {
        PathKind::Folder => folder.to_string(),
        PathKind::File => main_folder(visit, folder, &git)?,
    };
    Some(Repository { folder })
}

/// The main folder of the worktree in `folder`, if its `.git` file and the main folder name each other.
fn main_folder(visit: &Visit<'_>, folder: &str, git: &str) -> Option<String> {
    let named = git::named_folder(folder, visit)?;
    let (main, _) = named.rsplit_once("/.git/worktrees/")?;
    let is_linked = visit.files.exists(&below(&named, "commondir"));
    let back = joined(&named, &git::line(&below(&named, "gitdir"), visit)?);
    (is_linked && visit.files.real(&back) == visit.files.real(git)).then(|| main.to_string())
}

/// [`joined`], with `~/` as the user's home.
pub(super) fn joined_or_home(visit: &Visit<'_>, folder: &str, path: &str) -> String {
    match path.strip_prefix("~/") {
        Some(rest) => joined(&visit.request.home, rest),
        None => joined(folder, path),
    }
}
