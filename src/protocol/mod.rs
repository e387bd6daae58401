//! A version of the assembly rules, as a value (Directives, "Protocols").

mod builtin;
mod file;

use serde::Deserialize;

use crate::text::Span;

pub use file::Protocols;

/// What differs between `rye-1`, `rye-2`, `rye-3` and what a protocol file defines.
#[derive(Debug, Clone, PartialEq)]
pub struct Protocol {
    /// Its name.
    pub name: String,
    /// The parts of the directive prompt, in order.
    pub parts: Vec<Part>,
    /// What stands between them.
    pub joiner: String,
    /// The return instruction as a template, or the wording of the documents.
    pub returns: Returns,
    /// Whether hooks and the chain's items contribute to the messages at all.
    pub context: Scope,
    /// What `<suppress>` acts on.
    pub suppress: Scope,
    /// What a hook that fetches or loads a knowledge item injects.
    pub knowledge: KnowledgeText,
    /// What a chain or directive item contributes.
    pub chain_text: ChainText,
    /// How `resolve_extends` hooks are tried; none where there is no such event.
    pub routing: Option<Routing>,
    /// The tool palette; none where there is none.
    pub tools: Option<ToolRules>,
    /// The tags that `<permissions>` may hold, besides `acknowledge`.
    pub permission_words: Vec<String>,
    /// The folders, relative to `.ai`, in which `hook_conditions.yaml` and `resilience.yaml` are looked for.
    pub hook_conditions: ConfigFolders,
    /// Whether `a.b || c.d` in `${…}` is the first value that is not null.
    pub fallback_operator: bool,
    /// What the transcript events list.
    pub events: Scope,
    /// The embedded bundle that `builtin` means.
    pub builtin: Builtin,
    /// The definitions of it, and of those that it extends, in files of tiers: what they write may reach the prompt. None
    /// of what is built in, and of what the command line names.
    pub defined: Vec<Span>,
}

/// A part of the directive prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The instruction item, else the built-in constant.
    Instruction,
    /// The opening tag with name and description.
    Name,
    /// The cleaned preamble.
    Preamble,
    /// The raw `<permissions>` block.
    Permissions,
    /// The interpolated body.
    Body,
    /// The return instruction.
    Returns,
    /// The closing tag.
    Close,
}

/// How the return instruction is worded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returns {
    /// `<returns>` with an element for each output (Prompt Rendering 1.0.0).
    Elements,
    /// The call of `directive_return` (Prompt Rendering 1.2.0).
    Call,
    /// A template over `fields`, a list of `{name, label}`.
    Template(String),
}

/// Neither, hooks, or hooks and chain items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Nothing.
    None,
    /// Hooks alone.
    Hooks,
    /// Hooks and what the chain declares.
    HooksAndChain,
}

/// What a hook that fetches or loads a knowledge item injects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnowledgeText {
    /// Its text.
    Body,
    /// The whole file.
    File,
}

/// What a chain or directive item contributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChainText {
    /// Its text, and nothing where it has none.
    Body,
    /// What a hook would inject.
    AsHooks,
}

/// How `resolve_extends` hooks are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Routing {
    /// In which order.
    pub order: RoutingOrder,
    /// Whether a match without `set_extends` ends the search.
    pub without_target_stops: bool,
}

/// In which order `resolve_extends` hooks are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoutingOrder {
    /// By layer.
    Layer,
    /// Project, user, built-in.
    Source,
}

/// How the tool palette is put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolRules {
    /// Whether a bare `*` registers every tool.
    pub star_is_all: bool,
    /// Whether the primaries stand in the palette when no capability is declared anywhere.
    pub undeclared_primaries: bool,
}

/// Folders relative to `.ai`, a list a tier; all files found are merged in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigFolders {
    /// System bundles.
    pub system: Vec<String>,
    /// User tier.
    pub user: Vec<String>,
    /// Project tier.
    pub project: Vec<String>,
}

/// An embedded system bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Builtin {
    /// Everything arrives through hooks.
    Hooks,
    /// Identity and behaviour arrive through the bases.
    Layers,
}
