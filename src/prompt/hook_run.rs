use super::{DecisionOutcome, Declared};
use crate::decide::condition::Judgement;
use crate::read::item::Hook;
use strum::IntoStaticStr;

#[derive(Debug, Clone)]
pub struct HookRun {
    pub hook: Hook,
    /// The condition with the values it read; evaluated even if the verdict does not depend on it.
    pub judgement: Judgement,
    pub verdict: HookVerdict,
    pub why: String,
    /// What overrode the condition: a `<suppress>`, an earlier hook or the command line.
    pub by: Option<Declared>,
    /// One result per action; empty if the hook was not considered.
    pub results: Vec<ActionResult>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum HookVerdict {
    Applies,
    ConditionFalse,
    /// A `<suppress>` names it or what it loads.
    Suppressed,
    /// An earlier hook ended the search for a parent.
    NotReached,
    NotFired,
    LeftOut,
    Unknown,
}

impl HookVerdict {
    pub fn phrase(self) -> &'static str {
        match self {
            Self::ConditionFalse => "condition false",
            Self::NotReached => "not reached",
            Self::NotFired => "does not fire",
            Self::LeftOut => "left out",
            verdict => verdict.into_str(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct ActionResult {
    pub outcome: DecisionOutcome,
    pub why: String,
}
