//! The assembled prompt: its messages, layers and decisions. Every view reads it; none assembles a prompt.

mod agent;
mod decision;
pub mod digest;
pub mod json;
mod message;
pub(crate) mod sent;
mod subject;
#[cfg(test)]
pub(crate) mod testing;
mod trust;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::decide::request::Mode;
use crate::decide::request::Redact;
use crate::diagnostic::{Diagnostic, Severity};
use crate::read::item::{Directive, ItemField, Knowledge, ModelDeclaration};
use crate::read::protocol::{ContextScope, ToolRules};
use crate::read::store::{Installed, ItemKind};
use crate::read::value::{Map, Value};
use crate::text::numbers::thousands;
use crate::text::{InputFrom, Source, Span};

pub use crate::decide::request::Role;
pub use agent::{
    AgentUse, FileNote, FileOutcome, FileReason, FileState, HiddenKind, HiddenText, InstalledAgent, NoteStep,
    RepositoryOnly, TouchedFile, WaitingFile,
};
pub use decision::{ActionResult, Decision, DecisionOutcome, HookRun, HookVerdict, Slot, wins_over};
pub use message::{
    Message, MessagePart, MessageSegment, decision_title, layer_parts, layer_title, no_message, tool_text, tool_tokens,
};
pub use subject::{PromptSubject, PromptTurn, SectionSource, SystemSection};
pub use trust::{PartTrust, PromptTrust, Verifier};

#[derive(Debug, Clone, Default)]
pub struct Prompt {
    pub protocol: String,
    pub installed: Option<Installed>,
    /// The coding agent; `None` for directives.
    pub agent: Option<AgentUse>,
    /// What became of the files around an agent's folder, sorted by path.
    pub files: Vec<FileOutcome>,
    /// About those of them that a question names.
    pub notes: Vec<FileNote>,
    /// Protocol definitions from tier files; their text may be in the messages.
    pub protocol_defined: Vec<Span>,
    pub mode: Mode,
    /// What the prompt may contain besides the directive; an in-thread prompt contains nothing else.
    pub context: ContextScope,
    /// `None` without a tool palette.
    pub tool_rules: Option<ToolRules>,
    pub subject: PromptSubject,
    pub model: ModelInfo,
    /// The defaults, overridden by the directive's limits and then by the request's.
    pub limits: Map,
    /// The settings that something sets, used or not.
    pub settings: Vec<Setting>,
    pub permissions: Vec<Grant>,
    /// The permissions that the parent's capabilities allow, and `directive_return`.
    pub capabilities: Vec<Grant>,
    pub outputs: Vec<OutputInfo>,
    /// Declared inputs in order, then undeclared ones.
    pub inputs: Vec<PromptInput>,
    /// Root first, the directive itself last.
    pub chain: Vec<ChainMember>,
    /// The system message, if any, comes first.
    pub messages: Vec<Message>,
    /// What joins after the first request, whose messages come first.
    pub touched: Vec<TouchedFile>,
    pub layers: Vec<Layer>,
    /// Everything considered, in assembly order.
    pub decisions: Vec<Decision>,
    /// In evaluation order, followed by hooks whose event does not occur. Empty unless the request records hooks.
    pub hooks: Vec<HookRun>,
    pub what_if: Vec<String>,
    /// Which values are replaced by their names, in text and in counts.
    pub redact: Redact,
    /// The configuration that was read, file by file.
    pub configuration: Vec<ConfigurationSection>,
    /// The knowledge items that were read, in order.
    pub knowledge: Vec<Arc<Knowledge>>,
    pub tools: Vec<ToolEntry>,
    /// The tools that exceed the budget, in the order considered.
    pub tools_left_out: Vec<ToolEntry>,
    /// `None` without a palette.
    pub budget: Option<PaletteBudget>,
    pub events: Vec<TranscriptEvent>,
    /// The sections of a folder's system prompt; empty for a directive.
    pub sections: Vec<SystemSection>,
    /// What extensions contribute to each user prompt.
    pub variants: Vec<PromptTurn>,
    /// `None` unless the signatures were checked.
    pub trust: Option<PromptTrust>,
    /// `None` unless the prompt is that of a repository alone.
    pub repository: Option<RepositoryOnly>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Prompt {
    /// The messages of the first request, without what joins later.
    pub fn request(&self) -> &[Message] {
        let end = self.touched.first().map_or(self.messages.len(), |touched| touched.messages.start);
        &self.messages[..end]
    }

    /// Why the agent refuses to start in the folder, so that there is no prompt.
    pub fn refusal(&self) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|it| it.severity() == Severity::Error)
    }

    /// `ryeos 0.1.23`: the package that the system tier is from; `0.169.0 installed`: the agent's release.
    pub fn installed_phrase(&self) -> Option<String> {
        let of_agent = || Some(format!("{} installed", self.agent.as_ref()?.installed.as_ref()?.version));
        self.installed.as_ref().map(ToString::to_string).or_else(of_agent)
    }

    /// Whether the wording of some text of the agent itself is unknown.
    pub fn has_unknown_text(&self) -> bool {
        self.messages.iter().flat_map(Message::segments).any(|segment| segment.origin.is_unknown())
    }
}

#[derive(Debug, Clone)]
pub struct DirectiveInfo {
    pub id: String,
    pub name: Option<ItemField>,
    pub version: Option<ItemField>,
    pub source: Arc<Source>,
}

#[derive(Debug, Clone, Default)]
pub struct ModelInfo {
    pub declared: ModelDeclaration,
    /// The model in `${model}` and in conditions; empty if nothing names a model.
    pub effective: String,
}

