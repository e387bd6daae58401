use super::{Declared, ItemRef, Role};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The places of the assembly order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Slot {
    /// Which parent a hook sets.
    Routing,
    /// The directives of the extends chain.
    Chain,
    /// `build_system_prompt` hooks, position before.
    #[strum(serialize = "system.hooks_before")]
    SystemHooksBefore,
    /// `build_system_prompt` hooks, position after.
    #[strum(serialize = "system.hooks_after")]
    SystemHooksAfter,
    /// `<system>` items of the chain.
    #[strum(serialize = "system.chain")]
    SystemChain,
    /// `thread_started` or `thread_continued` hooks, position before.
    #[strum(serialize = "user.hooks_before")]
    UserHooksBefore,
    /// `<before>` items of the chain.
    #[strum(serialize = "user.chain_before")]
    UserChainBefore,
    /// The instruction of `rye-1` and of in-thread mode.
    #[strum(serialize = "user.instruction")]
    UserInstruction,
    /// The directive's own prompt.
    #[strum(serialize = "user.directive")]
    UserDirective,
    /// `<after>` items of the chain.
    #[strum(serialize = "user.chain_after")]
    UserChainAfter,
    /// Hooks, position after.
    #[strum(serialize = "user.hooks_after")]
    UserHooksAfter,
    /// An earlier message of a resumed thread.
    Earlier,
    /// The tool palette.
    Palette,
    /// The base of the system prompt of a folder.
    #[strum(serialize = "system.base")]
    SystemBase,
    /// The guidelines in it.
    #[strum(serialize = "system.guidelines")]
    SystemGuidelines,
    /// What is appended to it.
    #[strum(serialize = "system.append")]
    SystemAppend,
    /// The files of instructions.
    #[strum(serialize = "system.context")]
    SystemContext,
    /// The skills.
    #[strum(serialize = "system.skills")]
    SystemSkills,
    /// Date and working folder.
    #[strum(serialize = "system.environment")]
    SystemEnvironment,
    /// What extensions make of the system prompt.
    #[strum(serialize = "system.extensions")]
    SystemExtensions,
    /// What the user asks.
    #[strum(serialize = "user.prompt")]
    UserPrompt,
    /// Messages that extensions add.
    Injected,
}

impl Slot {
    /// Whether hooks fill it, or decide about it.
    pub fn is_hook(self) -> bool {
        matches!(
            self,
            Self::Routing
                | Self::SystemHooksBefore
                | Self::SystemHooksAfter
                | Self::UserHooksBefore
                | Self::UserHooksAfter
        )
    }

    /// Whether what stands there are items of tiers, of which copies may shadow each other.
    pub fn is_of_items(self) -> bool {
        matches!(
            self,
            Self::Chain
                | Self::SystemHooksBefore
                | Self::SystemHooksAfter
                | Self::SystemChain
                | Self::UserHooksBefore
                | Self::UserChainBefore
                | Self::UserChainAfter
                | Self::UserHooksAfter
                | Self::Palette
        )
    }

    /// The element of `<context>` that declares what stands there.
    pub fn element(self) -> Option<&'static str> {
        match self {
            Self::SystemChain => Some("<system>"),
            Self::UserChainBefore => Some("<before>"),
            Self::UserChainAfter => Some("<after>"),
            _ => None,
        }
    }

    /// The message that it is in.
    pub fn role(self) -> Option<Role> {
        match self {
            Self::SystemHooksBefore
            | Self::SystemHooksAfter
            | Self::SystemChain
            | Self::SystemBase
            | Self::SystemGuidelines
            | Self::SystemAppend
            | Self::SystemContext
            | Self::SystemSkills
            | Self::SystemEnvironment
            | Self::SystemExtensions => Some(Role::System),
            Self::UserHooksBefore
            | Self::UserChainBefore
            | Self::UserInstruction
            | Self::UserDirective
            | Self::UserChainAfter
            | Self::UserHooksAfter
            | Self::UserPrompt => Some(Role::User),
            Self::Routing | Self::Chain | Self::Earlier | Self::Palette | Self::Injected => None,
        }
    }
}

/// Something that was considered, and what became of it.
#[derive(Debug, Clone)]
pub struct Decision {
    /// Hook id, item id or tool id.
    pub name: String,
    /// Its place in the assembly order.
    pub slot: Slot,
    /// What became of it.
    pub outcome: Outcome,
    /// A sentence.
    pub why: String,
    /// What decided.
    pub by: Option<Declared>,
    /// What asked for it; none where nothing did.
    pub declared_by: Option<Declared>,
    /// The item it is about.
    pub item: Option<ItemRef>,
    /// Index of the layer, where it is included in a message.
    pub layer: Option<usize>,
}

impl Decision {
    pub fn new(name: impl Into<String>, slot: Slot, outcome: Outcome, why: impl Into<String>) -> Self {
        let (name, why) = (name.into(), why.into());
        Self { name, slot, outcome, why, by: None, declared_by: None, item: None, layer: None }
    }
}

/// What became of something that was considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Outcome {
    /// It is in the prompt.
    Included,
    /// A `<suppress>` or the command line names it.
    Suppressed,
    /// It stands in this position already.
    Duplicate,
    /// Its condition does not hold.
    ConditionFalse,
    /// There is no such item.
    Missing,
    /// It has no text.
    Empty,
    /// The palette's budget is used up.
    OverBudget,
    /// A copy in an earlier tier wins.
    Shadowed,
    /// It would have to be run.
    NotRun,
    /// This hook sets the parent.
    Routed,
    /// This routing hook does not count.
    NotRouted,
}

impl Outcome {
    /// The outcome as people say it.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::ConditionFalse => "condition false",
            Self::OverBudget => "over budget",
            Self::NotRun => "not run",
            Self::NotRouted => "not routed",
            outcome => outcome.into_str(),
        }
    }

    /// Whether it shapes the prompt, rather than being left out.
    pub fn is_in_use(self) -> bool {
        matches!(self, Self::Included | Self::Routed)
    }
}
