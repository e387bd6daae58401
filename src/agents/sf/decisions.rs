use std::collections::HashSet;
use std::sync::Arc;

use super::base::{BUILT_IN, Chosen};
use super::reasons;
use super::request::GivenText;
use super::skills::{FoundSkills, Skill, UnusedReason, UnusedSkill};
use super::system::{AVAILABLE_SKILLS, ENVIRONMENT};
use super::tools::{self, Guideline, ToolFile};
use crate::prompt::{Decision, DecisionOutcome, Declared, Layer, LayerKind, Slot};
use crate::text::numbers::count;
use crate::text::{Source, Span};

pub(super) struct Decisions<'a> {
    layers: &'a [Layer],
    pub list: Vec<Decision>,
}

impl<'a> Decisions<'a> {
    pub fn new(layers: &'a [Layer]) -> Self {
        Self { layers, list: Vec::new() }
    }

    /// The base or append file, or its replacement from the command line.
    pub fn chosen(&mut self, slot: Slot, chosen: Option<&Chosen>, given: Option<&GivenText>) {
        if let Some(given) = given {
            let flag = flag(slot);
            let (name, by) = match given {
                GivenText::File(source) => (source.path(), declared(source, source.whole())),
                GivenText::Text(_) => (flag, Declared { by: flag.to_string(), span: None }),
            };
            let decision = self.in_use_or_empty(slot, name, "it is set on the command line");
            self.list.push(Decision { by: Some(by), ..decision });
        }
        let Some(Chosen { source, hides }) = chosen else { return };
        self.file(slot, source, "the first one found is used");
        if let Some(hidden) = hides {
            self.hidden(slot, &hidden.path, source, reasons::PROJECT_WINS);
        }
    }

    pub fn overridden(&mut self, slot: Slot, paths: &[String]) {
        let why = format!("{} overrides it", flag(slot));
        self.list.extend(paths.iter().map(|path| Decision::new(path, slot, DecisionOutcome::Shadowed, why.clone())));
    }

    /// The built-in base, and the guidelines that depend on it.
    pub fn built_in(&mut self, active: &[String], guidelines: &[Guideline]) {
        let base = self.layers.iter().find(|layer| layer.slot == Slot::SystemBase).map(|layer| layer.name.clone());
        let replaced_by = base.filter(|name| name != BUILT_IN);
        let decision = match &replaced_by {
            None => self.included(Slot::SystemBase, BUILT_IN, "no SYSTEM.md replaces it"),
            Some(by) => {
                let advice = guidelines.iter().filter(|guideline| !guideline.is_repeated).count();
                let (lines, advice) = (count(active.len(), "tool line"), count(advice, "guideline"));
                let lost = format!("this also removes {lines}, {advice} and the documentation pointers");
                Decision::new(
                    BUILT_IN,
                    Slot::SystemBase,
                    DecisionOutcome::Shadowed,
                    format!("{by} replaces it; {lost}"),
                )
            }
        };
        self.list.push(decision);
        for Guideline { text, because, is_repeated, tool } in guidelines {
            let (outcome, why) = match (&replaced_by, is_repeated) {
                (Some(_), _) => (DecisionOutcome::Shadowed, format!("it is part of the built-in base; {because}")),
                (None, true) if tool.is_some() => {
                    (DecisionOutcome::Duplicate, format!("{because}, but it is already there"))
                }
                (None, true) => (DecisionOutcome::Duplicate, "it is already there".to_string()),
                (None, false) => (DecisionOutcome::Included, because.clone()),
            };
            let by = tool.as_ref().map(|tool| Declared { by: format!("tool {tool}"), span: text.span() });
            self.list.push(Decision { by, ..Decision::new(text.text(), Slot::SystemGuidelines, outcome, why) });
        }
    }

    /// The instruction files, and dangling links in their places.
    pub fn context(&mut self, files: &[Chosen], dangling: &[String]) {
        for Chosen { source, hides } in files {
            self.file(Slot::SystemContext, source, "it applies to the folder and everything below it");
            if let Some(hidden) = hides {
                self.hidden(Slot::SystemContext, &hidden.path, source, reasons::BESIDE_AGENTS);
            }
        }
        let missing =
            |path: &String| Decision::new(path, Slot::SystemContext, DecisionOutcome::Missing, reasons::DANGLING);
        self.list.extend(dangling.iter().map(missing));
    }

