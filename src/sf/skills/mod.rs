//! The skills of a coding agent: which files are skills, what each says of itself, and the list that the agent sees
//! (`sf`, "Skills").

mod check;
mod front_matter;
mod ignore;
mod listing;
mod roots;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::limits;
use crate::text::{Source, Span, Traced};

use super::files::{Files, parent};
use check::{Refused, check};
use front_matter::FrontMatter;
use walk::{Candidate, Walked, walk};

pub use listing::Listing;
pub use roots::{Root, is_top, roots, roots_up_to};
pub use walk::Budget;

/// What the roots hold.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The roots that are there, in the order in which they are searched.
    pub roots: Vec<Root>,
    /// In order of discovery; hidden ones, too.
    pub skills: Vec<Skill>,
    /// Skill files that are no skills for the agent, in order of discovery. A file that was met before is not among them,
    /// nor is one that is passed over on one way and met on another, nor what lies deeper in a folder that is ignored.
    pub left_out: Vec<LeftOut>,
    /// What is wrong, in order of discovery.
    pub diagnostics: Vec<Diagnostic>,
}

/// A skill.
#[derive(Debug, Clone)]
pub struct Skill {
    /// Its name; one that comes from the folder has the beginning of the file as its origin.
    pub name: Traced,
    /// What it is for, as it is written.
    pub description: Traced,
    /// Where it was found, links kept.
    pub path: String,
    /// The index of its root among those that are there.
    pub root: usize,
    /// The tier of its root.
    pub tier: &'static str,
    /// The file.
    pub source: Arc<Source>,
    /// Whether the agent does not see it (`disable-model-invocation: true`).
    pub hidden: bool,
    /// The value that hides it.
    pub hidden_by: Option<Span>,
}

/// A skill file that is no skill for the agent.
#[derive(Debug, Clone)]
pub struct LeftOut {
    /// The name that it has, where that is known.
    pub name: Option<Traced>,
    /// What it is for, likewise.
    pub description: Option<Traced>,
    /// Where it was found, links kept.
    pub path: String,
    /// The index of its root among those that are there.
    pub root: usize,
    /// The tier of its root.
    pub tier: &'static str,
    /// The file; none where it could not be read.
    pub source: Option<Arc<Source>>,
    /// Why.
    pub why: Why,
}

/// Why a skill file is left out.
#[derive(Debug, Clone, PartialEq)]
pub enum Why {
    /// The file, its front matter or a value of that cannot be read: the problem has the reason.
    Unreadable(Problem),
    /// There is no description.
    NoDescription,
    /// A skill that was found before has the name.
    Collision {
        /// The path of that skill.
        winner: String,
    },
    /// An ignore file passes over it, or over the folder that it lies in.
    Ignored {
        /// The folder of the ignore file.
        folder: String,
    },
}

impl LeftOut {
    /// One whose file is not read.
    fn unread(path: String, root: usize, tier: &'static str, why: Why) -> Self {
        Self { name: None, description: None, path, root, tier, source: None, why }
    }
}

/// Reads all skills of the roots.
pub fn discover(roots: &[Root], files: &dyn Files) -> Found {
    discover_within(roots, files, &mut Budget::default())
}

/// Reads all skills of the roots as far as the budget goes, which may serve others, too.
pub fn discover_within(roots: &[Root], files: &dyn Files, budget: &mut Budget) -> Found {
    let mut discovery = Discovery::new(files);
    for root in roots {
        match walk(root, files, budget) {
            Some(Walked { found, ended_at, refused }) => {
                let index = discovery.found.roots.len();
                discovery.found.roots.push(root.clone());
                found.into_iter().for_each(|candidate| discovery.meet(candidate, index, root.tier));
                let refused =
                    refused.into_iter().map(|(path, problem)| Diagnostic::at(problem, file(&path, root.tier, None)));
                discovery.found.diagnostics.extend(refused);
                if let Some(folder) = ended_at {
                    discovery.end(&folder, root.tier);
                    break;
                }
            }
            None if root.is_asked_for => discovery.missing(root),
            None => {}
        }
    }
    discovery.end_search()
}

struct Discovery<'a> {
    files: &'a dyn Files,
    found: Found,
    /// What is left out, with its real path.
    left_out: Vec<(String, LeftOut)>,
    /// The real paths of what need not be read again: it would be the same skill, or none.
    met: HashSet<String>,
    /// The index of the skill of a name.
    named: HashMap<String, usize>,
    /// The names that a file has in vain, by its real path. In another folder it may have another one.
    collided: HashMap<String, HashSet<String>>,
    /// The real paths of what is passed over.
    ignored: HashSet<String>,
}

impl<'a> Discovery<'a> {
    fn new(files: &'a dyn Files) -> Self {
        Self {
            files,
            found: Found::default(),
            left_out: Vec::new(),
            met: HashSet::new(),
            named: HashMap::new(),
            collided: HashMap::new(),
            ignored: HashSet::new(),
        }
    }

