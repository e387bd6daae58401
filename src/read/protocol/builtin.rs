use super::{
    Builtin, ChainText, ConfigFolders, ContextScope, HookItems, HookText, KnowledgeText, PromptPart, Protocol, Returns,
    Routing, RoutingModel, RoutingOrder, SchemaSize, ToolRules,
};
use crate::read::value::PathSyntax;

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

impl Protocol {
    pub const BUILTIN: [&str; 4] = ["rye-1", "rye-2", "rye-3", "rye-4"];

    pub const DEFAULT: &str = "rye-3";

    /// A built-in protocol by name (Directives, "Protocols").
    pub fn builtin(name: &str) -> Option<Self> {
        match name {
            "rye-1" => Some(Self::rye_1()),
            "rye-2" => Some(Self::rye_2()),
            "rye-3" => Some(Self::rye_3()),
            "rye-4" => Some(Self::rye_4()),
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
            suppress_alone: true,
            hook_items: HookItems::ItemType,
            hook_text: HookText::ContentKey,
            knowledge: KnowledgeText::Body,
            chain_text: ChainText::AsHooks,
            routing: None,
            tools: None,
            permission_words: words(&["execute", "search", "load", "sign"]),
            hook_conditions: ConfigFolders::default(),
            fallback_operator: false,
            paths: PathSyntax::Dots,
            pipes: false,
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
            returns: Returns::Installed,
            suppress: ContextScope::HooksAndChain,
            chain_text: ChainText::Body,
            routing: Some(Routing::DOCUMENTED),
            tools: Some(ToolRules::DOCUMENTED),
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

    /// The release 0.1.30 (Directives, "The newest release").
    fn rye_4() -> Self {
        Self {
            name: "rye-4".to_string(),
            returns: Returns::Package,
            suppress_alone: false,
            hook_items: HookItems::Kind,
            hook_text: HookText::TextOrFile,
            knowledge: KnowledgeText::File,
            chain_text: ChainText::AsHooks,
            routing: Some(Routing {
                order: RoutingOrder::Source,
                without_target_stops: false,
                model: RoutingModel::Attributes,
            }),
            tools: Some(ToolRules {
                star_is_all: false,
                undeclared_primaries: false,
                execute_for_tools: false,
                primaries_by_pattern: true,
                size: SchemaSize::Python,
            }),
            paths: PathSyntax::Brackets,
            pipes: true,
            ..Self::rye_3()
        }
    }
}
