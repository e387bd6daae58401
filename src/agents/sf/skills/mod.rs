//! The skills of an agent: where they are searched, and which of them count (`sf`, "Skills").

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use crate::agents::decoding::Decoding;
use crate::agents::files::{ancestors, below, location, normalized};
use crate::agents::skills::{FoundSkillFile, LooseFiles, ReadRules, WalkRules, Walked, read, walk};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::limits;
use crate::read::store::{PathKind, Store};
use crate::text::numbers::thousands;

pub use crate::agents::skills::{NameBudget, Skill, UnusedReason, UnusedSkill};

const WALK: WalkRules = WalkRules { ends_at_skill: false, follows_again: false, loose: LooseFiles::Top };

const READ: ReadRules = ReadRules { decoding: Decoding::Whole, names_are_text: true, names_match_folders: true };

#[derive(Debug, Clone, Default)]
pub struct FoundSkills {
    pub roots: Vec<Root>,
    /// In order of discovery, including hidden ones.
    pub skills: Vec<Skill>,
    /// Skill files that the agent cannot use, in order of discovery. Excludes files found before, files ignored on one
    /// path but found on another, and anything deeper in an ignored folder.
    pub left_out: Vec<UnusedSkill>,
    pub diagnostics: Vec<Diagnostic>,
}

pub fn discover(roots: &[Root], files: &dyn Store) -> FoundSkills {
    discover_within(roots, files, &mut NameBudget::default())
}

/// Reads all skills of the roots within a budget, which other searches may share.
pub fn discover_within(roots: &[Root], files: &dyn Store, budget: &mut NameBudget) -> FoundSkills {
    let mut discovery = Discovery::default();
    for root in roots {
        let walked = match files.kind(&root.folder) {
            Ok(PathKind::File) if root.is_requested && root.folder.ends_with(".md") => {
                Some(Walked::file(&root.folder, files))
            }
            _ => walk(&root.folder, WALK, files, budget),
        };
        match walked {
            Some(Walked { found, ended_at, refused }) => {
                let index = discovery.found.roots.len();
                discovery.found.roots.push(root.clone());
                found.into_iter().for_each(|candidate| discovery.meet(candidate, index, root.tier, files));
                refused.into_iter().for_each(|(path, problem)| discovery.report(problem, &path, root.tier));
                if let Some(folder) = ended_at {
                    let problem = Problem::SkillsTooMany { most: thousands(limits::SKILL_NAMES) };
                    discovery.report(problem, &folder, root.tier);
                    break;
                }
            }
            None if root.is_requested => {
                let reason = "it is neither a folder nor an .md file".to_string();
                discovery.report(Problem::SkillUnreadable { reason }, &root.folder, root.tier);
            }
            None => {}
        }
    }
    discovery.end_search()
}

#[derive(Default)]
struct Discovery {
    found: FoundSkills,
    /// The unused skill files with their real paths.
    left_out: Vec<(String, UnusedSkill)>,
    /// The real paths of files that need not be read again, because the result would be the same.
    met: HashSet<String>,
    named: HashMap<String, usize>,
    /// By real path: the names that a file lost to other skills. It may have a different name in another folder.
    collided: HashMap<String, HashSet<String>>,
    ignored: HashSet<String>,
}

impl Discovery {
    /// Removes the ignored files that were found on another path.
    fn end_search(mut self) -> FoundSkills {
        let is_read = |real: &String| self.met.contains(real) || self.collided.contains_key(real);
        let is_listed =
            |(real, it): &(String, UnusedSkill)| !(matches!(it.why, UnusedReason::Ignored { .. }) && is_read(real));
        self.left_out.retain(is_listed);
        self.found.left_out = self.left_out.into_iter().map(|(_, left_out)| left_out).collect();
        self.found
    }

    fn report(&mut self, problem: Problem, path: &str, tier: &'static str) {
        self.found.diagnostics.push(Diagnostic::at(problem, location(path, tier, None)));
    }

    fn meet(&mut self, candidate: FoundSkillFile, root: usize, tier: &'static str, files: &dyn Store) {
        let FoundSkillFile { path, real, ignored_by } = candidate;
        if self.met.contains(&real) {
            return;
        }
        if let Some(folder) = ignored_by {
            // The same file may also be found on a path that is not ignored.
            if self.ignored.insert(real.clone()) {
                self.left_out.push((real, UnusedSkill::unread(path, root, tier, UnusedReason::Ignored { folder })));
            }
            return;
        }
        let before = self.found.diagnostics.len();
        match read(&path, root, tier, READ, files, &mut self.found.diagnostics) {
            Ok(skill) if self.has_collided(&real, &skill) => self.found.diagnostics.truncate(before),
            Ok(skill) => self.add(skill, real),
            Err(left_out) => {
                self.met.insert(real.clone());
                self.left_out.push((real, *left_out));
            }
        }
    }

    /// Whether the file has already lost this name to another skill.
    fn has_collided(&self, real: &str, skill: &Skill) -> bool {
        self.collided.get(real).is_some_and(|names| names.contains(skill.name.text()))
    }

    fn add(&mut self, skill: Skill, real: String) {
        if let Some(&winner) = self.named.get(skill.name.text()) {
            let Skill { name, description, path, root, tier, source, .. } = skill;
            let winner = self.found.skills[winner].path.clone();
            self.collided.entry(real.clone()).or_default().insert(name.text().to_string());
            let (lost, to) = (name.text().to_string(), winner.clone());
            let problem = Problem::SkillCollision { what: "skill", name: lost, winner: to, below: None };
            self.found.diagnostics.push(Diagnostic::at(problem, name.span().unwrap_or_else(|| source.span(0..0))));
            let why = UnusedReason::Collision { winner };
            let (name, description, source) = (Some(name), Some(description), Some(source));
            self.left_out.push((real, UnusedSkill { name, description, path, root, tier, source, why }));
            return;
        }
        self.named.insert(skill.name.text().to_string(), self.found.skills.len());
        self.met.insert(real);
        self.found.skills.push(skill);
    }
}

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
