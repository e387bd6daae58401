//! The list of skills, as the model sees it.

use super::budget::{Fit, LineSize, all_fit, fit};
use super::roots::{OWN, Root, Scope};
use super::switches::Switches;
use super::{SLOT, Skill};
use crate::agents::codex::folders::Folders;
use crate::agents::codex::{DEFAULT_MODEL, settings::Settings};
use crate::agents::files::below;
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Declared, FileReason, FileState, LayerKind, Role};
use crate::text::Traced;

/// The package's own skills: name, and characters of the description, which are all ASCII.
const OWN_SKILLS: [(&str, usize); 4] =
    [("imagegen", 570), ("openai-docs", 624), ("skill-creator", 106), ("skill-installer", 225)];

const WINDOW: usize = 272_000;
const TERRA_WINDOW: usize = 500_000;
/// Bytes of fixed text about the roots, and the tokens of the list that are free for them.
const ROOTS_BYTES: usize = 310;
const ROOTS_FREE: usize = 113;

/// How a line names its file.
#[derive(Clone, Copy, PartialEq)]
enum Naming {
    /// `r0/a/SKILL.md`
    BelowRoot,
    Absolute,
}

struct Line {
    /// The index of the skill; `None` for one of the package.
    skill: Option<usize>,
    size: LineSize,
    /// What stands behind the description.
    tail: String,
}

struct Listing<'a> {
    roots: &'a [Root],
    skills: &'a [Skill],
    own: Vec<(&'static str, usize)>,
    /// The indexes of roots with a skill, in the order of their numbers.
    numbered: Vec<usize>,
}

/// Writes the list, and the states of the skills.
pub(super) fn write(
    visit: &mut Visit<'_>,
    folders: &Folders,
    settings: &Settings,
    switches: &Switches<'_>,
    roots: &[Root],
    skills: Vec<Skill>,
) {
    if !settings.is_on("skills.include_instructions") {
        for skill in &skills {
            let by = settings.merged.at("skills.include_instructions");
            let by = by.map(|it| Declared { by: "skills.include_instructions".to_string(), span: it.span.clone() });
            visit.left_out(SLOT, &skill.path, FileReason::Excluded, by);
        }
        return;
    }
    let listing = Listing::new(folders, switches, roots, &skills);
    let limit = limit(settings);
    let mut naming = Naming::BelowRoot;
    if !visit.since("0.155.0") && (!visit.since("0.140.0") || listing.fits_absolute(limit)) {
        naming = Naming::Absolute;
    }
    let lines = listing.lines(naming);
    let limit = if naming == Naming::BelowRoot { limit.saturating_sub(listing.roots_cost()) } else { limit };
    let fits = fit(&sizes(&lines), limit);
    listing.warn(visit, &lines, &fits, limit);
    let is_shown = |(line, fit): (&Line, &Fit)| line.skill.is_some() && *fit != Fit::Dropped;
    if !lines.iter().zip(&fits).any(is_shown) {
        if !listing.own.is_empty() || !skills.is_empty() {
            visit.draft.message(Role::Developer);
            visit.own_part(SLOT, "skills");
        }
        return;
    }
    listing.write(visit, settings, &lines, &fits, naming);
}

fn sizes(lines: &[Line]) -> Vec<&LineSize> {
    lines.iter().map(|line| &line.size).collect()
}

fn limit(settings: &Settings) -> usize {
    let window = match settings.text("model") {
        Some("gpt-6.1-terra") => TERRA_WINDOW,
        _ => WINDOW,
    };
    let window = settings.context_window().unwrap_or(window);
    (window.saturating_mul(2) / 100).max(1)
}

impl<'a> Listing<'a> {
    fn new(folders: &Folders, switches: &Switches<'_>, roots: &'a [Root], skills: &'a [Skill]) -> Self {
        let own_root = roots.iter().position(|root| root.scope == Scope::Own);
        let file = |name: &str| below(&folders.home, &format!("{OWN}/{name}/{}", super::FILE));
        let is_on = |(name, _): &(&str, usize)| switches.off(name, &file(name)).is_none();
        let own: Vec<_> = OWN_SKILLS.into_iter().filter(|own| own_root.is_some() && is_on(own)).collect();
        let has_skill = |index: &usize| {
            skills.iter().any(|skill| skill.root == *index) || own_root == Some(*index) && !own.is_empty()
        };
        let numbered = (0..roots.len()).filter(has_skill).collect();
        Self { roots, skills, own, numbered }
    }

