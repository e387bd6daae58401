//! The folders that decide what the agent reads: its own folder, the root above the working folder, the repository.

use super::refusal;
use crate::agents::agent::FolderTrust;
use crate::agents::files::{ancestors, below, joined, parent};
use crate::agents::git;
use crate::agents::visit::Visit;
use crate::diagnostic::Diagnostic;
use crate::prompt::Declared;
use crate::read::store::PathKind;
use crate::read::yaml::YamlNode;
use crate::text::Span;

/// A folder with the agent's settings, rules and skills.
pub(super) const DOT_FOLDER: &str = ".codex";

pub(super) struct Folders {
    /// The agent's own folder.
    pub home: String,
    pub cwd: String,
    /// From the root for instruction files down to the working folder.
    pub chain: Vec<String>,
    /// Whether a marker made the first of them the root.
    pub has_marker: bool,
    /// From the root for settings down to the working folder.
    pub settings_chain: Vec<String>,
    /// The main folder of the repository of the working folder.
    pub repository: Option<String>,
    /// Whether the user trusts them, whatever the settings say.
    pub are_trusted: bool,
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
        let has_marker = markers.is_empty() || chain.first().is_some_and(|root| is_root(root));
        let repository = repository(visit, &cwd);
        let are_trusted = visit.request.trust >= FolderTrust::Trusted;
        Self { home, cwd, chain, has_marker, settings_chain, repository, are_trusted }
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

fn repository(visit: &Visit<'_>, cwd: &str) -> Option<String> {
    let folder = ancestors(cwd).find(|folder| is_repository(visit, folder))?;
    let git = below(folder, ".git");
    match visit.kind(&git)? {
        PathKind::Folder => Some(folder.to_string()),
        PathKind::File => main_folder(visit, folder, &git),
    }
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

/// What the settings say about a folder.
#[derive(Debug, Clone)]
pub(super) struct TrustLevel {
    pub is_trusted: bool,
    pub span: Option<Span>,
}

impl TrustLevel {
    /// The setting, if there is one.
    pub fn declared(&self) -> Option<Declared> {
        self.span.clone().map(|span| Declared { by: "trust_level".to_string(), span: Some(span) })
    }
}

/// The level of the first of these folders that has one.
pub(super) fn level<'a>(settings: &YamlNode, folders: impl IntoIterator<Item = &'a str>) -> Option<TrustLevel> {
    let projects = settings.get("projects")?;
    folders.into_iter().find_map(|folder| {
        let level = projects.get(folder)?.get("trust_level")?;
        Some(TrustLevel { is_trusted: level.as_str() == Some("trusted"), span: level.span.clone() })
    })
}

impl Folders {
    /// The level that decides about the instruction files and the commands of the project.
    pub fn project_level(&self, settings: &YamlNode) -> Option<TrustLevel> {
        level(settings, [self.cwd.as_str()].into_iter().chain(self.repository.as_deref()))
    }

    /// Whether the settings and rules of a folder are read.
    pub fn trust(&self, folder: &str, settings: &YamlNode) -> TrustLevel {
        let folders = [folder, self.settings_root()].into_iter().chain(self.repository.as_deref());
        let said = level(settings, folders).filter(|_| !self.are_trusted);
        said.unwrap_or(TrustLevel { is_trusted: self.are_trusted, span: None })
    }
}
