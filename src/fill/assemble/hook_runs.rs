use indexmap::IndexMap;

use crate::decide::condition::Judgement;
use crate::prompt::{ActionResult, Declared, HookRun, HookVerdict};
use crate::read::item::Hook;

use super::hook_context::HookContext;
use super::settings::ReadPaths;

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
