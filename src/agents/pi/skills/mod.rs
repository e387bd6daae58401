//! The skills of `pi`: where they are found, which of them count, and what becomes of the others.

mod entries;
mod sources;

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::Places;
use super::arguments::Arguments;
use super::settings::Settings;
use super::{Tools, decoding};
use crate::agents::files::{below, location};
use crate::agents::skills::{ReadRules, Skill, UnusedReason, read};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{Declared, FileReason, Slot};

use sources::{Candidate, Rank, Search};

const SLOT: Slot = Slot::SystemSkills;

/// The skills that count, in their order, including hidden ones. All other files get their states.
pub(super) fn find(visit: &mut Visit<'_>, places: &Places, arguments: &Arguments, settings: &Settings) -> Vec<Skill> {
    let mut search = Search { visit, places, candidates: IndexMap::new(), ignored: Vec::new() };
    search.all(settings);
    let mut candidates: Vec<Candidate> = std::mem::take(&mut search.candidates).into_values().collect();
    // Before, packages came first.
    if search.visit.since("0.73.1") {
        candidates.sort_by_key(|candidate| candidate.rank);
    }
    let mut choice = Choice::default();
    choice.automatic(search.visit, candidates, arguments.no_skills, settings);
    for typed in &arguments.skills {
        let path = places.resolved(typed.trim(), &places.cwd);
        let walked =
            if path.ends_with(".md") || !search.visit.files.is_file(&path) { search.named(&path) } else { None };
        if walked.is_none() {
            let reason = "it is neither a folder nor an .md file".to_string();
            search.visit.report_at(Problem::SkillUnreadable { reason }, location(&path, "argument", None));
        }
        search.take(walked, Rank::Argument, "argument", |_| None);
        for candidate in std::mem::take(&mut search.candidates).into_values() {
            choice.meet(search.visit, &candidate);
        }
    }
    left_out(&mut search, settings.is_trusted);
    choice.skills
}

/// Records the files that no source gives.
fn left_out(search: &mut Search<'_, '_>, is_trusted: bool) {
    for (path, folder) in std::mem::take(&mut search.ignored) {
        search.visit.left_out_by(SLOT, &path, FileReason::Excluded, format!("an ignore file in {folder}"));
    }
    let outside = search.agents_roots().into_iter().filter(|(_, is_outside)| *is_outside).map(|(root, _)| root);
    let mut roots: Vec<(String, FileReason)> = outside.map(|root| (root, FileReason::Outside)).collect();
    if !is_trusted {
        roots.extend(search.project_roots().into_iter().map(|(root, _)| (root, FileReason::Untrusted)));
    }
    for (root, why) in roots {
        let is_own = !root.ends_with("/.agents/skills");
        for file in search.walk(&root, is_own).map(|walked| walked.found).unwrap_or_default() {
            search.visit.left_out(SLOT, &file.path, why, None);
        }
    }
}

/// The choice among files by their real paths and names.
#[derive(Default)]
struct Choice {
    skills: Vec<Skill>,
    /// The real paths of files that are not read again.
    met: HashSet<String>,
    named: HashMap<String, usize>,
}

impl Choice {
    /// The files that need no argument. A file is met once, even if its first path does not count.
    fn automatic(&mut self, visit: &mut Visit<'_>, candidates: Vec<Candidate>, are_off: bool, settings: &Settings) {
        let meets_once = visit.since("0.73.1");
        let mut met: HashSet<String> = HashSet::new();
        for candidate in candidates {
            if meets_once && met.contains(&candidate.real) {
                visit.left_out(SLOT, &candidate.path, FileReason::Duplicate, None);
                continue;
            }
            met.insert(candidate.real.clone());
            let file = if candidate.rank <= Rank::ProjectFound { &settings.project } else { &settings.global };
            let flag = are_off.then(|| Declared { by: "--no-skills".to_string(), span: None });
            match flag.or_else(|| Some(file.entry(candidate.left_out_by.clone()?))) {
                Some(by) => visit.left_out(SLOT, &candidate.path, FileReason::Excluded, Some(by)),
                None => self.meet(visit, &candidate),
            }
        }
    }

    fn meet(&mut self, visit: &mut Visit<'_>, candidate: &Candidate) {
        let Candidate { path, real, tier, .. } = candidate;
        if self.met.contains(real) {
            visit.left_out(SLOT, path, FileReason::Duplicate, None);
            return;
        }
        let rules = ReadRules {
            decoding: decoding(visit),
            names_are_text: !visit.since("0.84.0"),
            names_match_folders: !visit.since("0.84.0"),
        };
        let mut diagnostics = Vec::new();
        let skill = read(path, candidate.rank as usize, tier, rules, visit.files, &mut diagnostics);
        let is_declared = path.ends_with("/SKILL.md");
        match skill {
            Ok(skill) => {
                visit.diagnostics.append(&mut diagnostics);
                self.choose(visit, skill, real);
            }
            Err(_) if is_declared => {
                visit.diagnostics.append(&mut diagnostics);
                visit.left_out(SLOT, path, FileReason::Invalid, None);
            }
            // A loose file without anything about a skill is not one.
            Err(unused) => {
                let is_unreadable = matches!(&unused.why, UnusedReason::Unreadable(Problem::SkillUnreadable { .. }));
                let is_invalid = is_unreadable && unused.source.is_none();
                let why = if is_invalid { FileReason::Invalid } else { FileReason::NotRead };
                visit.left_out(SLOT, path, why, None);
            }
        }
    }

    fn choose(&mut self, visit: &mut Visit<'_>, skill: Skill, real: &str) {
        let name = skill.name.text().to_string();
        if let Some(winner) = self.named.get(&name).map(|&winner| &self.skills[winner]) {
            let by = Declared { by: winner.path.clone(), span: Some(winner.source.span(0..0)) };
            let winner = winner.path.clone();
            let problem = Problem::SkillCollision { what: "skill", name, winner, below: None };
            visit.report_at(problem, skill.source.span(0..0));
            visit.left_out(SLOT, &skill.path, FileReason::Shadowed, Some(by));
            return;
        }
        if let Some(span) = &skill.hidden_by {
            let by = Declared { by: "disable-model-invocation".to_string(), span: Some(span.clone()) };
            visit.left_out(SLOT, &skill.path, FileReason::Hidden, Some(by));
        }
        self.named.insert(name, self.skills.len());
        self.met.insert(real.to_string());
        self.skills.push(skill);
    }
}

/// Without a tool that reads files, no skill is listed.
pub(super) fn without_reader(visit: &mut Visit<'_>, tools: &Tools, skills: &[Skill]) {
    if tools.reader.is_some() {
        return;
    }
    let shown: Vec<_> = skills.iter().filter(|skill| skill.hidden_by.is_none()).collect();
    for skill in &shown {
        visit.left_out_by(SLOT, &skill.path, FileReason::Excluded, "no tool that reads files is active");
    }
    if let Some(first) = shown.first() {
        visit.report_at(Problem::SkillsWithoutReader { skills: shown.len() }, first.source.span(0..0));
    }
}

/// The folder of a project's skills.
pub(super) fn folder(project: &str) -> String {
    below(project, "skills")
}
