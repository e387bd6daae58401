//! What was considered for the prompt of a folder, and what became of it.

use std::sync::Arc;

use super::base::Chosen;
use super::context::ContextFile;
use super::skills::{Found, Why};
use crate::diagnostic::Diagnostic;
use crate::prompt::{Decision, Declared, Layer, Outcome, Slot};
use crate::text::{Source, Span};

/// The decisions in the order of the prompt.
pub(super) struct Decisions<'a> {
    layers: &'a [Layer],
    list: Vec<Decision>,
}

impl<'a> Decisions<'a> {
    pub fn new(layers: &'a [Layer]) -> Self {
        Self { layers, list: Vec::new() }
    }

    pub fn into_list(self) -> Vec<Decision> {
        self.list
    }

    /// The file that is the base, or is appended to it; `given` says what the command line gives in its place.
    pub fn chosen(&mut self, slot: Slot, chosen: Option<&Chosen>) {
        let Some(Chosen { source, hides }) = chosen else { return };
        let why = if source.text().is_empty() { "it is empty" } else { "the first that there is counts" };
        self.file(slot, source, why);
        if let Some(hidden) = hides {
            self.hidden(slot, hidden, source, "the project's file counts");
        }
    }

    /// The base that is built in, where it counts.
    pub fn built_in(&mut self) {
        let layer = self.layer(Slot::SystemBase, "builtin");
        if layer.is_some() {
            let why = "no SYSTEM.md with a text replaces it".to_string();
            self.add("builtin".to_string(), Slot::SystemBase, Outcome::Included, why, None, layer);
        }
    }

    pub fn context(&mut self, files: &[ContextFile]) {
        for ContextFile { source, hides } in files {
            self.file(Slot::SystemContext, source, "it applies to the folder and all below it");
            if let Some(hidden) = hides {
                self.hidden(Slot::SystemContext, hidden, source, "an AGENTS.md stands beside it");
            }
        }
    }

    pub fn skills(&mut self, found: &Found, is_read_active: bool) {
        for skill in &found.skills {
            let (outcome, why, by) = match (&skill.hidden_by, skill.hidden, is_read_active) {
                (by, true, _) => (Outcome::Suppressed, "its front matter hides it from the agent", by.clone()),
                (_, _, false) => (Outcome::ConditionFalse, "the tool read is not active", None),
                _ => (Outcome::Included, "it is listed", None),
            };
            let by = by.map(|span| declared(&skill.source, span));
            let layer =
                if outcome == Outcome::Included { self.layer(Slot::SystemSkills, "available_skills") } else { None };
            self.add(skill.path.clone(), Slot::SystemSkills, outcome, why.to_string(), by, layer);
        }
        for left_out in &found.left_out {
            let (outcome, why) = match &left_out.why {
                Why::Unreadable(problem) => (Outcome::Missing, Diagnostic::new(problem.clone()).message()),
                Why::NoDescription => (Outcome::Empty, "it has no description".to_string()),
                Why::Collision { winner } => (Outcome::Duplicate, format!("{winner} has its name")),
            };
            self.add(left_out.path.clone(), Slot::SystemSkills, outcome, why, None, None);
        }
    }

    fn file(&mut self, slot: Slot, source: &Arc<Source>, why: &str) {
        let layer = self.layer(slot, source.path());
        let outcome = if layer.is_some() { Outcome::Included } else { Outcome::Empty };
        let by = Some(declared(source, source.whole()));
        self.add(source.path().to_string(), slot, outcome, why.to_string(), by, layer);
    }

    fn hidden(&mut self, slot: Slot, path: &str, by: &Arc<Source>, why: &str) {
        let by = Some(declared(by, by.whole()));
        self.add(path.to_string(), slot, Outcome::Shadowed, why.to_string(), by, None);
    }

    fn layer(&self, slot: Slot, name: &str) -> Option<usize> {
        self.layers.iter().position(|layer| layer.slot == slot && layer.name == name)
    }

    fn add(
        &mut self,
        name: String,
        slot: Slot,
        outcome: Outcome,
        why: String,
        by: Option<Declared>,
        layer: Option<usize>,
    ) {
        self.list.push(Decision { name, slot, outcome, why, by, declared_by: None, item: None, layer });
    }
}

fn declared(source: &Arc<Source>, span: Span) -> Declared {
    Declared { by: source.path().to_string(), span: Some(span) }
}
