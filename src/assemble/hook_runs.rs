use crate::condition::Judgement;
use crate::item::Hook;
use crate::prompt::{ActionResult, Declared, HookRun, HookVerdict};

use super::hook_context::HookContext;

/// What became of the hooks, in evaluation order. Nothing is taken down unless the request asks for it.
#[derive(Default)]
pub(super) struct HookRuns {
    pub is_wanted: bool,
    pub list: Vec<HookRun>,
}

/// What became of one hook.
pub(super) struct Fate {
    pub verdict: HookVerdict,
    pub why: String,
    /// What decided, where that is not its condition.
    pub by: Option<Declared>,
}

impl Fate {
    /// What its condition makes of a hook. Where that hangs on a value that nobody knows here, the sentence says so.
    pub fn of(judgement: &Judgement, hook: &Hook, context: &HookContext) -> Self {
        let holds = judgement.holds();
        match context.undecided(&hook.condition) {
            Some(unknown) => {
                let otherwise = if holds { "the hook applies" } else { "its condition is false" };
                Self::decided(HookVerdict::Unknown, format!("{}; without one {otherwise}", unknown.why()), None)
            }
            None if holds => Self::decided(HookVerdict::Applies, judgement.why(), None),
            None => Self::decided(HookVerdict::ConditionFalse, judgement.why(), None),
        }
    }

    /// A hook whose condition does not count.
    pub fn decided(verdict: HookVerdict, why: impl Into<String>, by: Option<Declared>) -> Self {
        Self { verdict, why: why.into(), by }
    }
}

impl HookRuns {
    /// Takes down a hook. `judged` is what its condition came to, if that was asked.
    pub fn add(
        &mut self,
        hook: &Hook,
        context: &HookContext,
        judged: Option<Judgement>,
        fate: Fate,
        results: impl IntoIterator<Item = ActionResult>,
    ) {
        if !self.is_wanted {
            return;
        }
        let judgement = context.judge_known(&hook.condition, judged);
        let Fate { verdict, why, by } = fate;
        let results = results.into_iter().collect();
        self.list.push(HookRun { hook: hook.clone(), judgement, verdict, why, by, results });
    }
}
