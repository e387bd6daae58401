use std::sync::Arc;

use serde::Serialize;
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::{Declared, ItemRef, Role};
use crate::decide::condition::Judgement;
use crate::read::item::Hook;
use crate::read::item::condition::Condition;

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, EnumString, VariantArray, Serialize,
)]
#[serde(into = "&'static str")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Slot {
    Routing,
    Chain,
    /// `build_system_prompt` hooks at position `before`.
    #[strum(serialize = "system.hooks_before")]
    SystemHooksBefore,
    /// `build_system_prompt` hooks at position `after`.
    #[strum(serialize = "system.hooks_after")]
    SystemHooksAfter,
    #[strum(serialize = "system.chain")]
    SystemChain,
    /// `thread_started` or `thread_continued` hooks at position `before`.
    #[strum(serialize = "user.hooks_before")]
    UserHooksBefore,
    #[strum(serialize = "user.chain_before")]
    UserChainBefore,
    /// The instruction of `rye-1` and of in-thread mode.
    #[strum(serialize = "user.instruction")]
    UserInstruction,
    #[strum(serialize = "user.directive")]
    UserDirective,
    #[strum(serialize = "user.chain_after")]
    UserChainAfter,
    #[strum(serialize = "user.hooks_after")]
    UserHooksAfter,
    Earlier,
    Palette,
    #[strum(serialize = "system.base")]
    SystemBase,
    #[strum(serialize = "system.guidelines")]
    SystemGuidelines,
    #[strum(serialize = "system.append")]
    SystemAppend,
    #[strum(serialize = "system.context")]
    SystemContext,
    #[strum(serialize = "system.skills")]
    SystemSkills,
    #[strum(serialize = "system.environment")]
    SystemEnvironment,
    #[strum(serialize = "system.extensions")]
    SystemExtensions,
    #[strum(serialize = "developer.base")]
    DeveloperBase,
    #[strum(serialize = "developer.instructions")]
    DeveloperInstructions,
    #[strum(serialize = "developer.skills")]
    DeveloperSkills,
    #[strum(serialize = "developer.permissions")]
    DeveloperPermissions,
    #[strum(serialize = "user.context")]
    UserContext,
    /// What joins when the agent reads a file.
    #[strum(serialize = "user.on_demand")]
    UserOnDemand,
    #[strum(serialize = "system.on_demand")]
    SystemOnDemand,
    #[strum(serialize = "user.environment")]
    UserEnvironment,
    #[strum(serialize = "user.prompt")]
    UserPrompt,
    Injected,
}

impl Slot {
    pub fn is_hook(self) -> bool {
        use Slot::{Routing, SystemHooksAfter, SystemHooksBefore, UserHooksAfter, UserHooksBefore};
        matches!(self, Routing | SystemHooksBefore | SystemHooksAfter | UserHooksBefore | UserHooksAfter)
    }

    /// Whether the slot's items come from tiers, where one copy of an item may shadow another.
    pub fn is_of_items(self) -> bool {
        let is_in_message = self != Self::Routing && (self.is_hook() || self.element().is_some());
        is_in_message || matches!(self, Self::Chain | Self::Palette)
    }

    /// The element of `<context>` that declares the slot's items.
    pub fn element(self) -> Option<&'static str> {
        match self {
            Self::SystemChain => Some("<system>"),
            Self::UserChainBefore => Some("<before>"),
            Self::UserChainAfter => Some("<after>"),
            _ => None,
        }
    }

    /// The slot's name without the role of its message.
    pub fn place(self) -> &'static str {
        let word = self.into_str();
        word.split_once('.').map_or(word, |(_, place)| place)
    }

    /// The role of the slot's message: the part of the slot's name before the dot.
    pub fn role(self) -> Option<Role> {
        self.into_str().split_once('.')?.0.parse().ok()
    }
}

#[derive(Debug, Clone)]
pub struct Decision {
    pub name: String,
    pub slot: Slot,
    pub outcome: DecisionOutcome,
    pub why: String,
    pub by: Option<Declared>,
    /// What requested it: a directive, a hook or the command line.
    pub declared_by: Option<Declared>,
    pub item: Option<ItemRef>,
    /// The condition of the hook.
    pub condition: Option<Arc<Condition>>,
    /// The index of the layer, if a message includes it.
    pub layer: Option<usize>,
}

impl Decision {
    pub fn new(name: impl Into<String>, slot: Slot, outcome: DecisionOutcome, why: impl Into<String>) -> Self {
        let (name, why) = (name.into(), why.into());
        Self { name, slot, outcome, why, by: None, declared_by: None, item: None, condition: None, layer: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, Serialize)]
#[serde(into = "&'static str")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum DecisionOutcome {
    Included,
    /// By a `<suppress>` or the command line.
    Suppressed,
    Duplicate,
    ConditionFalse,
    Missing,
    /// It exists but cannot be used. The closed list of outcomes has no word for that.
    #[strum(serialize = "missing")]
    Invalid,
    Empty,
    OverBudget,
    Shadowed,
    NotRun,
    Routed,
    /// A routing hook that has no effect.
    NotRouted,
}

impl DecisionOutcome {
    pub fn phrase(self) -> &'static str {
        match self {
            Self::ConditionFalse => "condition false",
            Self::Invalid => "invalid",
            Self::OverBudget => "over budget",
            Self::NotRun => "not run",
            Self::NotRouted => "not routed",
            outcome => outcome.into_str(),
        }
    }

    pub fn is_in_use(self) -> bool {
        matches!(self, Self::Included | Self::Routed)
    }
}

impl Decision {
    pub fn phrase(&self) -> &'static str {
        match (self.slot, self.outcome) {
            (Slot::Palette, DecisionOutcome::Empty) => "without a readable schema",
            (_, outcome) => outcome.phrase(),
        }
    }

    /// `condition false: directive is "init", which does not contain "deploy"`
    pub fn reason(&self) -> String {
        match self.outcome {
            // These sentences name the outcome themselves.
            DecisionOutcome::Included
            | DecisionOutcome::Routed
            | DecisionOutcome::Suppressed
            | DecisionOutcome::NotRun => self.why.clone(),
            _ => format!("{}: {}", self.phrase(), self.why),
        }
    }
}

pub fn wins_over(winner: &str, others: &str) -> String {
    match winner {
        "project" | "user" => format!("the {winner}'s copy overrides the one in {others}"),
        _ => format!("the copy in {winner} overrides the one in {others}"),
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_names_the_outcome_once() {
        let reason = |slot, outcome, why: &str| Decision::new("", slot, outcome, why).reason();
        assert_eq!(
            reason(Slot::SystemChain, DecisionOutcome::Suppressed, "suppressed by app/base"),
            "suppressed by app/base"
        );
        assert_eq!(
            reason(Slot::Palette, DecisionOutcome::OverBudget, "1,960 of 2,000 tokens used, needs 120"),
            "over budget: 1,960 of 2,000 tokens used, needs 120"
        );
        assert_eq!(
            reason(Slot::Palette, DecisionOutcome::Empty, "it declares none"),
            "without a readable schema: it declares none"
        );
        assert_eq!(
            reason(Slot::SystemChain, DecisionOutcome::Shadowed, &wins_over("project", "user")),
            "shadowed: the project's copy overrides the one in user"
        );
        assert_eq!(wins_over("system:std", "builtin"), "the copy in system:std overrides the one in builtin");
    }
}
