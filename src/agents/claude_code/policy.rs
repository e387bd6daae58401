//! What decides about all instruction files: the settings, the switches, and what the user approved.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::arguments::Sources;
use super::excludes::Excludes;
use super::folders::DecidingFolders;
use super::settings::{OwnedSettings, Owner, PERSON};
use super::{INSTRUCTIONS_OF_ADDED, NAME, NO_INSTRUCTIONS};
use crate::agents::agent::FolderTrust;
use crate::agents::files::{ancestors, below, read};
use crate::agents::names::InstructionNames;
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::FileReason;

pub(super) const FILE: &str = "CLAUDE.md";
pub(super) const LOCAL_FILE: &str = "CLAUDE.local.md";
pub(super) const AGENTS_FILE: &str = "AGENTS.md";
const DOT_FILE: &str = ".claude/CLAUDE.md";
const DOT_AGENTS_FILE: &str = ".claude/AGENTS.md";

const AGENTS_KEY: &str = "pluginConfigs.agents-md@builtin.options.projectInstructions";
const APPROVAL: &str = "hasClaudeMdExternalIncludesApproved";

/// Whose instructions a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Project,
    Local,
}

/// When `AGENTS.md` is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AgentsFiles {
    /// If no `CLAUDE.md` of a folder on the way gives a text.
    Fallback,
    Both,
    /// With the reason.
    Never(FileReason),
}

pub(super) struct InstructionPolicy<'a> {
    pub folders: &'a DecidingFolders,
    pub excludes: Excludes,
    /// Whether files of the project may import files outside of the working folder.
    pub is_approved: bool,
    pub agents_files: AgentsFiles,
    /// Whether the instructions of further folders count.
    pub adds_instructions: bool,
    /// Whether a switch leaves out every instruction file.
    pub is_off: bool,
    /// Whether a setting leaves out every instruction file but the memory.
    is_memory_only: bool,
}

impl Kind {
    pub fn label(self) -> &'static str {
        match self {
            Self::User => "user's private global instructions for all projects",
            Self::Project => "project instructions, checked into the codebase",
            Self::Local => "user's private project instructions, not checked in",
        }
    }

    /// The owner that output shows.
    pub fn tier(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

impl<'a> InstructionPolicy<'a> {
    pub fn new(visit: &mut Visit<'_>, folders: &'a DecidingFolders, settings: &OwnedSettings) -> Self {
        let is_on = |name| matches!(visit.variable(name), Some("1" | "true"));
        let is_bare = folders.arguments.is_bare;
        let (is_off, adds_instructions) = (is_bare || is_on(NO_INSTRUCTIONS), is_on(INSTRUCTIONS_OF_ADDED) && !is_bare);
        let chosen = settings.get(&PERSON, AGENTS_KEY);
        let reads_agents_files = visit.since("2.1.289");
        let is_memory_only = reads_agents_files && chosen.is_some_and(|node| node.as_str() == Some("none"));
        let agents_files = match chosen.map(|node| node.as_str()) {
            _ if !reads_agents_files => AgentsFiles::Never(FileReason::NotRead),
            None | Some(Some("agents-fallback")) => AgentsFiles::Fallback,
            Some(Some("both")) => AgentsFiles::Both,
            Some(value) => {
                if !matches!(value, Some("claude" | "none")) {
                    let does = "reads no AGENTS.md, because this value of `projectInstructions` is unknown".to_string();
                    let help = "write `agents-fallback`, `both`, `claude` or `none`";
                    let at = chosen.and_then(|node| node.span.clone());
                    visit.report_near(Problem::AgentPitfall { agent: NAME, does, help }, at);
                }
                AgentsFiles::Never(FileReason::Excluded)
            }
        };
        for ignored in settings.all(&[Owner::Project, Owner::Local], AGENTS_KEY) {
            let problem = Problem::AgentSettingIgnored { agent: NAME, key: "projectInstructions" };
            visit.report_near(problem, ignored.span.clone());
        }
        let (excludes, is_approved) = (Excludes::new(visit, settings), is_approved(visit, folders));
        Self { folders, excludes, is_approved, agents_files, adds_instructions, is_off, is_memory_only }
    }

    /// The names that count in a folder.
    pub fn names(&self) -> InstructionNames {
        const OWN: [&str; 3] = [FILE, DOT_FILE, LOCAL_FILE];
        const AGENTS: [&str; 2] = [AGENTS_FILE, DOT_AGENTS_FILE];
        let is_off = self.excluded(Kind::Project).is_some();
        let names = match self.agents_files {
            _ if is_off => InstructionNames::default(),
            AgentsFiles::Fallback => InstructionNames::with_imports(&[&OWN, &AGENTS]),
            AgentsFiles::Both => InstructionNames::with_imports(&[&[OWN.as_slice(), &AGENTS].concat()]),
            AgentsFiles::Never(_) => InstructionNames::with_imports(&[&OWN]),
        };
        InstructionNames { frame_ends: &["</system-reminder>"], ..names }
    }

    /// Why no file of a kind counts.
    pub fn excluded(&self, kind: Kind) -> Option<FileReason> {
        let Sources { user, project, local } = self.folders.arguments.sources;
        let counts = match kind {
            Kind::User => user,
            Kind::Project => project,
            Kind::Local => local,
        };
        (!counts || self.is_off_for_folders()).then_some(FileReason::Excluded)
    }

    /// Why no file of a kind in a further folder counts. Those of the project do even without their source.
    pub fn excluded_of_added(&self, kind: Kind) -> Option<FileReason> {
        match kind {
            _ if !self.adds_instructions => Some(FileReason::NotRead),
            Kind::Project => self.is_off_for_folders().then_some(FileReason::Excluded),
            kind => self.excluded(kind),
        }
    }

    fn is_off_for_folders(&self) -> bool {
        self.is_off || self.is_memory_only
    }

    /// Whether the project's files of a folder belong to the main repository around a worktree.
    pub fn is_of_main(&self, folder: &str) -> bool {
        let DecidingFolders { root: Some(root), main: Some(main), .. } = self.folders else { return false };
        let is_within = |inner: &str, outer: &str| inner != outer && ancestors(inner).any(|above| above == outer);
        is_within(root, main) && is_within(root, folder) && (folder == main || is_within(folder, main))
    }

    /// Whether a real path is in the working folder.
    pub fn is_inside(&self, real: &str) -> bool {
        is_below(real, &self.folders.cwd)
    }
}

pub(super) fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/') || folder == "/")
}

#[derive(Deserialize)]
struct State {
    projects: Map<String, Value>,
}

/// Whether the user approved imports from outside.
fn is_approved(visit: &mut Visit<'_>, folders: &DecidingFolders) -> bool {
    if visit.request.trust == FolderTrust::Approved {
        return true;
    }
    let folder = if folders.is_config_named { &folders.config } else { &folders.home };
    let state = read(visit.files, &below(folder, ".claude.json")).ok();
    let Some(State { projects }) = state.and_then(|bytes| serde_json::from_slice(&bytes).ok()) else { return false };
    let approves = |folder: &str| projects.get(folder).and_then(|it| it.get(APPROVAL)) == Some(&Value::Bool(true));
    let (project, cwd) = (folders.project(), folders.cwd.as_str());
    if approves(cwd) && !approves(project) {
        let does = format!("ignores the approval of imports for {cwd}: only one for {project} counts");
        visit.report(Problem::AgentTrustPitfall { agent: NAME, does, help: "approve them in the agent" });
    }
    approves(project)
}
