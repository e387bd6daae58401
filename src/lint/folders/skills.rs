use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;

use super::Around;
use super::walk::{owner, root};
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::sf::{self, Files, Found, Skill};

/// What is known of the skills of a project.
#[derive(Default)]
pub(super) struct Skills {
    /// The skill files by their paths from the root.
    pub files: BTreeMap<String, SkillFile>,
}

/// What is known of a skill file.
#[derive(Default)]
pub(super) struct SkillFile {
    /// Its name; empty where it tells none.
    pub name: String,
    /// What is wrong in it.
    pub wrong: Vec<Diagnostic>,
}

impl Skills {
    /// Reads the skills of some folders, each once, and compares those that meet in the prompts of one folder.
    pub fn read(roots: &[String], around: &Around, files: &dyn Files) -> Self {
        let found: Vec<Found> = roots.par_iter().map(|path| sf::discover(&[root(around.whole(path))], files)).collect();
        let mut skills = Self::default();
        let collisions = collisions(roots, &found, around, files);
        for found in found {
            let listed = found.skills.into_iter().map(|it| (it.path, Some(it.name)));
            for (path, name) in listed.chain(found.left_out.into_iter().map(|it| (it.path, it.name))) {
                let name = name.map_or_else(String::new, |name| name.text().to_string());
                skills.files.entry(inside(&path, around)).or_default().name = name;
            }
            for diagnostic in found.diagnostics {
                skills.add(diagnostic, around);
            }
        }
        for diagnostic in collisions {
            skills.add(diagnostic, around);
        }
        skills
    }

    fn add(&mut self, mut diagnostic: Diagnostic, around: &Around) {
        let path = match &diagnostic.at {
            Some(Location::Span(span)) => span.source().path(),
            Some(Location::File { path, .. }) => path,
            None => return,
        };
        let path = inside(path, around);
        if let Problem::SkillCollision { winner, .. } = &mut diagnostic.problem {
            *winner = inside(winner, around);
        }
        self.files.entry(path).or_default().wrong.push(diagnostic);
    }
}

/// The path from the root, by which people know the file.
fn inside(path: &str, around: &Around) -> String {
    around.inside(path).unwrap_or(path).to_string()
}

/// What is left out where an agent works in a folder that has skills of its own: of two skills of one name that of the
/// nearer folder is the first. Each loser is told once.
fn collisions(roots: &[String], found: &[Found], around: &Around, files: &dyn Files) -> Vec<Diagnostic> {
    let known: HashMap<String, usize> = roots.iter().enumerate().map(|(at, path)| (around.whole(path), at)).collect();
    let by_name: Vec<HashMap<&str, &Skill>> =
        found.iter().map(|found| found.skills.iter().map(|skill| (skill.name.text(), skill)).collect()).collect();
    let mut owners: Vec<&str> = roots.iter().map(|path| owner(path)).collect();
    owners.sort_unstable();
    owners.dedup();
    let mut lost: HashSet<&str> = HashSet::new();
    let mut told = Vec::new();
    for folder in owners {
        let order = sf::roots(&around.whole(folder), &around.agent_dir, &around.home, &around.folder, &[], files);
        let order: Vec<usize> = order.iter().filter_map(|root| known.get(&root.folder).copied()).collect();
        // Roots that belong to folders above are compared with each other there.
        let own = order.iter().take_while(|at| owner(&roots[**at]) == folder).count();
        for (rank, winners) in order[..own].iter().enumerate() {
            for losers in &order[rank + 1..] {
                for winner in &found[*winners].skills {
                    let Some(&loser) = by_name[*losers].get(winner.name.text()) else { continue };
                    let is_same = || files.real(&winner.path) == files.real(&loser.path);
                    if !lost.contains(loser.path.as_str()) && !is_same() {
                        lost.insert(&loser.path);
                        told.push(collision(winner, loser));
                    }
                }
            }
        }
    }
    told
}

fn collision(winner: &Skill, loser: &Skill) -> Diagnostic {
    let problem = Problem::SkillCollision { name: loser.name.text().to_string(), winner: winner.path.clone() };
    Diagnostic::at(problem, loser.name.span().unwrap_or_else(|| loser.source.span(0..0)))
}
