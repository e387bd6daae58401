//! The folders that are searched for skills.

use crate::agents::codex::folders::Folders;
use crate::agents::files::below;
use crate::agents::visit::Visit;
use crate::read::store::PathKind;

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
pub(super) fn find(visit: &Visit<'_>, folders: &Folders, has_own: bool) -> Vec<Root> {
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
