use super::{Declared, Outcome};
use crate::condition::Judgement;
use crate::item::Hook;
use strum::IntoStaticStr;

/// A hook, and what became of it.
#[derive(Debug, Clone)]
pub struct HookRun {
    /// The hook as it was declared.
    pub hook: Hook,
    /// Its condition with the values that it saw; asked even where the verdict does not depend on it.
    pub judgement: Judgement,
    /// What became of it.
    pub verdict: HookVerdict,
    /// A sentence.
    pub why: String,
    /// What decided, where that is not its condition: a `<suppress>`, an earlier hook, the command line.
    pub by: Option<Declared>,
    /// What became of each of its actions; empty where none was looked at.
    pub results: Vec<ActionResult>,
}

/// What became of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum HookVerdict {
    /// Its condition holds, and its actions count.
    Applies,
    /// Its condition does not hold.
    ConditionFalse,
    /// A `<suppress>` names it, or what it loads.
    Suppressed,
    /// Another one had ended the search for a parent.
    NotReached,
    /// Its event does not happen in this prompt.
    NotFired,
    /// The command line leaves it out.
    LeftOut,
    /// Its condition depends on a value that is not known here.
    Unknown,
}

impl HookVerdict {
    /// The verdict as people say it.
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

/// What became of an action of a hook.
#[derive(Debug, Clone)]
pub struct ActionResult {
    /// Whether it adds something.
    pub outcome: Outcome,
    /// A sentence.
    pub why: String,
}