/// A named output.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Output"))]
pub struct OutputInfo {
    pub name: String,
    /// Its type, `string` if none is declared.
    #[serde(rename = "type")]
    pub output_type: String,
    pub required: bool,
    pub description: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PromptInput {
    pub name: Arc<str>,
    /// For a placeholder, the text shown instead.
    pub value: Value,
    pub from: InputFrom,
    pub default_span: Option<Span>,
}

#[derive(Debug, Clone)]
pub struct ChainMember {
    pub id: String,
    pub source: Arc<Source>,
    /// `None` for a parent whose file cannot be used.
    pub directive: Option<Arc<Directive>>,
    /// What sets its parent: `extends`, a hook or the command line.
    pub extends: Option<Declared>,
}

impl ChainMember {
    pub fn name(&self) -> Option<&str> {
        self.directive.as_ref()?.name.as_ref().map(ItemField::as_str)
    }
}

/// A capability in effect.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Grant {
    /// For example `rye.execute.tool.rye.file-system.*`; `/` is equivalent to `.`.
    pub capability: String,
    /// The declaration.
    pub by: Declared,
}

#[derive(Debug, Clone)]
pub struct Layer {
    /// Unique in the prompt: slot and name, numbered if they repeat.
    pub id: String,
    pub message: usize,
    pub slot: Slot,
    pub kind: LayerKind,
    pub name: String,
    pub item: Option<ItemRef>,
    pub declared_by: Option<Declared>,
    pub wrap: bool,
    pub bytes: usize,
}

#[derive(Debug, Clone, Default)]
pub struct LayerIds {
    /// The ids in use, and how often each was requested.
    used: HashMap<String, usize>,
}

impl LayerIds {
    pub fn next(&mut self, slot: Slot, name: &str) -> String {
        let plain = format!("{}/{name}", slot.into_str());
        let mut id = plain.clone();
        while self.used.contains_key(&id) {
            let count = self.used.entry(plain.clone()).or_default();
            *count += 1;
            id = format!("{plain}#{}", *count + 1);
        }
        self.used.insert(id.clone(), 0);
        id
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum LayerKind {
    Hook,
    /// A knowledge item of the chain, or an instruction file for a folder.
    Context,
    Instruction,
    Directive,
    Message,
    /// Text of the agent itself.
    Own,
    Base,
    Append,
    Skills,
    Skill,
    Environment,
    Extension,
    Prompt,
}

#[derive(Debug, Clone, Serialize)]
pub struct ItemRef {
    #[serde(rename = "type")]
    pub kind: ItemKind,
    pub id: String,
    /// The text used, or the whole file; `None` if the item was not found or not looked up.
    #[serde(rename = "source")]
    pub span: Option<Span>,
}

/// What declares something, such as a hook or a directive, and where.
#[derive(Debug, Clone, Serialize)]
pub struct Declared {
    /// `hook ctx_environment`, `app/base`.
    pub by: String,
    /// `None` if no file declares it.
    #[serde(rename = "source")]
    pub span: Option<Span>,
}

impl Declared {
    pub fn decides(&self) -> String {
        format!("{} decides it", self.by)
    }

    /// The place of the declaration, or its name if no file holds it.
    pub fn place(&self) -> String {
        self.span.as_ref().map_or_else(|| self.by.clone(), Span::file_line)
    }
}

#[derive(Debug, Clone)]
pub struct ToolEntry {
    pub name: String,
    pub description: String,
    pub input_schema: Value,
    pub item_id: String,
    /// The primary action that a call is routed to.
    pub primary: &'static str,
    /// `None` for `directive_return`.
    pub source: Option<Arc<Source>>,
    /// From the name to the end of the value.
    pub schema_span: Option<Span>,
    pub description_span: Option<Span>,
}

#[derive(Debug, Clone)]
pub struct ConfigurationSection {
    /// `hooks`, `context_hooks`, `limits` or `tool_preload`.
    pub key: &'static str,
    pub span: Span,
}

/// A setting in effect.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Setting {
    /// `limits.spend`, `model`, `tool_preload.max_tokens`.
    pub name: String,
    /// Whether a text, an id, a condition or the palette depends on it.
    #[serde(skip)]
    pub is_used: bool,
    #[serde(flatten)]
    pub set: SettingValue,
    /// The values that it overrides, the nearest first.
    pub overrides: Vec<SettingValue>,
}

/// A value, and what sets it: a flag, a directive, the tier of a configuration file, or `the default of rye-3`.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SettingValue {
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    pub value: Value,
    #[serde(flatten)]
    pub by: Declared,
}

/// The limits with a path that is `unlimited` if nothing sets them.
pub const UNLIMITED: [(&str, &str); 2] = [("limits.spend", "spend_limit"), ("limits.turns", "max_turns")];

/// Whether a path into a hook context reads a setting, a part of it, or all settings of its kind.
pub fn reads_setting(path: &str, setting: &str) -> bool {
    let contains = |outer: &str, inner: &str| {
        outer.is_empty() || inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let path = UNLIMITED.iter().find(|(_, of)| *of == path).map_or(path, |(limit, _)| limit);
    contains(path, setting) || contains(setting, path)
}

/// The budget of the palette, in tokens of four characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaletteBudget {
    pub used: usize,
    /// `tool_preload.max_tokens`.
    pub limit: usize,
}

impl fmt::Display for PaletteBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} tokens", thousands(self.used), thousands(self.limit))
    }
}

/// A transcript event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render event"))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TranscriptEvent {
    /// Emitted after the system message is assembled.
    SystemPrompt {
        text: String,
        /// Ids of the layers, in order.
        layers: Vec<String>,
    },
    /// Emitted after the user message is assembled.
    ContextInjected {
        /// Ids of the layers before the directive.
        before: Vec<String>,
        /// Ids of the layers after the directive.
        after: Vec<String>,
    },
}
