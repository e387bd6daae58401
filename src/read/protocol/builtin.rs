use super::{
    Builtin, ChainText, ConfigFolders, ContextScope, KnowledgeText, PromptPart, Protocol, Returns, Routing,
    RoutingOrder, ToolRules,
};

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

impl Protocol {
    pub const BUILTIN: [&str; 3] = ["rye-1", "rye-2", "rye-3"];

    /// The protocol used if none is named.
    pub const DEFAULT: &str = "rye-3";

    /// A built-in protocol by name (Directives, "Protocols").
    pub fn builtin(name: &str) -> Option<Self> {
        match name {
            "rye-1" => Some(Self::rye_1()),
            "rye-2" => Some(Self::rye_2()),
            "rye-3" => Some(Self::rye_3()),
            _ => None,
        }
    }

    /// Prompt Rendering 1.0.0: only the directive, with its preamble.
    fn rye_1() -> Self {
        use PromptPart::{Body, Close, Instruction, Name, Preamble, Returns as ReturnsPart};
        Self {
            name: "rye-1".to_string(),
            parts: vec![Instruction, Name, Preamble, Body, ReturnsPart, Close],
            joiner: "\n\n".to_string(),
            returns: Returns::Elements,
            context: ContextScope::None,
            suppress: ContextScope::None,
            knowledge: KnowledgeText::Body,
            chain_text: ChainText::AsHooks,
            routing: None,
            tools: None,
            permission_words: words(&["execute", "search", "load", "sign"]),
            hook_conditions: ConfigFolders::default(),
            fallback_operator: false,
            events: ContextScope::None,
            builtin: Builtin::Hooks,
            defined: Vec::new(),
        }
    }

    /// Prompt Rendering 1.2.0 with Context Injection 1.0.0: all context arrives through hooks.
    fn rye_2() -> Self {
        use PromptPart::{Body, Close, Name, Permissions, Returns as ReturnsPart};
        Self {
            name: "rye-2".to_string(),
            parts: vec![Name, Permissions, Body, ReturnsPart, Close],
            joiner: "\n".to_string(),
            returns: Returns::Call,
            context: ContextScope::HooksAndChain,
            suppress: ContextScope::Hooks,
            hook_conditions: ConfigFolders {
                system: words(&["config/agent"]),
                user: words(&["config", "config/agent"]),
                project: words(&["config", "config/agent"]),
            },
            events: ContextScope::Hooks,
            ..Self::rye_1()
        }
    }

    /// Prompt Rendering 1.2.0 with Context Injection 2.0.0: routing, the extends chain, the tool palette.
    fn rye_3() -> Self {
        Self {
            name: "rye-3".to_string(),
            suppress: ContextScope::HooksAndChain,
            chain_text: ChainText::Body,
            routing: Some(Routing { order: RoutingOrder::Layer, without_target_stops: true }),
            tools: Some(ToolRules { star_is_all: true, undeclared_primaries: true }),
            permission_words: words(&["execute", "fetch", "sign"]),
            hook_conditions: ConfigFolders {
                system: words(&["config/agent"]),
                user: words(&["config/agent"]),
                project: words(&["config/agent"]),
            },
            fallback_operator: true,
            events: ContextScope::HooksAndChain,
            builtin: Builtin::Layers,
            defined: Vec::new(),
            ..Self::rye_2()
        }
    }
}
