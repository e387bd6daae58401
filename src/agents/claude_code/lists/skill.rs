//! A skill or a command, and its line in a list.

use super::description;
use super::places::{ListFile, ListKind, Place, PlaceOwner, SLOT, Search};
use crate::agents::claude_code::NAME;
use crate::agents::claude_code::front_matter::SplitText;
use crate::agents::claude_code::patterns::Patterns;
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::FileReason;
use crate::text::{Origin, Span, Traced};

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
    pub kind: ListKind,
    /// What it waits for.
    pub patterns: Option<Patterns>,
    /// Whether it is not for the model.
    pub is_hidden: bool,
}

impl SkillEntry {
    /// Reads a file. One that cannot be read, or is not for the model, gets its state.
    pub fn read(visit: &mut Visit<'_>, search: &mut Search<'_>, place: &Place, file: ListFile) -> Option<Self> {
        let text = place.read(visit, &file.path)?;
        let front = SplitText::read(&text);
        let is_hidden = front.scalar("disable-model-invocation").is_some_and(|value| is_true(value.text()));
        if is_hidden {
            visit.left_out(SLOT, &file.path, FileReason::Hidden, None);
        }
        let nothing = if place.kind == ListKind::Commands { "Custom command" } else { "Skill" };
        let is_current = visit.since("2.1.300");
        let own_name =
            front.scalar("name").filter(|name| is_current && name.text() != file.name && is_name(name.text()));
        Some(Self {
            own_name,
            description: description::of(&front, nothing, is_current),
            path: file.path,
            name: file.name,
            owner: place.owner.clone(),
            place: text.slice(0..0),
            kind: place.kind,
            patterns: if is_hidden { None } else { Patterns::read(&front, &mut search.pattern_bytes) },
            is_hidden,
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
            ListKind::Commands => Problem::AgentFact { agent: NAME, does: format!("lists this command as `{title}`") },
            _ => Problem::AgentSkillRenamed { agent: NAME, listed: title.to_string() },
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
