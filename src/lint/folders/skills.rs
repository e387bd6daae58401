use std::collections::{BTreeMap, HashMap, HashSet};

use super::Around;
use super::walk::{owner, root};
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::sf::{self, Budget, Files, Found, Skill, Why};

/// What is known of the skills of a project.
#[derive(Default)]
pub(super) struct Skills {
    /// The skill files by their paths from the root.
    pub files: BTreeMap<String, SkillFile>,
    /// What is wrong in no file.
    pub diagnostics: Vec<Diagnostic>,
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
    /// Reads the skills of some folders, each once, and compares those that meet in the prompts of one folder. One after
    /// the other, since there may be too much in all of them together.
    pub fn read(roots: &[String], around: &Around, files: &dyn Files) -> Self {
        let roots = Roots::of(roots, around, files);
        let mut budget = Budget::default();
        let discover = |path: &&String| match budget.is_over() {
            true => Found::default(),
            false => sf::discover_within(&[root(around.whole(path))], files, &mut budget),
        };
        let found: Vec<Found> = roots.apart.iter().map(discover).collect();
        let mut skills = Self::default();
        let collisions = collisions(&roots, &found, around, files);
        for found in found {
            let listed = found.skills.into_iter().map(|it| (it.path, Some(it.name)));
            // What an ignore file passes over is no skill of the project.
            let unlisted = found.left_out.into_iter().filter(|it| !matches!(it.why, Why::Ignored { .. }));
            for (path, name) in listed.chain(unlisted.map(|it| (it.path, it.name))) {
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
        use Problem::{NameNotUtf8, SkillsTooMany, SkillsUnreadable};
        if let SkillsTooMany { .. } | SkillsUnreadable { .. } | NameNotUtf8 = diagnostic.problem {
            diagnostic.at = Some(Location::File { tier: "".into(), path, revision: None, position: None });
            self.diagnostics.push(diagnostic);
            return;
        }
        if let Problem::SkillCollision { winner, .. } = &mut diagnostic.problem {
            *winner = inside(winner, around);
        }
        self.files.entry(path).or_default().wrong.push(diagnostic);
    }
}

/// Folders of skills, of which links may make one of many.
struct Roots<'r> {
    /// One for each that there is: that which is no link, or else the first.
    apart: Vec<&'r String>,
    /// Each by its whole path: the folder whose agents it is for, and which of those it is.
    known: HashMap<String, (&'r str, usize)>,
}

impl<'r> Roots<'r> {
    fn of(roots: &'r [String], around: &Around, files: &dyn Files) -> Self {
        let top = files.real(&around.root);
        let ordered = |path: &'r String| {
            let real = files.real(&around.whole(path));
            (real != sf::below(&top, path), path, real)
        };
        let mut ordered: Vec<(bool, &String, String)> = roots.iter().map(ordered).collect();
        ordered.sort_unstable();
        let (mut apart, mut known, mut by_real) = (Vec::new(), HashMap::new(), HashMap::new());
        for (_, path, real) in ordered {
            let index = *by_real.entry(real).or_insert_with(|| {
                apart.push(path);
                apart.len() - 1
            });
            known.insert(around.whole(path), (owner(path), index));
        }
        Self { apart, known }
    }
}

/// The path from the root, by which people know the file.
fn inside(path: &str, around: &Around) -> String {
    around.inside(path).unwrap_or(path).to_string()
}

/// What is left out where an agent works in a folder that has skills of its own: of two skills of one name that of the
/// nearer folder is the first. Each loser is told once.
fn collisions(roots: &Roots<'_>, found: &[Found], around: &Around, files: &dyn Files) -> Vec<Diagnostic> {
    let by_name: Vec<HashMap<&str, &Skill>> =
        found.iter().map(|found| found.skills.iter().map(|skill| (skill.name.text(), skill)).collect()).collect();
    let mut owners: Vec<&str> = roots.known.values().map(|(owner, _)| *owner).collect();
    owners.sort_unstable();
    owners.dedup();
    let mut lost: HashSet<&str> = HashSet::new();
    let mut told = Vec::new();
    // Folders share what is above them, which is asked once.
    let mut tops: HashMap<String, bool> = HashMap::new();
    let mut is_top = |above: &str| match tops.get(above) {
        Some(is_top) => *is_top,
        None => *tops.entry(above.to_string()).or_insert(sf::is_top(above, files)),
    };
    for folder in owners {
        let Around { agent_dir, home, folder: name, .. } = around;
        let order = sf::roots_up_to(&around.whole(folder), agent_dir, home, name, &[], &mut is_top);
        let order: Vec<(&str, usize)> =
            order.iter().filter_map(|root| roots.known.get(&root.folder).copied()).collect();
        // Roots that belong to folders above are compared with each other there.
        let own = order.iter().take_while(|(owner, _)| *owner == folder).count();
        for (rank, (_, winners)) in order[..own].iter().enumerate() {
            for (owner, losers) in &order[rank + 1..] {
                let below = (*owner != folder).then_some(folder);
                for winner in &found[*winners].skills {
                    let Some(&loser) = by_name[*losers].get(winner.name.text()) else { continue };
                    let is_same = || files.real(&winner.path) == files.real(&loser.path);
                    if !lost.contains(loser.path.as_str()) && !is_same() {
                        lost.insert(&loser.path);
                        told.push(collision(winner, loser, below));
                    }
                }
            }
        }
    }
    told
}

fn collision(winner: &Skill, loser: &Skill, below: Option<&str>) -> Diagnostic {
    let (name, winner) = (loser.name.text().to_string(), winner.path.clone());
    let problem = Problem::SkillCollision { name, winner, below: below.map(str::to_string) };
    Diagnostic::at(problem, loser.name.span().unwrap_or_else(|| loser.source.span(0..0)))
}
