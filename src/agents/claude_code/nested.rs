//! The instruction files of folders below the working folder, which join when the agent reads a file there.

use std::collections::VecDeque;

use super::folders::DOT_FOLDER;
use super::instructions::{AGENTS_FILE, FILE, Instructions, LOCAL_FILE, agents_files};
use super::lists::Joins;
use super::policy::{AgentsFiles, Kind, Policy, is_below};
use super::rules::{self, Rules};
use super::texts::Reader;
use crate::agents::files::below;
use crate::agents::visit::Visit;
use crate::prompt::FileReason;
use crate::read::store::PathKind;

/// How many folders are looked at, nearest first.
const MOST_FOLDERS: usize = 2_000;

/// Gives the files of all folders below the working folder their states. A home is not searched.
pub(super) fn mark(visit: &mut Visit<'_>, policy: &Policy<'_>, instructions: &Instructions, joins: &mut Joins<'_>) {
    let (cwd, home) = (&policy.folders.cwd, &policy.folders.home);
    if home == cwd || is_below(home, cwd) {
        return;
    }
    let mut with_skills = Vec::new();
    let mut reader = Reader::new(visit, policy);
    let mut waiting = VecDeque::from([cwd.clone()]);
    for _ in 0..MOST_FOLDERS {
        let Some(folder) = waiting.pop_front() else { break };
        let mut is_marked = folder == *cwd;
        for entry in visit.files.list(&folder).unwrap_or_default() {
            let is_own = matches!(entry.name.as_str(), FILE | LOCAL_FILE | AGENTS_FILE | DOT_FOLDER);
            if is_own && !std::mem::replace(&mut is_marked, true) {
                reader.nested(&folder);
                reader.nested_agents_files(&folder, instructions.agents_files);
                with_skills.push(folder.clone());
            }
            if entry.is_folder && entry.is_named && !matches!(entry.name.as_str(), DOT_FOLDER | ".git") {
                waiting.push_back(below(&folder, &entry.name));
            }
        }
    }
    let mut found = reader.found;
    found.record_on_demand(visit);
    for folder in with_skills {
        joins.mark(visit, &folder);
    }
}

impl Reader<'_, '_> {
    /// Reads the files of a folder below the working folder, but no `AGENTS.md`.
    pub fn nested(&mut self, folder: &str) {
        self.forget();
        let [project, local] = [Kind::Project, Kind::Local].map(|kind| self.policy.excluded(kind));
        let dot = below(folder, DOT_FOLDER);
        self.file(&below(folder, FILE), Kind::Project, project);
        self.file(&below(&dot, FILE), Kind::Project, project);
        self.file(&below(folder, LOCAL_FILE), Kind::Local, local);
        self.rules(&Rules { folder: below(&dot, rules::FOLDER), kind: Kind::Project, base: folder, skip: project });
    }

    /// Reads the `AGENTS.md` files of such a folder, if they are read here.
    pub fn nested_agents_files(&mut self, folder: &str, are_read: Result<(), FileReason>) {
        let is_fallback = self.policy.agents_files == AgentsFiles::Fallback;
        let others = [below(folder, FILE), below(&below(folder, DOT_FOLDER), FILE), below(folder, LOCAL_FILE)];
        let has_other = || others.iter().any(|path| self.visit.kind(path) == Some(PathKind::File));
        let skip = are_read.err().or_else(|| (is_fallback && has_other()).then_some(FileReason::Shadowed));
        self.forget();
        for path in agents_files(folder) {
            self.file(&path, Kind::Project, skip);
        }
    }
}
