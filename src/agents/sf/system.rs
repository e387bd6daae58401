//! The system message section by section, and what is decided about each part.

use std::sync::Arc;

use super::assemble::{Assembly, can_read};
use super::base::{self, BUILT_IN, Chosen, Custom, Hidden};
use super::reasons;
use super::skills::{Skill, UnusedReason, UnusedSkill};
use super::tools::{self, Guideline};
use crate::agents::draft::{Draft, Text};
use crate::agents::skills::Listing;
use crate::prompt::{Decision, DecisionOutcome, Declared, LayerKind, SectionSource, Slot};
use crate::text::numbers::count;
use crate::text::{Origin, Source, Span, Traced};

const CONTEXT: &str = "\n\n# Project Context\n\nProject-specific instructions and guidelines:\n\n";

/// The system message for some active tools.
#[derive(Default)]
pub(super) struct System {
    pub draft: Draft,
    /// In the order of the parts. A part that is not there stands where it would be.
    pub decisions: Vec<Decision>,
}

impl Assembly<'_> {
    pub fn system(&self, active: &[String]) -> System {
        let mut system = System::default();
        self.push_base(active, &mut system);
        system.custom(&self.append, "append", Slot::SystemAppend, LayerKind::Append);
        self.push_context(&mut system);
        self.push_skills(active, &mut system);
        let mut environment = Traced::protocol("\nCurrent date and time: ");
        environment.push_str(&self.request.date, Origin::Argument("now".into()));
        environment.push_protocol("\nCurrent working directory: ");
        environment.push_str(&self.request.cwd, Origin::Argument("cwd".into()));
        let text = Text { text: environment, name: "date and folder".to_string(), source: SectionSource::None };
        system.section("environment", Slot::SystemEnvironment, LayerKind::Environment, text, "every prompt has it");
        system
    }

    /// The custom base, or the built-in one, with the guidelines that depend on it.
    fn push_base(&self, active: &[String], system: &mut System) {
        let (slot, file) = (Slot::SystemBase, &self.request.tool_file);
        let replaced_by = system.custom(&self.base, "base", slot, LayerKind::Base);
        let guidelines = tools::guidelines(active, file, self.protocol);
        match &replaced_by {
            // An empty base is treated as missing.
            None => {
                let text = base::built_in(active, file, self.request.docs_dir.as_deref(), self.protocol);
                let text = Text::named(BUILT_IN, text);
                system.section("base", slot, LayerKind::Base, text, "no SYSTEM.md replaces it");
            }
            Some(by) => {
                let advice = guidelines.iter().filter(|guideline| !guideline.is_repeated).count();
                let (lines, advice) = (count(active.len(), "tool line"), count(advice, "guideline"));
                let lost = format!("this also removes {lines}, {advice} and the documentation pointers");
                let why = format!("{by} replaces it; {lost}");
                system.decisions.push(Decision::new(BUILT_IN, slot, DecisionOutcome::Shadowed, why));
            }
        }
        for Guideline { text, because, is_repeated, tool } in guidelines {
            let (outcome, why) = match (&replaced_by, is_repeated) {
                (Some(_), _) => (DecisionOutcome::Shadowed, format!("it is part of the built-in base; {because}")),
                (None, true) if tool.is_some() => {
                    (DecisionOutcome::Duplicate, format!("{because}, but it is already there"))
                }
                (None, true) => (DecisionOutcome::Duplicate, "it is already there".to_string()),
                (None, false) => (DecisionOutcome::Included, because),
            };
            let by = tool.map(|tool| Declared { by: format!("tool {tool}"), span: text.span() });
            system.decisions.push(Decision { by, ..Decision::new(text.text(), Slot::SystemGuidelines, outcome, why) });
        }
    }

    /// The instruction files, and dangling links in their places.
    fn push_context(&self, system: &mut System) {
        let slot = Slot::SystemContext;
        for (index, Chosen { source, hides }) in self.context.iter().enumerate() {
            system.draft.separate(if index == 0 { CONTEXT } else { "" });
            let mut text = Traced::protocol("## ");
            text.push_str(source.path(), Origin::Derived(source.span(0..0)));
            text.push_protocol("\n\n").push(&Traced::raw(&source.whole()));
            let text = Text::named(source.path(), text);
            let why = "it applies to the folder and everything below it";
            let decision = system.section("context", slot, LayerKind::Context, text, why);
            decision.by = Some(declared(source, source.whole()));
            system.draft.separate("\n\n");
            system.hidden(slot, hides.as_ref(), source, reasons::BESIDE_AGENTS);
        }
        let missing = |path: &String| Decision::new(path, slot, DecisionOutcome::Missing, reasons::DANGLING);
        system.decisions.extend(self.dangling.iter().map(missing));
    }

    fn push_skills(&self, active: &[String], system: &mut System) {
        let (slot, can_read) = (Slot::SystemSkills, can_read(active));
        let preamble = Traced::protocol(&self.protocol.texts.skills_preamble.join("\n"));
        let listing = Listing::new(&self.skills.skills, preamble).filter(|_| can_read);
        let mut listed = Vec::new();
        if let Some(listing) = listing {
            system.draft.separate("\n\n");
            let head = system.draft.layers().len();
            listed = system.draft.listing(&listing);
            let why = "the tool read is active, and there are visible skills";
            let decision = Decision::new("available_skills", slot, DecisionOutcome::Included, why);
            system.decisions.push(Decision { layer: Some(head), ..decision });
        }
        let mut listed = listed.into_iter();
        for Skill { name, path, source, hidden_by, .. } in &self.skills.skills {
            let (outcome, why, layer) = match (hidden_by, can_read) {
                (Some(_), _) => (DecisionOutcome::Suppressed, reasons::HIDES_ITSELF, None),
                (None, false) => (DecisionOutcome::ConditionFalse, reasons::NO_READ, None),
                (None, true) => (DecisionOutcome::Included, "it is listed", listed.next()),
            };
            system.decisions.push(Decision {
                by: hidden_by.clone().map(|span| declared(source, span)),
                declared_by: Some(Declared { by: path.clone(), span: name.span() }),
                layer,
                ..Decision::new(name.text(), slot, outcome, why)
            });
        }
        system.decisions.extend(self.skills.left_out.iter().map(left_out));
    }
}

