//! Which skills and commands are listed.

use std::collections::{HashMap, HashSet};

use super::pieces::FilePiece;
use super::places::{ListFile, ListKind, Place, PlaceOwner, SLOT, Search};
use super::skill::SkillEntry;
use crate::agents::claude_code::{NAME, SKILL_BUDGET};
use crate::agents::ecmascript::{self, sort_by_name};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{Declared, FileReason, FileState, LayerKind};
use crate::text::Traced;

/// The skills and commands of the first request, and those that may join.
#[derive(Default)]
pub(super) struct Skills {
    listed: Vec<SkillEntry>,
    /// Skills of further folders whose names others have.
    scoped: Vec<SkillEntry>,
    waiting: Vec<SkillEntry>,
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
    let places = search.places(visit, ListKind::Skills);
    if let Some(folder) = search.borrowed(visit, &places) {
        visit.report(Problem::AgentFolderBorrowed { agent: NAME, folder: folder.to_string() });
    }
    for place in places {
        let mut files = search.files(visit, &place);
        sort_by_name(&mut files, |file| &file.name);
        for file in files {
            if !skills.met.insert(visit.real(&file.path)) {
                visit.left_out(SLOT, &file.path, FileReason::Duplicate, None);
                continue;
            }
            skills.meet(visit, search, &place, file);
        }
    }
    let mut commands: Vec<(Place, ListFile)> = Vec::new();
    for place in search.places(visit, ListKind::Commands) {
        let files = search.files(visit, &place).into_iter();
        commands.extend(files.map(|file| (place.clone(), ListFile { name: file.name.replace('/', ":"), ..file })));
    }
    sort_by_name(&mut commands, |(_, file)| &file.name);
    for (place, file) in commands {
        skills.meet(visit, search, &place, file);
    }
    skills.settle(visit);
    skills
}

impl Skills {
    fn meet(&mut self, visit: &mut Visit<'_>, search: &mut Search<'_>, place: &Place, file: ListFile) {
        let Some(skill) = SkillEntry::read(visit, search, place, file) else { return };
        let (name, is_skill) = (skill.name.clone(), place.kind == ListKind::Skills);
        let is_added = is_skill && matches!(skill.owner, PlaceOwner::Added(_));
        match self.names.get(&name) {
            _ if skill.is_hidden => self.hidden.extend(is_skill.then_some(name)),
            _ if skill.patterns.is_some() => self.waiting.push(skill),
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

    /// Removes the skills that wait for a file, by its path relative to the working folder.
    pub(super) fn take_matching(&mut self, file: &str) -> Vec<SkillEntry> {
        let is_met = |skill: &mut SkillEntry| skill.patterns.as_ref().is_some_and(|patterns| patterns.match_file(file));
        self.waiting.extract_if(.., is_met).collect()
    }

    /// Of the skills that wait, those stay whose names are free, and of one name the last.
    fn settle(&mut self, visit: &mut Visit<'_>) {
        let mut last: HashMap<String, SkillEntry> = HashMap::new();
        let mut order = Vec::new();
        for skill in std::mem::take(&mut self.waiting) {
            if let Some(&winner) = self.names.get(&skill.name) {
                shadow(visit, &skill, &self.listed[winner]);
                continue;
            }
            let name = skill.name.clone();
            match last.insert(name.clone(), skill) {
                Some(earlier) => shadow(visit, &earlier, &last[&name]),
                None => order.push(name),
            }
        }
        self.waiting = order.iter().filter_map(|name| last.remove(name)).collect();
        for skill in &self.waiting {
            visit.report_at(Problem::AgentSkillWaits { agent: NAME }, &skill.place);
            visit.state(SLOT, &skill.path, FileState::OnDemand, None, None);
        }
    }

    /// The lines, and those that stand among the agent's own ones.
    pub(super) fn lines(&self, visit: &mut Visit<'_>) -> (Vec<FilePiece>, Vec<FilePiece>) {
        let mut lines: Vec<SkillLine<'_>> = self.listed.iter().map(SkillLine::of).collect();
        lines.extend(self.scoped.iter().map(|skill| SkillLine::scoped(visit, skill)));
        for line in lines.iter().filter(|line| line.title.text() != line.skill.name) {
            visit.report_at(line.skill.renamed(line.title.text()), &line.skill.place);
        }
        let sizes: Vec<LineSize> = lines.iter().map(SkillLine::size).collect();
        let limit = limit(visit.variable(SKILL_BUDGET));
        let fits = fit(&sizes, limit);
        let dropped = fits.iter().filter(|fits| !**fits).count();
        if dropped > 0 {
            visit.report(Problem::AgentDescriptionsOverBudget { agent: NAME, dropped, budget: limit });
        }
        let mut pieces: Vec<FilePiece> = lines.iter().zip(fits).map(|(line, fits)| line.piece(fits)).collect();
        let scoped = pieces.split_off(self.listed.len());
        (pieces, scoped)
    }
}

fn shadow(visit: &mut Visit<'_>, skill: &SkillEntry, winner: &SkillEntry) {
    let by = Declared { by: winner.path.clone(), span: Some(winner.place.clone()) };
    let what = if skill.kind == ListKind::Commands { "command" } else { "skill" };
    let name = skill.name.clone();
    visit.report_at(Problem::SkillCollision { what, name, winner: winner.path.clone(), below: None }, &skill.place);
    visit.left_out(SLOT, &skill.path, FileReason::Shadowed, Some(by));
}

/// A line of the list.
struct SkillLine<'a> {
    skill: &'a SkillEntry,
    /// It begins with the name, which stands alone if the description does not fit.
    title: Traced,
    name: Traced,
    description: Traced,
}

impl<'a> SkillLine<'a> {
    fn of(skill: &'a SkillEntry) -> Self {
        let name = skill.named(&skill.name);
        Self { skill, title: skill.title(), name, description: skill.description.clone() }
    }