    /// All that was found, each file as the way to it that counts makes it.
    fn end_search(mut self) -> Found {
        let is_read = |real: &String| self.met.contains(real) || self.collided.contains_key(real);
        let is_told = |(real, it): &(String, LeftOut)| !(matches!(it.why, Why::Ignored { .. }) && is_read(real));
        self.left_out.retain(is_told);
        self.found.left_out = self.left_out.into_iter().map(|(_, left_out)| left_out).collect();
        self.found
    }

    /// A root that was named, and is none.
    fn missing(&mut self, root: &Root) {
        let problem = Problem::SkillUnreadable { reason: "there is neither a folder nor a file in .md".to_string() };
        self.found.diagnostics.push(Diagnostic::at(problem, file(&root.folder, root.tier, None)));
    }

    /// There is too much in a folder and those before it.
    fn end(&mut self, folder: &str, tier: &'static str) {
        let problem = Problem::SkillsTooMany { most: limits::SKILL_NAMES };
        self.found.diagnostics.push(Diagnostic::at(problem, file(folder, tier, None)));
    }

    fn meet(&mut self, candidate: Candidate, root: usize, tier: &'static str) {
        let Candidate { path, real, ignored_by } = candidate;
        if self.met.contains(&real) {
            return;
        }
        if let Some(folder) = ignored_by {
            // Another way to the same file may not be ignored.
            if self.ignored.insert(real.clone()) {
                self.left_out.push((real, LeftOut::unread(path, root, tier, Why::Ignored { folder })));
            }
            return;
        }
        let told = self.found.diagnostics.len();
        match self.read(path, root, tier) {
            Ok(skill) if self.has_collided(&real, &skill) => self.found.diagnostics.truncate(told),
            Ok(skill) => self.add(skill, real),
            Err(left_out) => {
                self.met.insert(real.clone());
                self.left_out.push((real, *left_out));
            }
        }
    }

    /// Whether the same file was met under the same name, which another has.
    fn has_collided(&self, real: &str, skill: &Skill) -> bool {
        self.collided.get(real).is_some_and(|names| names.contains(skill.name.text()))
    }

    /// Adds a skill, unless another has its name.
    fn add(&mut self, skill: Skill, real: String) {
        if let Some(&winner) = self.named.get(skill.name.text()) {
            let Skill { name, description, path, root, tier, source, .. } = skill;
            let winner = self.found.skills[winner].path.clone();
            self.collided.entry(real.clone()).or_default().insert(name.text().to_string());
            let (name_of, winner_of) = (name.text().to_string(), winner.clone());
            let problem = Problem::SkillCollision { name: name_of, winner: winner_of, below: None };
            self.found.diagnostics.push(Diagnostic::at(problem, name.span().unwrap_or_else(|| source.span(0..0))));
            let why = Why::Collision { winner };
            let (name, description, source) = (Some(name), Some(description), Some(source));
            self.left_out.push((real, LeftOut { name, description, path, root, tier, source, why }));
            return;
        }
        self.named.insert(skill.name.text().to_string(), self.found.skills.len());
        self.met.insert(real);
        self.found.skills.push(skill);
    }

    fn read(&mut self, path: String, root: usize, tier: &'static str) -> Result<Skill, Box<LeftOut>> {
        let bytes = match self.files.read(&path) {
            Ok(bytes) => bytes,
            Err(problem) => {
                let reason = match problem {
                    Problem::Unreadable { reason } => reason,
                    other => Diagnostic::new(other).message(),
                };
                let problem = Problem::SkillUnreadable { reason };
                self.found
                    .diagnostics
                    .push(Diagnostic::at(problem.clone(), file(&path, tier, self.files.revision(&path))));
                return Err(Box::new(LeftOut::unread(path, root, tier, Why::Unreadable(problem))));
            }
        };
        let revision = self.files.revision(&path);
        let source = Source::read_lossy(revision, tier.into(), path.as_str(), &bytes);
        let folder = parent(&path).and_then(|folder| folder.rsplit('/').next()).unwrap_or_default();
        let checked = FrontMatter::read(&source)
            .map_err(Box::from)
            .and_then(|front_matter| check(front_matter, &source, folder, &mut self.found.diagnostics));
        match checked {
            Ok(checked) => {
                let (hidden, hidden_by) = (checked.hidden_by.is_some(), checked.hidden_by);
                Ok(Skill {
                    name: checked.name,
                    description: checked.description,
                    path,
                    root,
                    tier,
                    source,
                    hidden,
                    hidden_by,
                })
            }
            Err(refused) => {
                let Refused { name, diagnostic } = *refused;
                let why = match &diagnostic.problem {
                    Problem::SkillDescriptionMissing => Why::NoDescription,
                    problem => Why::Unreadable(problem.clone()),
                };
                self.found.diagnostics.push(diagnostic);
                Err(Box::new(LeftOut { name, description: None, path, root, tier, source: Some(source), why }))
            }
        }
    }
}

/// The place of a file that was not read.
fn file(path: &str, tier: &'static str, revision: Option<Arc<str>>) -> Location {
    Location::File { tier: tier.into(), path: path.to_string(), revision, position: None }
}
