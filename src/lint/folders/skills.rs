use std::collections::{BTreeMap, HashMap, HashSet};

use super::AgentFolder;
use super::walk::{owner, root};
use crate::agents::{self, FoundSkills, NameBudget, Skill, UnusedReason};
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::store::Store;

#[derive(Default)]
pub(super) struct Skills {
    pub files: BTreeMap<String, SkillFile>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Default)]
pub(super) struct SkillFile {
    /// Empty if the file has none.
    pub name: String,
    pub wrong: Vec<Diagnostic>,
}

impl Skills {
    /// Reads each folder of skills once and reports skills that collide in the prompt of any
    /// folder. Sequential, because all skills share one budget.
    pub fn read(roots: &[String], around: &AgentFolder, files: &dyn Store) -> Self {
        let roots = Roots::of(roots, around, files);
        let mut budget = NameBudget::default();
        let discover = |path: &&String| match budget.is_over() {
            true => FoundSkills::default(),
            false => agents::discover_within(&[root(around.whole(path))], files, &mut budget),
        };
        let found: Vec<FoundSkills> = roots.apart.iter().map(discover).collect();
        let mut skills = Self::default();
        let collisions = collisions(&roots, &found, around, files);
        for found in found {
            let listed = found.skills.into_iter().map(|it| (it.path, Some(it.name)));
            // A skill that an ignore file excludes is not part of the project.
            let unlisted = found.left_out.into_iter().filter(|it| !matches!(it.why, UnusedReason::Ignored { .. }));
            for (path, name) in listed.chain(unlisted.map(|it| (it.path, it.name))) {
                let name = name.map_or_else(String::new, |name| name.text().to_string());
                skills.files.entry(inside(&path, around)).or_default().name = name;
            }
            found.diagnostics.into_iter().for_each(|diagnostic| skills.add(diagnostic, around));
        }
        collisions.into_iter().for_each(|diagnostic| skills.add(diagnostic, around));
        skills
    }

    fn add(&mut self, mut diagnostic: Diagnostic, around: &AgentFolder) {
        let Some(at) = &diagnostic.at else { return };
        let path = inside(at.path(), around);
        use Problem::{NameNotUtf8, SkillsTooMany, SkillsUnreadable};
        if let SkillsTooMany { .. } | SkillsUnreadable { .. } | NameNotUtf8 = diagnostic.problem {
            diagnostic.at = Some(Location::file("", path));
            self.diagnostics.push(diagnostic);
            return;
        }
        if let Problem::SkillCollision { winner, .. } = &mut diagnostic.problem {
            *winner = inside(winner, around);
        }
        self.files.entry(path).or_default().wrong.push(diagnostic);
    }
}

/// Folders of skills, several of which may be links to the same folder.
struct Roots<'r> {
    /// One path per real folder, preferably one that is not a link.
    apart: Vec<&'r String>,
    /// By absolute path: the folder that owns it, and its index in `apart`.
    known: HashMap<String, (&'r str, usize)>,
}

impl<'r> Roots<'r> {
    fn of(roots: &'r [String], around: &AgentFolder, files: &dyn Store) -> Self {
        let top = files.real(&around.root);
        let ordered = |path: &'r String| {
            let real = files.real(&around.whole(path));
            (real != agents::below(&top, path), path, real)
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

fn inside(path: &str, around: &AgentFolder) -> String {
    around.inside(path).unwrap_or(path).to_string()
}

/// Skills that agents in some folder do not see because a nearer one has the same name; each is reported once.
fn collisions(roots: &Roots<'_>, found: &[FoundSkills], around: &AgentFolder, files: &dyn Store) -> Vec<Diagnostic> {
    let by_name: Vec<HashMap<&str, &Skill>> =
        found.iter().map(|found| found.skills.iter().map(|skill| (skill.name.text(), skill)).collect()).collect();
    let mut owners: Vec<&str> = roots.known.values().map(|(owner, _)| *owner).collect();
    owners.sort_unstable();
    owners.dedup();
    let mut lost: HashSet<&str> = HashSet::new();
    let mut collisions = Vec::new();
    // Cached, because folders share their parents.
    let mut tops: HashMap<String, bool> = HashMap::new();
    let mut is_top = |above: &str| *tops.entry(above.to_string()).or_insert_with(|| agents::is_top(above, files));
    for folder in owners {
        let AgentFolder { agent_dir, home, folder: name, .. } = around;
        let order = agents::roots_up_to(&around.whole(folder), agent_dir, home, name, &[], &mut is_top);
        let order: Vec<(&str, usize)> =
            order.iter().filter_map(|root| roots.known.get(&root.folder).copied()).collect();
        // The roots of a parent are compared when its turn comes.
        let own = order.iter().take_while(|(owner, _)| *owner == folder).count();
        for (rank, (_, winners)) in order[..own].iter().enumerate() {
            for (owner, losers) in &order[rank + 1..] {
                let below = (*owner != folder).then_some(folder);
                for winner in &found[*winners].skills {
                    let Some(&loser) = by_name[*losers].get(winner.name.text()) else { continue };
                    let is_same = || files.real(&winner.path) == files.real(&loser.path);
                    if !lost.contains(loser.path.as_str()) && !is_same() {
                        lost.insert(&loser.path);
                        collisions.push(collision(winner, loser, below));
                    }
                }
            }
        }
    }
    collisions
}

fn collision(winner: &Skill, loser: &Skill, below: Option<&str>) -> Diagnostic {
    let (name, winner) = (loser.name.text().to_string(), winner.path.clone());
    let problem = Problem::SkillCollision { what: "skill", name, winner, below: below.map(str::to_string) };
    Diagnostic::at(problem, loser.name.span().unwrap_or_else(|| loser.source.span(0..0)))
}
