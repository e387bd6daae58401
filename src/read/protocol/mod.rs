//! The rules of prompt assembly as a value (Directives, "Protocols").

mod builtin;
mod file;

use serde::Deserialize;

use crate::read::value::PathSyntax;
use crate::text::Span;

pub use file::Protocols;

/// The differences between the built-in protocols and those of files.
#[derive(Debug, Clone, PartialEq)]
pub struct Protocol {
    pub name: String,
    pub parts: Vec<PromptPart>,
    pub joiner: String,
    pub returns: Returns,
    /// Whether the messages include hooks and the chain's items.
    pub context: ContextScope,
    pub suppress: ContextScope,
    /// Whether `<suppress>` affects hooks even if the chain places no item.
    pub suppress_alone: bool,
    /// The key of an action that names the kind of its item.
    pub hook_items: HookItems,
    /// The text of a knowledge item that a hook executes.
    pub hook_text: HookText,
    /// The text that a hook injects when it fetches or loads a knowledge item.
    pub knowledge: KnowledgeText,
    /// The text of an item of the chain or the directive.
    pub chain_text: ChainText,
    /// How `resolve_extends` hooks are tried; `None` without routing.
    pub routing: Option<Routing>,
    /// `None` without a tool palette.
    pub tools: Option<ToolRules>,
    /// The tags allowed in `<permissions>` besides `acknowledge`.
    pub permission_words: Vec<String>,
    /// The folders, relative to `.ai`, that may hold `hook_conditions.yaml` and `resilience.yaml`.
    pub hook_conditions: ConfigFolders,
    /// Whether `a.b || c.d` in `${…}` means the first value that is not null.
    pub fallback_operator: bool,
    /// The paths of conditions and of `${…}`.
    pub paths: PathSyntax,
    /// Whether `${path | pipe}` changes the value.
    pub pipes: bool,
    pub events: ContextScope,
    /// The embedded bundle that `builtin` means.
    pub builtin: Builtin,
    /// The definitions, in files of tiers, of this protocol and those it extends: they may affect
    /// the prompt. Empty for built-in protocols and those named on the command line.
    pub defined: Vec<Span>,
}

impl Protocol {
    pub fn suppresses_hooks(&self) -> bool {
        self.suppress != ContextScope::None
    }

    /// Whether `<suppress>` also leaves out the items of the chain.
    pub fn suppresses_items(&self) -> bool {
        self.suppress == ContextScope::HooksAndChain
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptPart {
    /// The instruction item, else the built-in text.
    Instruction,
    Name,
    Preamble,
    Permissions,
    Body,
    Returns,
    Close,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returns {
    /// `<returns>` with an element per output (Prompt Rendering 1.0.0).
    Elements,
    /// The call of `directive_return` (Prompt Rendering 1.2.0).
    Call,
    /// The sentence of an installed package, else [`Self::Call`].
    Installed,
    /// The sentence of the package in the system tier, else [`Self::Call`].
    Package,
    /// A template over `fields`, a list of `{name, label}`.
    Template(String),
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextScope {
    #[default]
    None,
    Hooks,
    HooksAndChain,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookItems {
    #[default]
    ItemType,
    /// `kind`, by default `tool`; `item_type` is only shown.
    Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookText {
    /// The first of the key `content`, the text and the whole file that is not empty.
    ContentKey,
    /// The text, else the whole file; `---` and the key `error` leave the item out.
    TextOrFile,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnowledgeText {
    Body,
    File,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChainText {
    /// The item's text, if it has any.
    Body,
    /// The text that a hook would inject.
    AsHooks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Routing {
    pub order: RoutingOrder,
    /// Whether a match without `set_extends` ends the search.
    pub without_target_stops: bool,
    pub model: RoutingModel,
}

/// What `model` is in the context of routing hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoutingModel {
    /// The model in effect, as in other contexts.
    Effective,
    /// The attributes of `<model>`, as a map.
    Attributes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoutingOrder {
    Layer,
    /// Project, user, built-in.
    Source,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolRules {
    /// Whether a bare `*` registers every tool.
    pub star_is_all: bool,
    /// Whether the palette holds the primaries if no capability is declared anywhere.
    pub undeclared_primaries: bool,
    /// Whether `rye/execute` is registered even if only tools may be executed.
    pub execute_for_tools: bool,
    /// Whether patterns register primaries like other tools.
    pub primaries_by_pattern: bool,
    pub size: SchemaSize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaSize {
    Json,
    /// By its `repr` in Python.
    Python,
}

impl ToolRules {
    /// Those of Context Injection 2.0.0.
    pub const DOCUMENTED: Self = Self {
        star_is_all: true,
        undeclared_primaries: true,
        execute_for_tools: true,
        primaries_by_pattern: false,
        size: SchemaSize::Json,
    };
}

impl Routing {
    /// The rules of Context Injection 2.0.0.
    pub const DOCUMENTED: Self =
        Self { order: RoutingOrder::Layer, without_target_stops: true, model: RoutingModel::Effective };
}

/// Folders relative to `.ai`, per tier; all files found are merged in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigFolders {
    pub system: Vec<String>,
    pub user: Vec<String>,
    pub project: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Builtin {
    Hooks,
    Layers,
}
