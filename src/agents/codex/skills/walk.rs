//! Where skills are: the roots that are searched, and the skill files below each.

use std::collections::{HashSet, VecDeque};

use super::FILE;
use crate::agents::codex::folders::Folders;
use crate::agents::files::below;
use crate::agents::visit::Visit;
use crate::prompt::FileReason;
use crate::read::limits;
use crate::read::store::PathKind;

/// The depth of the deepest folder whose skill counts; the root has 0.
const DEEPEST: usize = 6;

pub(super) struct FoundFile {
    pub path: String,
    pub real: String,
    pub left_out: Option<FileReason>,
}

struct Folder {
    path: String,
    real: String,
    depth: usize,
}

/// The skill files below the real path of a root.
pub(super) fn walk(visit: &Visit<'_>, root: &str) -> Vec<FoundFile> {
    let mut found = Vec::new();
    let mut entered = HashSet::from([root.to_string()]);
    let mut left = limits::SKILL_NAMES;
    let mut waiting = VecDeque::from([Folder { path: root.to_string(), real: root.to_string(), depth: 0 }]);
    while let Some(folder) = waiting.pop_front() {
        let entries = visit.files.list(&folder.path).unwrap_or_default();
        if entries.len() > left {
            break;
        }
        left -= entries.len();
        for entry in entries.into_iter().filter(|entry| entry.is_named && !entry.name.starts_with('.')) {
            let path = below(&folder.path, &entry.name);
            let kind = entry.followed(visit.files, || path.clone());
            let real = if entry.is_link { visit.files.real(&path) } else { below(&folder.real, &entry.name) };
            let left_out = match kind {
                _ if entry.name == FILE => left_out(kind, entry.is_link, folder.depth),
                Some(PathKind::Folder) if entered.insert(real.clone()) => {
                    waiting.push_back(Folder { path, real, depth: folder.depth + 1 });
                    continue;
                }
                Some(PathKind::Folder) => {
                    // A second way to a folder.
                    let (path, real) = (below(&path, FILE), below(&real, FILE));
                    if visit.files.is_file(&path) && !visit.files.is_link(&path) {
                        found.push(FoundFile { path, real, left_out: Some(FileReason::Duplicate) });
                    }
                    continue;
                }
                _ if entry.name.eq_ignore_ascii_case(FILE) => Some(FileReason::NotRead),
                _ => continue,
            };
            found.push(FoundFile { path, real, left_out });
        }
    }
    found
}

fn left_out(kind: Option<PathKind>, is_link: bool, depth: usize) -> Option<FileReason> {
    match kind {
        Some(PathKind::Folder) => Some(FileReason::Invalid),
        _ if is_link => Some(FileReason::NotRead),
        _ if depth > DEEPEST => Some(FileReason::TooDeep),
        _ => None,
    }
}

pub(in crate::agents::codex) const AGENTS_SKILLS: &str = ".agents/skills";
/// The package's own skills, below the user's.
pub(super) const OWN: &str = "skills/.system";
const SKILLS: &str = "skills";

/// In the order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scope {
    Own,
    Repository,
    User,
}

pub(super) struct Root {
    /// The real path.
    pub folder: String,
    pub scope: Scope,
}

/// The roots in their order, each once. The package writes its own one at each start.
pub(super) fn roots(visit: &Visit<'_>, folders: &Folders, has_own: bool) -> Vec<Root> {
    let dots = folders.dot_folders().into_iter().rev().map(|(_, dot)| (below(&dot, SKILLS), Scope::Repository));
    let user = [below(&folders.home, SKILLS), below(&visit.request.home, AGENTS_SKILLS)];
    let own = has_own.then(|| (below(&folders.home, OWN), Scope::Own));
    let agents = folders.chain.iter().map(|folder| (below(folder, AGENTS_SKILLS), Scope::Repository));
    let all = dots.chain(user.map(|folder| (folder, Scope::User))).chain(own).chain(agents);
    let mut roots: Vec<Root> = Vec::new();
    for (folder, scope) in all {
        let is_there = visit.kind(&folder) == Some(PathKind::Folder);
        let folder = if is_there { visit.files.real(&folder) } else { folder };
        if (is_there || scope == Scope::Own) && !roots.iter().any(|root| root.folder == folder) {
            roots.push(Root { folder, scope });
        }
    }
    roots
}