    pub fn skills(&mut self, found: &FoundSkills, can_read: bool) {
        if self.layers.iter().any(|layer| layer.kind == LayerKind::Skills) {
            let why = "the tool read is active, and there are visible skills";
            let head = self.included(Slot::SystemSkills, AVAILABLE_SKILLS, why);
            self.list.push(head);
        }
        let listed: Vec<usize> = self.indices(|layer| layer.kind == LayerKind::Skill);
        let mut listed = listed.into_iter();
        for skill in &found.skills {
            let (outcome, why, by) = match (&skill.hidden_by, can_read) {
                (Some(by), _) => (DecisionOutcome::Suppressed, reasons::HIDES_ITSELF, Some(by.clone())),
                (None, false) => (DecisionOutcome::ConditionFalse, reasons::NO_READ, None),
                (None, true) => (DecisionOutcome::Included, "it is listed", None),
            };
            let Skill { name, path, source, .. } = skill;
            self.list.push(Decision {
                by: by.map(|span| declared(source, span)),
                declared_by: Some(Declared { by: path.clone(), span: name.span() }),
                layer: if outcome == DecisionOutcome::Included { listed.next() } else { None },
                ..Decision::new(name.text(), Slot::SystemSkills, outcome, why)
            });
        }
        for UnusedSkill { name, path, source, why, .. } in &found.left_out {
            let outcome = match why {
                UnusedReason::Unreadable(_) => DecisionOutcome::Missing,
                UnusedReason::NoDescription => DecisionOutcome::Empty,
                UnusedReason::Collision { .. } => DecisionOutcome::Duplicate,
                UnusedReason::Ignored { .. } => DecisionOutcome::Suppressed,
            };
            let name_of = name.as_ref().map_or(path.as_str(), |name| name.text());
            let span = name.as_ref().and_then(|name| name.span());
            let span = span.or_else(|| source.as_ref().map(|source| source.span(0..0)));
            let declared_by = Some(Declared { by: path.clone(), span });
            self.list.push(Decision {
                by: declared_by.clone(),
                declared_by,
                ..Decision::new(name_of, Slot::SystemSkills, outcome, why.to_string())
            });
        }
    }

    pub fn environment(&mut self) {
        let decision = self.included(Slot::SystemEnvironment, ENVIRONMENT, "every prompt has it");
        self.list.push(decision);
    }

    pub fn extensions(&mut self) {
        for index in self.indices(|layer| layer.slot == Slot::SystemExtensions) {
            let name = &self.layers[index].name;
            let included =
                Decision::new(name, Slot::SystemExtensions, DecisionOutcome::Included, "an extension adds it");
            self.list.push(Decision { layer: Some(index), ..included });
        }
    }

    /// Parts that a flag disables; they are not looked up.
    pub fn switched_off(&mut self, slot: Slot, names: &[&str], flag: &str) {
        let why = format!("{flag} leaves it out");
        self.list.extend(names.iter().map(|name| Decision::new(*name, slot, DecisionOutcome::Suppressed, why.clone())));
    }

    /// The messages after the system message; those that the user excluded or extensions drop come first.
    pub fn messages(&mut self, excluded: Vec<String>, dropped: Vec<(String, String)>) {
        let kept = |name: String| (name, "the user excluded it".to_string());
        let drops = |(name, pattern)| (name, format!("extensions drop messages that match {pattern}"));
        let left_out = excluded.into_iter().map(kept).chain(dropped.into_iter().map(drops));
        self.list
            .extend(left_out.map(|(name, why)| Decision::new(&name, Slot::Earlier, DecisionOutcome::Suppressed, why)));
        for index in self.indices(|layer| layer.message > 0) {
            let Layer { slot, name, .. } = &self.layers[index];
            let why = match slot {
                Slot::Earlier => "it is an earlier message",
                Slot::UserPrompt => "it is the user's prompt",
                _ => "an extension adds it",
            };
            let included = Decision::new(name, *slot, DecisionOutcome::Included, why);
            self.list.push(Decision { layer: Some(index), ..included });
        }
    }

    /// The tools of the model; `are_listed` if `--tools` names the active ones.
    pub fn tools(&mut self, active: &[String], are_listed: bool, file: &ToolFile) {
        for name in active {
            let why = match (are_listed, file.get(name)) {
                (true, _) => "--tools names it",
                (false, Some(_)) => "--tools-file adds it",
                (false, None) => "active by default",
            };
            self.list.push(Decision::new(name, Slot::Palette, DecisionOutcome::Included, why));
        }
        let active: HashSet<&str> = active.iter().map(String::as_str).collect();
        let usual = tools::usual(file).filter(|name| are_listed && !active.contains(name));
        let left_out =
            usual.map(|name| Decision::new(name, Slot::Palette, DecisionOutcome::Suppressed, "--tools leaves it out"));
        self.list.extend(left_out);
    }

    fn file(&mut self, slot: Slot, source: &Arc<Source>, why: &str) {
        let by = Some(declared(source, source.whole()));
        let decision = self.in_use_or_empty(slot, source.path(), why);
        self.list.push(Decision { by, ..decision });
    }

    fn hidden(&mut self, slot: Slot, path: &str, by: &Arc<Source>, why: &str) {
        let by = Some(declared(by, by.whole()));
        self.list.push(Decision { by, ..Decision::new(path, slot, DecisionOutcome::Shadowed, why) });
    }

    /// A layer's decision; without a layer, the text is empty.
    fn in_use_or_empty(&self, slot: Slot, name: &str, why: &str) -> Decision {
        match self.included(slot, name, why) {
            included if included.layer.is_some() => included,
            _ => Decision::new(name, slot, DecisionOutcome::Empty, reasons::EMPTY),
        }
    }

    fn included(&self, slot: Slot, name: &str, why: &str) -> Decision {
        let layer = self.layers.iter().position(|layer| layer.slot == slot && layer.name == name);
        Decision { layer, ..Decision::new(name, slot, DecisionOutcome::Included, why) }
    }

    fn indices(&self, is_meant: impl Fn(&Layer) -> bool) -> Vec<usize> {
        (0..self.layers.len()).filter(|&index| is_meant(&self.layers[index])).collect()
    }
}

fn flag(slot: Slot) -> &'static str {
    if slot == Slot::SystemBase { "--system-prompt" } else { "--append-system-prompt" }
}

fn declared(source: &Arc<Source>, span: Span) -> Declared {
    Declared { by: source.path().to_string(), span: Some(span) }
}
