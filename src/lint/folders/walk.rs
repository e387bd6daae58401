use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

use rayon::prelude::*;

use crate::agents::{self, Agent};
use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::project::{FileKind, LintFile, Project};
use crate::lint::scope::ignored::{Ignored, repository};
use crate::read::limits;
use crate::read::store::{Disk, PathKind, ReadError, Store, StoreEntry};
use crate::system;

use super::readers::split_instructions;
use super::{AgentFile, AgentFolder, folder_of, up_from};

/// Skipped, because their files belong to git or to other projects.
const SKIPPED: [&str; 2] = [".git", "node_modules"];

/// The folder that coding agents share.
pub(super) const SHARED: &str = ".agents";

const SKILLS: &str = "skills";

#[derive(Default)]
pub(super) struct FolderWalk {
    /// Paths of all files from the root, unordered, if they are asked for.
    pub all: Vec<String>,
    /// Paths from the root.
    pub skills: Vec<String>,
    /// Unreadable folders, from the root.
    pub refused: Vec<(String, Problem)>,
    /// Whether the name or folder of some file says that an agent may read it.
    is_for_agents: bool,
    keeps_all: bool,
}

impl FolderWalk {
    /// Walks all folders that are not ignored, until `is_enough` holds. Links to folders are not followed,
    /// because they may form a loop.
    pub fn of(
        around: &AgentFolder,
        keeps_all: bool,
        files: &dyn Store,
        mut ignored: Option<Ignored>,
        is_enough: impl Fn(&Self) -> bool,
    ) -> Result<Self, Diagnostic> {
        let mut walked = Self { keeps_all, ..Self::default() };
        let mut left = limits::LISTED;
        let mut level = vec![String::new()];
        while !level.is_empty() && !is_enough(&walked) {
            let list = |folder: String| (files.list(&around.whole(&folder)), folder);
            let listed: Vec<(Result<Vec<StoreEntry>, ReadError>, String)> = level.into_par_iter().map(list).collect();
            level = Vec::new();
            for (listed, folder) in listed {
                let entries = listed.unwrap_or_else(|error| {
                    let shown = if folder.is_empty() { "." } else { folder.as_str() };
                    let refused = |reason| (shown.to_string(), Problem::Unreadable { reason });
                    walked.refused.extend(error.denial().map(refused));
                    Vec::new()
                });
                if entries.len() > left {
                    let reason = format!("the folder holds more than {} files and folders", limits::LISTED);
                    return Err(Diagnostic::new(Problem::Unreadable { reason }));
                }
                left -= entries.len();
                for entry in entries {
                    let path = if folder.is_empty() { entry.name.clone() } else { format!("{folder}/{}", entry.name) };
                    level.extend(walked.meet(path, &entry, around, files, ignored.as_mut()));
                }
            }
        }
        Ok(walked)
    }

    /// Records an entry; returns a folder to enter.
    fn meet(
        &mut self,
        path: String,
        entry: &StoreEntry,
        around: &AgentFolder,
        files: &dyn Store,
        ignored: Option<&mut Ignored>,
    ) -> Option<String> {
        if entry.followed(files, || around.whole(&path))? == PathKind::File {
            self.is_for_agents = self.is_for_agents || is_named_so(&path, &around.folder);
            self.all.extend(self.keeps_all.then_some(path));
            return None;
        }
        let is_of_skills = is_of_skills(&path, &around.folder);
        let is_skipped = SKIPPED.contains(&entry.name.as_str()) || entry.is_link && !is_of_skills;
        if is_skipped || ignored.is_some_and(|ignored| ignored.ignores_folder(&path)) {
            return None;
        }
        // A folder whose name is not UTF-8 has no path, so its content is unknown.
        if !entry.is_named {
            self.refused.push((path, Problem::NameNotUtf8));
            return None;
        }
        if is_of_skills {
            self.skills.push(path);
            return None;
        }
        Some(path)
    }

    /// The files for agents, and the named ones in ignored folders.
    pub fn files(
        &self,
        named: &[&str],
        around: &AgentFolder,
        names: &[&str],
        files: &dyn Store,
    ) -> HashMap<String, AgentFile> {
        let kind = |path: &str| Some((path.to_string(), kind_of(path, around, names)?));
        let named = named.iter().filter_map(|path| kind(path)).filter(|(path, _)| files.is_file(&around.whole(path)));
        self.all.iter().filter_map(|path| kind(path)).chain(named).collect()
    }
}