    fn scoped(visit: &Visit<'_>, skill: &'a SkillEntry) -> Self {
        let PlaceOwner::Added(folder) = &skill.owner else { return Self::of(skill) };
        let name = skill.named(&format!("{folder}:{}", skill.name));
        let mut description = skill.description.clone();
        description.push(&skill.scope(visit, folder));
        Self { skill, title: name.clone(), name, description }
    }

    fn text(&self, fits: bool) -> Traced {
        let mut text = Traced::protocol("- ");
        match fits {
            true => text.push(&self.title).push_protocol(": ").push(&self.description),
            false => text.push(&self.name),
        };
        text
    }

    fn size(&self) -> LineSize {
        let [least, whole] = [false, true].map(|fits| ecmascript::length(self.text(fits).text()));
        LineSize { least, more: whole - least }
    }

    fn piece(&self, fits: bool) -> FilePiece {
        let mut text = self.text(fits);
        text.push_protocol("\n");
        let state = Some((FileState::Listed, (!fits).then_some(FileReason::Budget)));
        let (path, name) = (self.skill.path.clone(), self.name.text().to_string());
        FilePiece { path, kind: LayerKind::Skill, name, text, state }
    }
}

// Which lines of the list of skills keep their descriptions.

/// Characters of the agent's own lines.
const OWN: usize = 6_076;
const MOST: usize = 30_000;

/// The length of a line in UTF-16 units.
struct LineSize {
    /// Without its description.
    least: usize,
    /// What the description adds.
    more: usize,
}

/// `typed` replaces the usual limit if it is a number.
fn limit(typed: Option<&str>) -> usize {
    typed.and_then(|typed| typed.trim().parse().ok()).filter(|most| *most > 0).unwrap_or(MOST)
}

/// Whether each line keeps its description: one that does not fit leaves room for later ones.
fn fit(lines: &[LineSize], limit: usize) -> Vec<bool> {
    let least: usize = lines.iter().map(|line| line.least + 1).sum();
    let mut left = limit.saturating_sub(OWN + least);
    let fits = |line: &LineSize| match left.checked_sub(line.more) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    lines.iter().map(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_shorter_lines_may_still_fit() {
        let lines = [3, 5, 1, 2].map(|more| LineSize { least: 9, more });
        let fits = |left: usize| fit(&lines, OWN + 40 + left);
        assert_eq!(fits(11), [true, true, true, true]);
        assert_eq!(fits(10), [true, true, true, false]);
        assert_eq!(fits(7), [true, false, true, true]);
        assert_eq!(fits(0), [false; 4]);
        assert_eq!(fit(&lines, 10), [false; 4]);
    }

    #[test]
    fn a_variable_sets_the_limit() {
        for (typed, expected) in [(None, MOST), (Some("7000"), 7_000), (Some("x"), MOST), (Some("0"), MOST)] {
            assert_eq!(limit(typed), expected);
        }
    }
}
