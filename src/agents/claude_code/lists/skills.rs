//! Which skills and commands are listed.

use std::collections::{HashMap, HashSet};

use super::budget::{self, LineSize};
use super::description::utf16;
use super::pieces::Piece;
use super::places::{Found, Owner, Place, SLOT, Search};
use super::skill::{Read, Skill, SkillKind};
use crate::agents::claude_code::patterns::Patterns;
use crate::agents::claude_code::{NAME, SKILL_BUDGET};
use crate::agents::collation::sort_by_name;
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Declared, FileReason, FileState, LayerKind};
use crate::text::Traced;

/// The skills and commands of the first request, and those that may join.
#[derive(Default)]
pub(in crate::agents::claude_code) struct Skills {
    listed: Vec<Skill>,
    /// Skills of further folders whose names others have.
    scoped: Vec<Skill>,
    pub(super) waiting: Vec<(Skill, Patterns)>,
    /// The names of what is listed, and the index there.
    names: HashMap<String, usize>,
    /// The names of hidden skills.
    hidden: HashSet<String>,
    /// The real paths of skills.
    met: HashSet<String>,
}

/// Chooses the skills; files that are not listed get their states.
pub(super) fn find(visit: &mut Visit<'_>, search: &mut Search<'_>) -> Skills {
    let mut skills = Skills::default();
    for place in search.places(visit, "skills") {
        let mut files = search.skills(visit, &place);
        sort_by_name(&mut files, |file| &file.name);
        for file in files {
            if !skills.met.insert(visit.files.real(&file.path)) {
                visit.left_out(SLOT, &file.path, FileReason::Duplicate, None);
                continue;
            }
            skills.meet(visit, &place, file, SkillKind::Skill);
        }
    }
    let mut commands: Vec<(Place, Found)> = Vec::new();
    for place in search.places(visit, "commands") {
        let files = search.files(visit, &place, true).into_iter();
        commands.extend(files.map(|file| (place.clone(), Found { name: file.name.replace('/', ":"), ..file })));
    }
    sort_by_name(&mut commands, |(_, file)| &file.name);
    for (place, file) in commands {
        skills.meet(visit, &place, file, SkillKind::Command);
    }
    skills.settle(visit);
    skills
}

impl Skills {
    fn meet(&mut self, visit: &mut Visit<'_>, place: &Place, file: Found, kind: SkillKind) {
        let (path, name) = (file.path.clone(), file.name.clone());
        let skill = match Skill::read(visit, place, file, kind) {
            None => return,
            Some(Read::Hidden) => {
                visit.left_out(SLOT, &path, FileReason::Hidden, None);
                if kind == SkillKind::Skill {
                    self.hidden.insert(name);
                }
                return;
            }
            Some(Read::Waiting(skill, patterns)) => return self.waiting.push((skill, patterns)),
            Some(Read::Listed(skill)) => skill,
        };
        let is_added = kind == SkillKind::Skill && matches!(skill.owner, Owner::Added(_));
        match self.names.get(&name) {
            _ if is_added && self.has(&name) => self.scoped.push(skill),
            Some(&winner) => shadow(visit, &skill, &self.listed[winner]),
            None => {
                self.names.insert(name, self.listed.len());
                self.listed.push(skill);
            }
        }
    }

    /// Whether a listed skill or command, or a hidden skill, has a name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name) || self.hidden.contains(name)
    }

    /// Whether a skill is one of the first request, by its real path.
    pub(super) fn has_met(&self, real: &str) -> bool {
        self.met.contains(real)
    }

    /// Of the skills that wait, those stay whose names are free, and of one name the last.
    fn settle(&mut self, visit: &mut Visit<'_>) {
        let mut last: HashMap<String, (Skill, Patterns)> = HashMap::new();
        let mut order = Vec::new();
        for (skill, patterns) in std::mem::take(&mut self.waiting) {
            if let Some(&winner) = self.names.get(&skill.name) {
                shadow(visit, &skill, &self.listed[winner]);
                continue;
            }
            let name = skill.name.clone();
            match last.insert(name.clone(), (skill, patterns)) {
                Some((earlier, _)) => shadow(visit, &earlier, &last[&name].0),
                None => order.push(name),
            }
        }
        self.waiting = order.iter().filter_map(|name| last.remove(name)).collect();
        for (skill, _) in &self.waiting {
            visit.state(SLOT, &skill.path, FileState::OnDemand, None, None);
        }
    }

    /// The lines, and those that stand among the agent's own ones.
    pub(super) fn lines(&self, visit: &mut Visit<'_>) -> (Vec<Piece>, Vec<Piece>) {
        let mut lines: Vec<Line<'_>> = self.listed.iter().map(Line::of).collect();
        lines.extend(self.scoped.iter().map(|skill| Line::scoped(visit, skill)));
        let sizes: Vec<LineSize> = lines.iter().map(Line::size).collect();
        let limit = budget::limit(visit.variable(SKILL_BUDGET));
        let fits = budget::fit(&sizes, limit);
        let dropped = fits.iter().filter(|fits| !**fits).count();
        if dropped > 0 {
            let problem = Problem::AgentDescriptionsOverBudget { agent: NAME, dropped, budget: limit };
            visit.diagnostics.push(Diagnostic::new(problem));
        }
        let mut pieces: Vec<Piece> = lines.iter().zip(fits).map(|(line, fits)| line.piece(fits)).collect();
        let scoped = pieces.split_off(self.listed.len());
        (pieces, scoped)
    }
}

fn shadow(visit: &mut Visit<'_>, skill: &Skill, winner: &Skill) {
    let by = Declared { by: winner.path.clone(), span: Some(winner.place.clone()) };
    let problem = Problem::SkillCollision { name: skill.name.clone(), winner: winner.path.clone(), below: None };
    visit.diagnostics.push(Diagnostic::at(problem, &skill.place));
    visit.left_out(SLOT, &skill.path, FileReason::Shadowed, Some(by));
}

/// A line of the list.
struct Line<'a> {
    skill: &'a Skill,
    name: Traced,
    /// What stands behind `- NAME` if it fits.
    rest: Traced,
}

impl<'a> Line<'a> {
    fn of(skill: &'a Skill) -> Self {
        let name = skill.named(&skill.name);
        let title = skill.title();
        let mut rest = title.slice(name.len()..title.len());
        rest.push_protocol(": ").push(&skill.description);
        Self { skill, name, rest }
    }

    fn scoped(visit: &Visit<'_>, skill: &'a Skill) -> Self {
        let Owner::Added(folder) = &skill.owner else { return Self::of(skill) };
        let mut rest = Traced::protocol(": ");
        rest.push(&skill.description).push(&skill.scope(visit, folder));
        Self { skill, name: skill.named(&format!("{folder}:{}", skill.name)), rest }
    }

    fn size(&self) -> LineSize {
        LineSize { least: "- ".len() + utf16(self.name.text()), more: utf16(self.rest.text()) }
    }

    fn piece(&self, fits: bool) -> Piece {
        let mut text = Traced::protocol("- ");
        text.push(&self.name);
        if fits {
            text.push(&self.rest);
        }
        text.push_protocol("\n");
        let state = Some((FileState::Listed, (!fits).then_some(FileReason::Budget)));
        let (path, name) = (self.skill.path.clone(), self.name.text().to_string());
        Piece { path, kind: LayerKind::Skill, name, text, state }
    }
}