/// The role of a file, judging by its path; skills are found by folder.
fn kind_of(path: &str, around: &AgentFolder, names: &[&str]) -> Option<AgentFile> {
    let folder = folder_of(path).rsplit('/').next().unwrap_or_default();
    let is_own = folder == around.folder;
    match path.rsplit('/').next()? {
        "SYSTEM.md" if is_own => Some(AgentFile::Base),
        "APPEND_SYSTEM.md" if is_own => Some(AgentFile::Append),
        _ => split_instructions(path, names).map(|_| AgentFile::Context),
    }
}

fn is_of_skills(path: &str, own: &str) -> bool {
    let mut parts = path.rsplit('/');
    parts.next() == Some(SKILLS) && parts.next().is_some_and(|folder| folder == own || folder == SHARED)
}

/// Whether an agent may read a path because of its name: `AGENTS.md`, `CLAUDE.local.md`, settings, or anything in
/// `.agents`, `own` or a folder of an agent.
pub fn is_named_so(path: &str, own: &str) -> bool {
    let is_instructions = |name: &str| ["AGENTS.", "CLAUDE."].iter().any(|start| name.starts_with(start));
    let mut parts = path.split('/').rev().peekable();
    let name = parts.peek().copied().unwrap_or_default();
    name.ends_with(".md") && is_instructions(name) || parts.any(|part| is_of_agents(part, own))
}

fn is_of_agents(folder: &str, own: &str) -> bool {
    folder == own || Agent::all().any(|agent| agent.settings.contains(&folder))
}

/// The folder that a file for agents is for: the one that holds the innermost folder of an agent, else its own.
pub fn file_owner<'p>(file: &'p Path, own: &str) -> Option<&'p Path> {
    let is_theirs =
        |folder: &&Path| folder.file_name().and_then(OsStr::to_str).is_some_and(|name| is_of_agents(name, own));
    let folder = file.parent()?;
    folder.ancestors().find(is_theirs).map_or(Some(folder), Path::parent)
}

/// Whether a folder contains files for agents at any depth, or its repository has settings for them above it.
pub fn holds_any(around: &AgentFolder, disk: &Disk) -> bool {
    let root = system::path(&around.root);
    let top = repository(&root, disk).unwrap_or(&root);
    let above = root.ancestors().take_while(|above| above.starts_with(top));
    let mut places = above.flat_map(|above| Agent::all().flat_map(|agent| agent.settings).map(|name| above.join(name)));
    let holds_one = |walked: &FolderWalk| walked.is_for_agents || !walked.skills.is_empty();
    places.any(|place| disk.exists(&place))
        || FolderWalk::of(around, false, &disk.whole(), Some(Ignored::of(&root, disk)), holds_one)
            .is_ok_and(|walked| holds_one(&walked))
}

/// The folder that owns a folder of skills: the root for `.sf/skills`.
pub(super) fn owner(skills: &str) -> &str {
    folder_of(folder_of(skills))
}

pub(super) fn root(folder: String) -> agents::Root {
    agents::Root { folder, tier: "cwd", is_requested: false }
}

/// The files whose findings a change may alter: an instruction file is compared with those below
/// it, a skill with others of the same name, and the settings affect every file.
pub fn affected(project: &Project<'_>, is_changed: &[bool]) -> Vec<bool> {
    let changed = || project.files.iter().zip(is_changed).filter(|(_, is)| **is).map(|(file, _)| file);
    if changed().any(|file| file.kind == FileKind::Configuration) {
        return vec![true; project.files.len()];
    }
    let of_kind = |kind| move |file: &&LintFile| file.kind == FileKind::Agents(kind);
    let names: HashSet<&str> = changed().filter(of_kind(AgentFile::Skill)).map(|file| file.id.as_str()).collect();
    let above: HashSet<&str> =
        changed().filter(of_kind(AgentFile::Context)).map(|file| folder_of(&file.path)).collect();
    let is_below = |path: &str| up_from(folder_of(path)).any(|folder| above.contains(folder));
    let is_affected = |file: &LintFile| match file.kind {
        FileKind::Agents(AgentFile::Context) => is_below(&file.path),
        FileKind::Agents(AgentFile::Skill) => names.contains(file.id.as_str()),
        _ => false,
    };
    project.files.iter().map(is_affected).collect()
}
