use super::{Declared, ItemRef, Role};

/// The places of the assembly order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// Which parent a hook sets.
    Routing,
    /// The directives of the extends chain.
    Chain,
    /// `build_system_prompt` hooks, position before.
    SystemHooksBefore,
    /// `build_system_prompt` hooks, position after.
    SystemHooksAfter,
    /// `<system>` items of the chain.
    SystemChain,
    /// `thread_started` or `thread_continued` hooks, position before.
    UserHooksBefore,
    /// `<before>` items of the chain.
    UserChainBefore,
    /// The instruction of `rye-1` and of in-thread mode.
    UserInstruction,
    /// The directive's own prompt.
    UserDirective,
    /// `<after>` items of the chain.
    UserChainAfter,
    /// Hooks, position after.
    UserHooksAfter,
    /// An earlier message of a resumed thread.
    Earlier,
    /// The tool palette.
    Palette,
    /// The base of the system prompt of a folder.
    SystemBase,
    /// The guidelines in it.
    SystemGuidelines,
    /// What is appended to it.
    SystemAppend,
    /// The files of instructions.
    SystemContext,
    /// The skills.
    SystemSkills,
    /// Date and working folder.
    SystemEnvironment,
    /// What extensions make of the system prompt.
    SystemExtensions,
    /// What the user asks.
    UserPrompt,
    /// Messages that extensions add.
    Injected,
}

impl Slot {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::Routing,
        Self::Chain,
        Self::SystemHooksBefore,
        Self::SystemHooksAfter,
        Self::SystemChain,
        Self::UserHooksBefore,
        Self::UserChainBefore,
        Self::UserInstruction,
        Self::UserDirective,
        Self::UserChainAfter,
        Self::UserHooksAfter,
        Self::Earlier,
        Self::Palette,
        Self::SystemBase,
        Self::SystemGuidelines,
        Self::SystemAppend,
        Self::SystemContext,
        Self::SystemSkills,
        Self::SystemEnvironment,
        Self::SystemExtensions,
        Self::UserPrompt,
        Self::Injected,
    ];

    /// The place that output calls so.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|slot| slot.word() == word)
    }

    /// The word that output uses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Routing => "routing",
            Self::Chain => "chain",
            Self::SystemHooksBefore => "system.hooks_before",
            Self::SystemHooksAfter => "system.hooks_after",
            Self::SystemChain => "system.chain",
            Self::UserHooksBefore => "user.hooks_before",
            Self::UserChainBefore => "user.chain_before",
            Self::UserInstruction => "user.instruction",
            Self::UserDirective => "user.directive",
            Self::UserChainAfter => "user.chain_after",
            Self::UserHooksAfter => "user.hooks_after",
            Self::Earlier => "earlier",
            Self::Palette => "palette",
            Self::SystemBase => "system.base",
            Self::SystemGuidelines => "system.guidelines",
            Self::SystemAppend => "system.append",
            Self::SystemContext => "system.context",
            Self::SystemSkills => "system.skills",
            Self::SystemEnvironment => "system.environment",
            Self::SystemExtensions => "system.extensions",
            Self::UserPrompt => "user.prompt",
            Self::Injected => "injected",
        }
    }

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

/// What became of something that was considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// The word that output uses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Included => "included",
            Self::Suppressed => "suppressed",
            Self::Duplicate => "duplicate",
            Self::ConditionFalse => "condition_false",
            Self::Missing => "missing",
            Self::Empty => "empty",
            Self::OverBudget => "over_budget",
            Self::Shadowed => "shadowed",
            Self::NotRun => "not_run",
            Self::Routed => "routed",
            Self::NotRouted => "not_routed",
        }
    }

    /// The outcome as people say it.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::ConditionFalse => "condition false",
            Self::OverBudget => "over budget",
            Self::NotRun => "not run",
            Self::NotRouted => "not routed",
            outcome => outcome.word(),
        }
    }

    /// Whether it shapes the prompt, rather than being left out.
    pub fn is_in_use(self) -> bool {
        matches!(self, Self::Included | Self::Routed)
    }
}
