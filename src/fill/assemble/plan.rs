//! Everything considered for a prompt: what goes in, what is left out and why, and the outcome of each hook.

use indexmap::{IndexMap, IndexSet};

use super::hook_context::HookContext;
use super::items::Items;
use super::settings::ReadPaths;
use crate::decide::condition::Judgement;
use crate::decide::request::Request;
use crate::diagnostic::Diagnostic;
use crate::prompt::{ActionResult, Decision, DecisionOutcome, Declared, HookRun, HookVerdict, LayerKind, Slot};
use crate::read::item::Hook;
use crate::read::protocol::Protocol;
use crate::read::store::Tiers;
use crate::text::Traced;

/// Something considered for one slot of the prompt, and its outcome.
#[derive(Debug)]
pub(super) struct PlanEntry {
    pub decision: Decision,
    pub kind: LayerKind,
    pub wrap: bool,
    /// `None` if left out. An empty text is still surrounded by separators.
    pub text: Option<Traced>,
}

impl PlanEntry {
    pub fn new(name: impl Into<String>, slot: Slot, kind: LayerKind, declared_by: Declared) -> Self {
        let open = Decision::new(name, slot, DecisionOutcome::Missing, "");
        Self { decision: Decision { declared_by: Some(declared_by), ..open }, kind, wrap: false, text: None }
    }

    pub fn left_out(mut self, outcome: DecisionOutcome, why: impl Into<String>) -> Self {
        self.decision.outcome = outcome;
        self.decision.why = why.into();
        self
    }

    pub fn included(self, text: Traced, why: impl Into<String>) -> Self {
        let entry = match text.is_empty() {
            true => self.left_out(DecisionOutcome::Empty, "it has no text"),
            false => self.left_out(DecisionOutcome::Included, why),
        };
        Self { text: Some(text), ..entry }
    }

    pub fn decided_by(mut self, by: Option<Declared>) -> Self {
        self.decision.by = by;
        self
    }

    /// The decision for views. Unless `by` is set, the declaration also decided the outcome.
    pub fn decision(&self, layer: Option<usize>) -> Decision {
        let mut decision = Decision { layer, ..self.decision.clone() };
        decision.by = decision.by.or_else(|| decision.declared_by.clone());
        decision
    }
}

#[derive(Debug, Default)]
pub(super) struct Plan {
    pub entries: Vec<PlanEntry>,
}

impl Plan {
    /// The indices of the entries with text, in order.
    pub fn included(&self, slot: Slot) -> impl Iterator<Item = usize> {
        let entries = self.entries.iter().enumerate();
        entries.filter(move |(_, entry)| entry.decision.slot == slot && entry.text.is_some()).map(|(index, _)| index)
    }

    pub fn has(&self, slot: Slot) -> bool {
        self.entries.iter().any(|entry| entry.decision.slot == slot)
    }

    /// The names that a transcript event lists. It omits items of the chain without text, but not hooks.
    pub fn names(&self, slots: &[Slot]) -> Vec<String> {
        let mut names = IndexSet::new();
        for entry in slots.iter().flat_map(|&slot| self.included(slot)).map(|index| &self.entries[index]) {
            if entry.kind != LayerKind::Context || entry.decision.outcome == DecisionOutcome::Included {
                names.insert(entry.decision.name.clone());
            }
        }
        names.into_iter().collect()
    }
}

/// Plans a prompt. The module of each part adds its methods.
pub(super) struct Planner<'a> {
    pub request: &'a Request,
    pub tiers: &'a Tiers,
    pub protocol: &'a Protocol,
    pub items: Items<'a>,
    /// The decisions about the parent.
    pub routing: Vec<Decision>,
    pub plan: Plan,
    pub runs: HookRuns,
    pub diagnostics: &'a mut Vec<Diagnostic>,
}

/// The first `<suppress>` for each name, and the directive that declares it.
pub(super) type Suppressions = IndexMap<String, Declared>;

pub(super) fn declared(hook: &Hook) -> Declared {
    Declared { by: format!("hook {}", hook.name()), span: hook.span.clone() }
}

pub(super) fn suppressed_by(by: &Declared) -> String {
    format!("suppressed by {}", by.by)
}

/// What the hooks have read and, on request, the outcome of each in evaluation order.
#[derive(Default)]
pub(super) struct HookRuns {
    pub is_wanted: bool,
    pub list: Vec<HookRun>,
    pub read: ReadPaths,
}

pub(super) struct HookOutcome {
    pub verdict: HookVerdict,
    pub why: String,
    /// Set if something other than the condition decided the outcome.
    pub by: Option<Declared>,
}

impl HookOutcome {
    /// The outcome according to the condition. If it depends on an unknown value, the sentence says so.
    pub fn of(judgement: &Judgement, hook: &Hook, context: &HookContext) -> Self {
        let holds = judgement.holds();
        match context.undecided(&hook.condition) {
            Some(unknown) => {
                let otherwise = if holds { "the hook applies" } else { "its condition is false" };
                Self::new(HookVerdict::Unknown, format!("{}; without one {otherwise}", unknown.why()), None)
            }
            None if holds => Self::new(HookVerdict::Applies, judgement.why(), None),
            None => Self::new(HookVerdict::ConditionFalse, judgement.why(), None),
        }
    }

    pub fn new(verdict: HookVerdict, why: impl Into<String>, by: Option<Declared>) -> Self {
        Self { verdict, why: why.into(), by }
    }
}

impl HookRuns {
    /// Records a hook. `judged` is `None` if its condition was not evaluated.
    pub fn add(
        &mut self,
        hook: &Hook,
        context: &HookContext,
        judged: Option<Judgement>,
        fate: HookOutcome,
        results: impl IntoIterator<Item = ActionResult>,
    ) {
        if !self.is_wanted {
            return;
        }
        let judgement = context.judge_known(&hook.condition, judged);
        let HookOutcome { verdict, why, by } = fate;
        let results = results.into_iter().collect();
        self.list.push(HookRun { hook: hook.clone(), judgement, verdict, why, by, results });
    }
}
