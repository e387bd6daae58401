//! The list of skills, as the model sees it.

use super::walk::{OWN, Root, Scope};
use super::{SLOT, Skill, Switches};
use crate::agents::codex::DEFAULT_MODEL;
use crate::agents::codex::folders::Folders;
use crate::agents::codex::settings::Settings;
use crate::agents::files::below;
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{FileReason, FileState, LayerKind, Role};
use crate::text::Traced;

/// The package's own skills: name, and characters of the description, which are all ASCII.
const OWN_SKILLS: [(&str, usize); 4] =
    [("imagegen", 570), ("openai-docs", 624), ("skill-creator", 106), ("skill-installer", 225)];

const WINDOW: usize = 272_000;
const TERRA_WINDOW: usize = 500_000;
/// Bytes of fixed text about the roots, and the tokens of the list that are free for them.
const ROOTS_BYTES: usize = 310;
const ROOTS_FREE: usize = 113;

/// A line of the list.
struct Line<'a> {
    /// `None` for a skill of the package.
    skill: Option<&'a Skill>,
    /// What stands behind the description.
    tail: String,
    /// What the line costs with no character of its description, with one, and so on.
    costs: Vec<usize>,
    /// How many characters of the description are shown; `None` if the line does not fit.
    shown: Option<usize>,
}

pub(super) struct Listing<'a> {
    roots: &'a [Root],
    skills: &'a [Skill],
    own: Vec<(&'static str, usize)>,
    /// The indexes of roots with a skill, in the order of their numbers.
    numbered: Vec<usize>,
}

fn limit(settings: &Settings) -> usize {
    let window = match settings.text("model") {
        Some("gpt-6.1-terra") => TERRA_WINDOW,
        _ => WINDOW,
    };
    let window = settings.context_window().unwrap_or(window);
    (window.saturating_mul(2) / 100).max(1)
}