    fn lines(&self, naming: Naming) -> Vec<Line> {
        let number = |root: usize| self.numbered.iter().position(|index| *index == root).unwrap_or_default();
        let own_root = self.roots.iter().position(|root| root.scope == Scope::Own).unwrap_or_default();
        let tail = |root: usize, path: &str| match naming {
            Naming::BelowRoot => {
                let relative = path.strip_prefix(self.roots[root].folder.as_str()).unwrap_or(path);
                format!("(file: r{}{relative})", number(root))
            }
            Naming::Absolute => format!("(file: {path})"),
        };
        let line = |skill: Option<usize>, name: &str, description: Vec<usize>, tail: String| {
            let least = "- : ".len() + name.len() + tail.len();
            Line { skill, size: LineSize { least, description }, tail }
        };
        let own = self.own.iter().map(|(name, characters)| {
            let path = below(&self.roots[own_root].folder, &format!("{name}/{}", super::FILE));
            line(None, name, vec![1; *characters], tail(own_root, &path))
        });
        let skills = self.skills.iter().enumerate().map(|(index, skill)| {
            let path = if naming == Naming::Absolute { &skill.real } else { &skill.path };
            let description = skill.description.text().chars().map(char::len_utf8).collect();
            line(Some(index), skill.name.text(), description, tail(skill.root, path))
        });
        own.chain(skills).collect()
    }

    fn fits_absolute(&self, limit: usize) -> bool {
        all_fit(&sizes(&self.lines(Naming::Absolute)), limit)
    }

    fn root_lines(&self) -> impl Iterator<Item = String> {
        self.numbered
            .iter()
            .enumerate()
            .map(|(number, index)| format!("- `r{number}` = `{}`\n", self.roots[*index].folder))
    }

    /// By how much long paths of roots shrink the budget.
    fn roots_cost(&self) -> usize {
        let bytes: usize = self.root_lines().map(|line| line.len()).sum();
        (ROOTS_BYTES + bytes).div_ceil(4).saturating_sub(ROOTS_FREE)
    }

    fn write(&self, visit: &mut Visit<'_>, settings: &Settings, lines: &[Line], fits: &[Fit], naming: Naming) {
        visit.draft.message(Role::Developer);
        let mut head = Traced::protocol("<skills_instructions>\n## Skills\n");
        head.push(&visit.own("skills_intro")).push_protocol("\n");
        if naming == Naming::BelowRoot {
            head.push_protocol("### Skill roots\n");
            head.push_protocol(&self.root_lines().collect::<String>());
        }
        head.push_protocol("### Available skills");
        visit.draft.between(&head);
        let mut has_own = false;
        for (line, fit) in lines.iter().zip(fits) {
            match (line.skill.map(|index| &self.skills[index]), fit) {
                (None, Fit::Listed(_)) if !has_own => {
                    has_own = true;
                    visit.draft.separate("\n");
                    visit.own_part(SLOT, "system_skills");
                }
                (None, _) => {}
                (Some(skill), Fit::Listed(characters)) => {
                    visit.draft.separate("\n");
                    let text = skill.line(*characters, &line.tail);
                    let layer = visit.draft.part(SLOT, LayerKind::Skill, skill.name.text(), &text);
                    visit.stands(&skill.path, FileState::Listed, layer);
                }
                (Some(_), Fit::Dropped) => {}
            }
        }
        let model = settings.text("model").unwrap_or(DEFAULT_MODEL);
        if model == "gpt-5.5" || !visit.since("0.145.0") && model == DEFAULT_MODEL {
            let mut usage = Traced::protocol("\n### How to use skills\n");
            usage.push(&visit.own("skills_usage"));
            visit.draft.between(&usage);
        }
        visit.draft.separate("\n</skills_instructions>");
    }

    /// Warns of what the budget shortens, and records what it drops.
    fn warn(&self, visit: &mut Visit<'_>, lines: &[Line], fits: &[Fit], budget: usize) {
        let (mut shortened, mut dropped) = (0, 0);
        for (line, fit) in lines.iter().zip(fits) {
            match (line.skill.map(|index| &self.skills[index]), fit) {
                (Some(skill), Fit::Dropped) => {
                    dropped += 1;
                    visit.left_out(SLOT, &skill.path, FileReason::Budget, None);
                }
                (Some(_), Fit::Listed(characters)) if *characters < line.size.description.len() => shortened += 1,
                _ => {}
            }
        }
        if shortened + dropped > 0 {
            let problem = Problem::AgentSkillsOverBudget { agent: "codex", shortened, dropped, budget };
            visit.diagnostics.push(Diagnostic::new(problem));
        }
    }
}

impl Skill {
    /// The line with the first `characters` of the description.
    fn line(&self, characters: usize, tail: &str) -> Traced {
        let mut line = Traced::protocol("- ");
        line.push(&self.name).push_protocol(": ");
        if characters > 0 {
            let text = self.description.text();
            let end = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
            line.push_range(&self.description, 0..end);
            line.push_protocol(" ");
        }
        line.push_protocol(tail);
        line
    }
}
