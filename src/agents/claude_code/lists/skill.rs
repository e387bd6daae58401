//! A skill or a command, and its line in a list.

use super::description;
use super::places::{ListFile, Place, PlaceOwner};
use crate::agents::claude_code::NAME;
use crate::agents::claude_code::allowance::Allowance;
use crate::agents::claude_code::front_matter::SplitText;
use crate::agents::claude_code::patterns::Patterns;
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::text::{Origin, Span, Traced};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SkillKind {
    Skill,
    Command,
}

impl SkillKind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Command => "command",
        }
    }
}

pub(super) struct SkillEntry {
    pub path: String,
    /// From its path.
    pub name: String,
    /// What the file says instead.
    own_name: Option<Traced>,
    pub description: Traced,
    pub owner: PlaceOwner,
    /// The start of the file.
    pub place: Span,
    pub kind: SkillKind,
}

/// What becomes of a skill that can be read.
pub(super) enum ReadSkill {
    Listed(SkillEntry),
    /// It joins with files that match.
    Waiting(SkillEntry, Patterns),
    Hidden,
}

impl SkillEntry {
    pub fn read(
        visit: &mut Visit<'_>,
        pattern_bytes: &mut Allowance,
        place: &Place,
        file: ListFile,
        kind: SkillKind,
    ) -> Option<ReadSkill> {
        let text = place.read(visit, &file.path)?;
        let front = SplitText::read(&text);
        if front.scalar("disable-model-invocation").is_some_and(|value| is_true(value.text())) {
            return Some(ReadSkill::Hidden);
        }
        let nothing = match kind {
            SkillKind::Skill => "Skill",
            SkillKind::Command => "Custom command",
        };
        let is_current = visit.since("2.1.300");
        let own_name =
            front.scalar("name").filter(|name| is_current && name.text() != file.name && is_name(name.text()));
        let skill = Self {
            own_name,
            description: description::of(&front, nothing, is_current),
            path: file.path,
            name: file.name,
            owner: place.owner.clone(),
            place: text.slice(0..0),
            kind,
        };
        Some(match Patterns::read(&front, pattern_bytes) {
            Some(patterns) => ReadSkill::Waiting(skill, patterns),
            None => ReadSkill::Listed(skill),
        })
    }

    /// `NAME (own name)`
    pub fn title(&self) -> Traced {
        let mut title = self.named(&self.name);
        if let Some(name) = &self.own_name {
            title.push_protocol(" (").push(name).push_protocol(")");
        }
        title
    }

    /// What to say about a title that is not the name. A command is named by its path, so its `name` is a matter of
    /// taste.
    pub fn renamed(&self, title: &str) -> Problem {
        match self.kind {
            SkillKind::Skill => Problem::AgentSkillRenamed { agent: NAME, listed: title.to_string() },
            SkillKind::Command => Problem::AgentFact { agent: NAME, does: format!("lists this command as `{title}`") },
        }
    }

    /// A name that follows from the path.
    pub fn named(&self, name: &str) -> Traced {
        Traced::of(name, Origin::Derived(self.place.clone()))
    }

    /// ` (scoped to FOLDER/…)`: how a name that another skill has is written instead.
    pub fn scope(&self, visit: &Visit<'_>, folder: &str) -> Traced {
        let folder = self.named(&format!("{folder}/"));
        let mut scope = Traced::protocol(" (scoped to ");
        scope.push(&folder).push(&visit.own("skill_instead")).push_protocol("\"").push(&self.named(&self.name));
        scope.push_protocol("\"").push(&visit.own("skill_instead_end")).push(&folder).push_protocol(")");
        scope
    }
}

fn is_true(value: &str) -> bool {
    ["true", "yes", "on", "1"].iter().any(|it| value.eq_ignore_ascii_case(it))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.:-".contains(c))
}
