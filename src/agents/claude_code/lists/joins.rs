//! The skills that join when the agent reads a file below the working folder.

use std::collections::HashMap;

use super::places::{SLOT, Search};
use super::skill::SkillEntry;
use super::skills::Skills;
use crate::agents::ecmascript::sort_by_name;
use crate::agents::files::below;
use crate::agents::visit::Visit;
use crate::prompt::FileState;
use crate::text::Traced;

/// What a session has listed so far.
pub(in crate::agents::claude_code) struct Joins<'a> {
    search: Search<'a>,
    skills: Skills,
    /// The skills of folders that were met, in the order in which they joined.
    nested: Vec<NestedSkill>,
    /// How many of them have a name.
    names: HashMap<String, usize>,
    /// Of each folder that holds `.claude`, those that have not joined.
    folders: HashMap<String, Vec<SkillEntry>>,
}

struct NestedSkill {
    skill: SkillEntry,
    /// The folder that holds `.claude`, relative to the working folder.
    folder: String,
    /// Whether it is listed by a name that it shares with no other one.
    is_alone: bool,
}

impl<'a> Joins<'a> {
    pub(super) fn new(search: Search<'a>, skills: Skills) -> Self {
        Self { search, skills, nested: Vec::new(), names: HashMap::new(), folders: HashMap::new() }
    }

    /// Reads the skills of all folders below the working folder that count, and gives them their states.
    pub fn read(&mut self, visit: &mut Visit<'_>, folders: impl Iterator<Item = String>) {
        for folder in folders {
            let skills = self.of_folder(visit, &folder);
            self.folders.insert(folder, skills);
        }
        visit.diagnostics.extend(self.search.errors());
    }

    /// The skills of a folder, except hidden ones.
    fn of_folder(&mut self, visit: &mut Visit<'_>, folder: &str) -> Vec<SkillEntry> {
        let place = self.search.nested(folder);
        let files = self.search.files(visit, &place);
        let mut skills = Vec::new();
        for file in files {
            let skill = SkillEntry::read(visit, &mut self.search, &place, file);
            if let Some(skill) = skill.filter(|skill| !skill.is_hidden) {
                visit.state(SLOT, &skill.path, FileState::OnDemand, None, None);
                skills.push(skill);
            }
        }
        skills
    }

    /// What joins with a file, by its path relative to the working folder.
    pub fn join(&mut self, visit: &mut Visit<'_>, file: &str) -> Option<Traced> {
        let known = self.nested.len();
        let mut new: Vec<(String, Vec<SkillEntry>)> = Vec::new();
        let mut folder = file.rsplit_once('/').map(|(folder, _)| folder);
        while let Some(relative) = folder {
            let skills = self.folders.remove(&below(self.search.cwd(), relative)).unwrap_or_default();
            if !skills.is_empty() {
                new.push((relative.to_string(), skills));
            }
            folder = relative.rsplit_once('/').map(|(folder, _)| folder);
        }
        for skill in new.iter().flat_map(|(_, skills)| skills) {
            if !self.is_known(visit, skill) {
                *self.names.entry(skill.name.clone()).or_default() += 1;
            }
        }
        let mut parts: Vec<Traced> = Vec::new();
        for (folder, skills) in new {
            let mut part = visit.own("new_skills");
            part.push_protocol(&format!("{folder}/.claude/skills")).push(&visit.own("new_skills_end"));
            for skill in skills {
                part.push_protocol("\n- ");
                let is_alone = self.names.get(&skill.name).is_none_or(|count| *count < 2);
                if self.is_known(visit, &skill) {
                    part.push(&skill.named(&skill.name));
                    continue;
                }
                let nested = NestedSkill { skill, folder: folder.clone(), is_alone };
                part.push(&nested.name(&self.skills));
                self.nested.push(nested);
            }
            parts.push(part);
        }
        let lines = self.lines(visit, known, file);
        if !lines.is_empty() {
            let mut part = visit.own("skills");
            part.push(&Traced::join(&lines, "\n"));
            parts.push(part);
        }
        (!parts.is_empty()).then(|| Traced::join(&parts, "\n\n"))
    }

    /// Whether a skill is one of the first request.
    fn is_known(&self, visit: &Visit<'_>, skill: &SkillEntry) -> bool {
        self.skills.has_met(&visit.real(&skill.path))
    }

    /// The new lines, sorted by name: for the nested skills from `known` on, for earlier ones that now share their name,
    /// and for skills whose patterns match the file.
    fn lines(&mut self, visit: &Visit<'_>, known: usize, file: &str) -> Vec<Traced> {
        let mut lines: Vec<(String, Traced)> = Vec::new();
        for (index, nested) in self.nested.iter_mut().enumerate() {
            let is_shared = self.names.get(&nested.skill.name).is_some_and(|count| *count > 1);
            let is_renamed = is_shared && std::mem::replace(&mut nested.is_alone, false);
            if index >= known || is_renamed {
                lines.push((nested.name(&self.skills).text().to_string(), nested.line(visit, &self.skills)));
            }
        }
        for skill in self.skills.take_matching(file) {
            let mut line = Traced::protocol("- ");
            line.push(&skill.title()).push_protocol(": ").push(&skill.description);
            lines.push((skill.name, line));
        }
        sort_by_name(&mut lines, |(name, _)| name);
        lines.into_iter().map(|(_, line)| line).collect()
    }
}

impl NestedSkill {
    /// With its folder, if another skill has the same name.
    fn name(&self, skills: &Skills) -> Traced {
        match self.is_alone && !skills.has(&self.skill.name) {
            true => self.skill.named(&self.skill.name),
            false => self.skill.named(&format!("{}:{}", self.folder, self.skill.name)),
        }
    }

    fn line(&self, visit: &Visit<'_>, skills: &Skills) -> Traced {
        let Self { skill, folder, is_alone } = self;
        let is_taken = skills.has(&skill.name);
        let mut line = Traced::protocol("- ");
        line.push(&if *is_alone && !is_taken { skill.title() } else { self.name(skills) });
        line.push_protocol(": ").push(&skill.description);
        if is_taken {
            line.push(&skill.scope(visit, folder));
            return line;
        }
        line.push_protocol(" (from ").push(&skill.named(folder)).push_protocol("/.claude/skills");
        line.push(&visit.own("skill_scope")).push(&skill.named(&format!("{folder}/"))).push_protocol(")");
        line
    }
}