fn left_out(UnusedSkill { name, path, source, why, .. }: &UnusedSkill) -> Decision {
    let outcome = match why {
        UnusedReason::Unreadable(_) => DecisionOutcome::Missing,
        UnusedReason::NoDescription => DecisionOutcome::Empty,
        UnusedReason::Collision { .. } => DecisionOutcome::Duplicate,
        UnusedReason::Ignored { .. } => DecisionOutcome::Suppressed,
    };
    let span = name.as_ref().and_then(Traced::span).or_else(|| source.as_ref().map(|source| source.span(0..0)));
    let declared_by = Some(Declared { by: path.clone(), span });
    let name = name.as_ref().map_or(path.as_str(), |name| name.text());
    Decision {
        by: declared_by.clone(),
        declared_by,
        ..Decision::new(name, Slot::SystemSkills, outcome, why.to_string())
    }
}

impl System {
    /// Adds a section, and returns the decision about it.
    fn section(&mut self, kind: &'static str, slot: Slot, layer: LayerKind, text: Text, why: &str) -> &mut Decision {
        let decision = Decision::new(&text.name, slot, DecisionOutcome::Included, why);
        let layer = Some(self.draft.section(kind, slot, layer, text));
        self.decisions.push_mut(Decision { layer, ..decision })
    }

    /// Adds a text of the command line or of a file, unless it is empty. Returns its name if it is there.
    fn custom(&mut self, custom: &Custom<'_>, kind: &'static str, slot: Slot, layer: LayerKind) -> Option<String> {
        let flag = if slot == Slot::SystemBase { "--system-prompt" } else { "--append-system-prompt" };
        let (text, by, why) = match custom {
            Custom::Given(given, _) => (given.text(flag), given.declared(flag), "it is set on the command line"),
            Custom::File(Some(Chosen { source, .. })) => {
                (Text::of_file(source), declared(source, source.whole()), "the first one found is used")
            }
            Custom::File(None) => return None,
        };
        let name = text.name.clone();
        let is_there = !text.text.is_empty();
        if is_there {
            self.draft.separate(if slot == Slot::SystemAppend { "\n\n" } else { "" });
            self.section(kind, slot, layer, text, why).by = Some(by);
        } else {
            let decision = Decision::new(&name, slot, DecisionOutcome::Empty, reasons::EMPTY);
            self.decisions.push(Decision { by: Some(by), ..decision });
        }
        match custom {
            Custom::Given(_, overridden) => {
                let why = format!("{flag} overrides it");
                let shadowed = |path: &String| Decision::new(path, slot, DecisionOutcome::Shadowed, why.clone());
                self.decisions.extend(overridden.iter().map(shadowed));
            }
            Custom::File(Some(Chosen { source, hides })) => {
                self.hidden(slot, hides.as_ref(), source, reasons::PROJECT_WINS);
            }
            Custom::File(None) => {}
        }
        is_there.then_some(name)
    }

    fn hidden(&mut self, slot: Slot, hidden: Option<&Hidden>, by: &Arc<Source>, why: &str) {
        let decision = |hidden: &Hidden| Decision {
            by: Some(declared(by, by.whole())),
            ..Decision::new(&hidden.path, slot, DecisionOutcome::Shadowed, why)
        };
        self.decisions.extend(hidden.map(decision));
    }
}

pub(super) fn declared(source: &Arc<Source>, span: Span) -> Declared {
    Declared { by: source.path().to_string(), span: Some(span) }
}
