use std::collections::HashSet;

use crate::agents::files::{ancestors, below, normalized};
use crate::read::store::Store;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Absolute.
    pub folder: String,
    /// Its owner: `cwd`, `ancestor`, `agent`, `home` or `extension`.
    pub tier: &'static str,
    /// Whether a user named it, so its absence is reported.
    pub is_requested: bool,
}

/// The search path. `folder` is the name of a project's settings folder (`.sf`); `extra` are roots named by the user,
/// relative to the working folder or `~`, searched last; `is_top` tests for the top folder of a repository.
pub fn roots_up_to(
    cwd: &str,
    agent_dir: &str,
    home: &str,
    folder: &str,
    extra: &[String],
    mut is_top: impl FnMut(&str) -> bool,
) -> Vec<Root> {
    let of_home = agents(home);
    let root = |folder: String, tier| Root { folder, tier, is_requested: false };
    let mut roots = vec![root(below(&below(cwd, folder), "skills"), "cwd")];
    for above in ancestors(cwd) {
        let tier = if above == cwd { "cwd" } else { "ancestor" };
        let agents = agents(above);
        if agents != of_home {
            roots.push(root(agents, tier));
        }
        if is_top(above) {
            break;
        }
    }
    roots.push(root(below(agent_dir, "skills"), "agent"));
    roots.push(root(of_home, "home"));
    roots.extend(extra.iter().map(|path| Root {
        folder: resolved(path, cwd, home),
        tier: "extension",
        is_requested: true,
    }));
    let mut known = HashSet::new();
    roots.retain(|root| known.insert(root.folder.clone()));
    roots
}

fn agents(folder: &str) -> String {
    below(&below(folder, ".agents"), "skills")
}

/// Whether a repository starts here: its `.git` is a folder, or a file in a linked work tree.
pub fn is_top(folder: &str, files: &dyn Store) -> bool {
    files.kind(&below(folder, ".git")).is_ok()
}

/// A path as a user names it: `~` is the home folder, and relative paths start in the working folder.
fn resolved(path: &str, cwd: &str, home: &str) -> String {
    let path = path.trim();
    let path = match path.strip_prefix('~') {
        Some(rest) => format!("{home}/{rest}"),
        None if path.starts_with('/') => path.to_string(),
        None => below(cwd, path),
    };
    normalized(&path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::testing::tree;
    use crate::read::store::MemoryStore;

    fn found(tree: &MemoryStore, cwd: &str, extra: &[&str]) -> Vec<String> {
        let extra: Vec<String> = extra.iter().map(|path| path.to_string()).collect();
        let roots = roots_up_to(cwd, "/home/.sf/agent", "/home", ".sf", &extra, |above| is_top(above, tree));
        roots.into_iter().map(|root| format!("{} {}", root.tier, root.folder)).collect()
    }

    #[test]
    fn roots_are_in_order_and_end_at_the_repository() {
        let tree = tree(&[("/code/app/.git", "gitdir: elsewhere")]);
        assert_eq!(
            found(&tree, "/code/app/src/deep", &[]),
            [
                "cwd /code/app/src/deep/.sf/skills",
                "cwd /code/app/src/deep/.agents/skills",
                "ancestor /code/app/src/.agents/skills",
                "ancestor /code/app/.agents/skills",
                "agent /home/.sf/agent/skills",
                "home /home/.agents/skills",
            ]
        );
    }

    #[test]
    fn without_a_repository_roots_end_at_the_file_system_root() {
        assert_eq!(
            found(&tree(&[]), "/home/app", &["more", "~/x/../y", "/abs/./z/", " ~ ", "/abs/z"]),
            [
                "cwd /home/app/.sf/skills",
                "cwd /home/app/.agents/skills",
                "ancestor /.agents/skills",
                "agent /home/.sf/agent/skills",
                "home /home/.agents/skills",
                "extension /home/app/more",
                "extension /home/y",
                "extension /abs/z",
                "extension /home",
            ]
        );
    }
}