/// What all lines cost with their whole descriptions.
fn whole(lines: &[Line<'_>]) -> usize {
    lines.iter().filter_map(|line| line.costs.last()).sum()
}

/// Shortens descriptions evenly until all lines fit; if they do not fit even without, drops lines that do not.
fn fit(lines: &mut [Line<'_>], limit: usize) {
    let is_whole = whole(lines) <= limit;
    let mut left = limit;
    for line in lines.iter_mut() {
        let shown = if is_whole { line.costs.len() - 1 } else { 0 };
        if let Some(rest) = left.checked_sub(line.costs[shown]) {
            (left, line.shown) = (rest, Some(shown));
        }
    }
    let mut is_growing = lines.iter().all(|line| line.shown.is_some());
    while is_growing {
        is_growing = false;
        for line in lines.iter_mut() {
            let shown = line.shown.unwrap_or_default();
            let Some(cost) = line.costs.get(shown + 1) else { continue };
            if let Some(rest) = left.checked_sub(cost - line.costs[shown]) {
                (left, line.shown, is_growing) = (rest, Some(shown + 1), true);
            }
        }
    }
}

/// Warns of what the budget shortens, and records what it drops.
fn warn(visit: &mut Visit<'_>, lines: &[Line<'_>], budget: usize) {
    let (mut shortened, mut dropped) = (0, 0);
    for (line, skill) in lines.iter().filter_map(|line| Some((line, line.skill?))) {
        match line.shown {
            Some(shown) => shortened += usize::from(shown + 1 < line.costs.len()),
            None => {
                dropped += 1;
                visit.left_out(SLOT, &skill.path, FileReason::Budget, None);
            }
        }
    }
    if shortened + dropped > 0 {
        visit.report(Problem::AgentSkillsOverBudget { agent: "codex", shortened, dropped, budget });
    }
}

impl<'a> Line<'a> {
    /// `lengths` are the bytes of the characters of the description.
    fn new(skill: Option<&'a Skill>, name: &str, lengths: impl Iterator<Item = usize>, tail: String) -> Self {
        let least = "- : ".len() + name.len() + tail.len();
        let with_space = lengths.scan(least + 1, |bytes, length| {
            *bytes += length;
            Some(*bytes)
        });
        let costs = [least].into_iter().chain(with_space).map(|bytes| (bytes + 1).div_ceil(4)).collect();
        Self { skill, tail, costs, shown: None }
    }
}

impl<'a> Listing<'a> {
    pub fn new(folders: &Folders, switches: &Switches<'_>, roots: &'a [Root], skills: &'a [Skill]) -> Self {
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

    /// Writes the list, and the states of the skills.
    pub fn write(&self, visit: &mut Visit<'_>, settings: &Settings) {
        if !settings.is_on("skills.include_instructions") {
            for skill in self.skills {
                let by = settings.declared("skills.include_instructions");
                visit.left_out(SLOT, &skill.path, FileReason::Excluded, by);
            }
            return;
        }
        let mut limit = limit(settings);
        let fits_absolute = || whole(&self.lines(true)) <= limit;
        let is_absolute = !visit.since("0.155.0") && (!visit.since("0.140.0") || fits_absolute());
        if !is_absolute {
            limit = limit.saturating_sub(self.roots_cost());
        }
        let mut lines = self.lines(is_absolute);
        fit(&mut lines, limit);
        warn(visit, &lines, limit);
        if lines.iter().any(|line| line.skill.is_some() && line.shown.is_some()) {
            self.write_lines(visit, settings, &lines, is_absolute);
        } else if !lines.is_empty() {
            visit.draft.message(Role::Developer);
            visit.own_part(SLOT, "skills");
        }
    }

    /// A line names its file by the number of its root, or by an absolute path.
    fn lines(&self, is_absolute: bool) -> Vec<Line<'a>> {
        let tail = |root: usize, path: &str| match self.numbered.iter().position(|index| *index == root) {
            Some(number) if !is_absolute => {
                let relative = path.strip_prefix(self.roots[root].folder.as_str()).unwrap_or(path);
                format!("(file: r{number}{relative})")
            }
            _ => format!("(file: {path})"),
        };
        let own_root = self.roots.iter().position(|root| root.scope == Scope::Own).unwrap_or_default();
        let own = self.own.iter().map(|(name, characters)| {
            let path = below(&self.roots[own_root].folder, &format!("{name}/{}", super::FILE));
            Line::new(None, name, std::iter::repeat_n(1, *characters), tail(own_root, &path))
        });
        let skills = self.skills.iter().map(|skill| {
            let path = if is_absolute { &skill.real } else { &skill.path };
            let lengths = skill.description.text().chars().map(char::len_utf8);
            Line::new(Some(skill), skill.name.text(), lengths, tail(skill.root, path))
        });
        own.chain(skills).collect()
    }

    fn root_lines(&self) -> impl Iterator<Item = String> {
        let numbered = self.numbered.iter().enumerate();
        numbered.map(|(number, index)| format!("- `r{number}` = `{}`\n", self.roots[*index].folder))
    }

    /// By how much long paths of roots shrink the budget.
    fn roots_cost(&self) -> usize {
        let bytes: usize = self.root_lines().map(|line| line.len()).sum();
        (ROOTS_BYTES + bytes).div_ceil(4).saturating_sub(ROOTS_FREE)
    }

    fn write_lines(&self, visit: &mut Visit<'_>, settings: &Settings, lines: &[Line<'_>], is_absolute: bool) {
        visit.draft.message(Role::Developer);
        let mut head = Traced::protocol("<skills_instructions>\n## Skills\n");
        head.push(&visit.own("skills_intro")).push_protocol("\n");
        if !is_absolute {
            head.push_protocol("### Skill roots\n");
            head.push_protocol(&self.root_lines().collect::<String>());
        }
        head.push_protocol("### Available skills");
        visit.draft.between(&head);
        // The lines of the package are one text, and come first.
        if lines.iter().any(|line| line.skill.is_none() && line.shown.is_some()) {
            visit.draft.separate("\n");
            visit.own_part(SLOT, "system_skills");
        }
        for line in lines {
            let (Some(skill), Some(shown)) = (line.skill, line.shown) else { continue };
            visit.draft.separate("\n");
            let text = skill.line(shown, &line.tail);
            let layer = visit.draft.part(SLOT, LayerKind::Skill, skill.name.text(), &text);
            visit.stands(&skill.path, FileState::Listed, layer);
        }
        let model = settings.text("model").unwrap_or(DEFAULT_MODEL);
        if model == "gpt-5.5" || !visit.since("0.145.0") && model == DEFAULT_MODEL {
            let mut usage = Traced::protocol("\n### How to use skills\n");
            usage.push(&visit.own("skills_usage"));
            visit.draft.between(&usage);
        }
        visit.draft.separate("\n</skills_instructions>");
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What fits of lines, each with its bytes without a description and the length of its description.
    fn fitting(lines: &[(usize, usize)], limit: usize) -> Vec<Option<usize>> {
        let line = |(least, description): &(usize, usize)| {
            Line::new(None, "", std::iter::repeat_n(1, *description), " ".repeat(least - "- : ".len()))
        };
        let mut lines: Vec<Line<'_>> = lines.iter().map(line).collect();
        fit(&mut lines, limit);
        lines.iter().map(|line| line.shown).collect()
    }

    #[test]
    fn descriptions_shrink_evenly() {
        let lines = [(19, 100), (19, 2)];
        assert_eq!(fitting(&lines, 100), [Some(100), Some(2)]);
        // Each line costs 5 without its description; 4 more pay for 16 bytes in all.
        assert_eq!(fitting(&lines, 14), [Some(11), Some(2)]);
        assert_eq!(fitting(&lines, 10), [Some(0), Some(0)]);
    }

    #[test]
    fn lines_that_do_not_fit_are_dropped() {
        assert_eq!(fitting(&[(19, 1), (39, 1), (4, 1)], 7), [Some(0), None, Some(0)]);
    }
}
