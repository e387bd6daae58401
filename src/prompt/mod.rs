//! The prompt as a value: messages of segments, the layers they belong to, and every decision on the way.
//!
//! All views read this value; none assembles a prompt of its own. It owns what it needs.

mod decision;
mod hook_run;
mod layer_ids;
mod message;
mod parts;
mod reason;
mod subject;
#[cfg(test)]
pub(crate) mod testing;

use std::fmt;
use std::sync::Arc;
use strum::IntoStaticStr;

use crate::diagnostic::Diagnostic;
use crate::interpolate::Redact;
use crate::item::{Directive, Field, Knowledge, Model};
use crate::protocol::{Scope, ToolRules};
use crate::request::Mode;
use crate::store::ItemKind;
use crate::text::{InputFrom, Source, Span};
use crate::tokens::thousands;
use crate::trust::PromptTrust;
use crate::value::{Map, Value};

pub use decision::{Decision, Outcome, Slot};
pub use hook_run::{ActionResult, HookRun, HookVerdict};
pub use layer_ids::LayerIds;
pub use message::{Message, Role, Segment};
pub use parts::{Part, decision_title, layer_texts, layer_title, tool_text, tool_tokens};
pub use reason::wins_over;
pub use subject::{SectionSource, Subject, SystemSection, Variant};

/// What the model would get, and why.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// Name of the protocol.
    pub protocol: String,
    /// The files of tiers that define it, whose words may stand in the messages.
    pub protocol_defined: Vec<Span>,
    /// Who reads the prompt.
    pub mode: Mode,
    /// What may come into it besides the directive; nothing in-thread.
    pub context: Scope,
    /// How capabilities are read; none where there is no tool palette.
    pub tool_rules: Option<ToolRules>,
    /// What it is the prompt of.
    pub subject: Subject,
    /// The model it asks for, and what counts.
    pub model: ModelInfo,
    /// Defaults, overlaid by the directive's, overlaid by the request's.
    pub limits: Map,
    /// What the chain grants.
    pub permissions: Vec<Grant>,
    /// What is left of that below a parent's capabilities, `directive_return` included.
    pub capabilities: Vec<Grant>,
    /// The named outputs.
    pub outputs: Vec<OutputInfo>,
    /// The inputs in order of declaration, then undeclared ones.
    pub inputs: Vec<Input>,
    /// The extends chain, root first, the directive itself last.
    pub chain: Vec<ChainMember>,
    /// The messages, a system message first if there is one.
    pub messages: Vec<Message>,
    /// What contributed to the messages, in order.
    pub layers: Vec<Layer>,
    /// Everything that was considered, in assembly order.
    pub decisions: Vec<Decision>,
    /// Every hook in evaluation order, those whose event does not happen last; empty unless the request asks for them.
    pub hooks: Vec<HookRun>,
    /// What the command line makes different, as it was typed.
    pub what_if: Vec<String>,
    /// Which values are shown, and counted, by their names alone.
    pub redact: Redact,
    /// The configuration that was looked at, file by file in the order of reading.
    pub configuration: Vec<Section>,
    /// The knowledge items that were read, in that order.
    pub knowledge: Vec<Arc<Knowledge>>,
    /// The tool palette in order.
    pub tools: Vec<ToolEntry>,
    /// The tools for which its budget has no room, in the order considered.
    pub tools_left_out: Vec<ToolEntry>,
    /// How much of the palette's budget is used; none where there is no palette.
    pub budget: Option<Budget>,
    /// Transcript events.
    pub events: Vec<Event>,
    /// The sections of the system prompt of a folder; none of a directive.
    pub sections: Vec<SystemSection>,
    /// What each prompt of the user gets where extensions have a part in it.
    pub variants: Vec<Variant>,
    /// What is known of where its parts come from; none where that was not asked.
    pub trust: Option<PromptTrust>,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

/// The directive of a prompt.
#[derive(Debug, Clone)]
pub struct DirectiveInfo {
    /// The id as asked for.
    pub id: String,
    /// Its declared name.
    pub name: Option<Field>,
    /// Its declared version.
    pub version: Option<Field>,
    /// Its file.
    pub source: Arc<Source>,
}

/// The model of a prompt.
#[derive(Debug, Clone)]
pub struct ModelInfo {
    /// What the directive declares.
    pub declared: Model,
    /// The value that conditions and `${model}` see; empty where nothing names a model.
    pub effective: String,
}

/// A named output.
#[derive(Debug, Clone)]
pub struct OutputInfo {
    /// Its name.
    pub name: String,
    /// Its type, `string` if none is written.
    pub output_type: String,
    /// Whether it is required.
    pub required: bool,
    /// Its description, empty if none.
    pub description: String,
}

/// An input and where its value came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// Its name.
    pub name: Arc<str>,
    /// Its value; for a placeholder the text that stands for it.
    pub value: Value,
    /// Who gave it.
    pub from: InputFrom,
    /// The attribute that declares the default.
    pub default_span: Option<Span>,
}

/// A directive of the extends chain.
#[derive(Debug, Clone)]
pub struct ChainMember {
    /// Its id.
    pub id: String,
    /// Its file.
    pub source: Arc<Source>,
    /// What it declares; none for a parent that has nothing to give.
    pub directive: Option<Arc<Directive>>,
    /// What leads to its parent: its own `extends`, the hook that sets it, or the command line.
    pub extends: Option<Declared>,
}

impl ChainMember {
    /// Its declared name.
    pub fn name(&self) -> Option<&str> {
        self.directive.as_ref()?.name.as_ref().map(Field::as_str)
    }
}

/// A capability and what grants it.
#[derive(Debug, Clone)]
pub struct Grant {
    /// `rye.execute.tool.rye.file-system.*`; `/` counts as `.`.
    pub capability: String,
    /// The declaration.
    pub by: Declared,
}

/// One contribution to a message.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Unique in the prompt: slot and name, with a number where that repeats.
    pub id: String,
    /// Index into the messages.
    pub message: usize,
    /// Its place in the assembly order.
    pub slot: Slot,
    /// What it is.
    pub kind: LayerKind,
    /// Hook id or item id.
    pub name: String,
    /// The item whose text it is.
    pub item: Option<ItemRef>,
    /// What asked for it.
    pub declared_by: Option<Declared>,
    /// Whether it stands in an element of its own.
    pub wrap: bool,
    /// Its bytes.
    pub bytes: usize,
}

/// What a layer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum LayerKind {
    /// Text that a hook loads.
    Hook,
    /// A knowledge item that the chain or the directive declares, or a file of instructions for a folder.
    Context,
    /// The instruction in front of a directive.
    Instruction,
    /// The directive's own prompt.
    Directive,
    /// An earlier message of a resumed thread.
    Message,
    /// The base of the system prompt of a folder.
    Base,
    /// What is appended to the base.
    Append,
    /// What introduces the skills that an agent may read.
    Skills,
    /// A skill, as the agent sees it.
    Skill,
    /// Date and working folder.
    Environment,
    /// What an extension adds.
    Extension,
    /// What the user asks.
    Prompt,
}

/// An item and the range of it that counts.
#[derive(Debug, Clone)]
pub struct ItemRef {
    /// Its kind.
    pub kind: ItemKind,
    /// Its id.
    pub id: String,
    /// The text taken, or the whole file; none where the item was not found, or not looked for.
    pub span: Option<Span>,
}

/// What asked for something: a hook or a directive, and its declaration.
#[derive(Debug, Clone)]
pub struct Declared {
    /// `hook ctx_environment`, `app/base`.
    pub by: String,
    /// The declaration; none for what no file declares.
    pub span: Option<Span>,
}

/// A tool of the palette.
#[derive(Debug, Clone)]
pub struct ToolEntry {
    /// The name that the API sees.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its JSON Schema.
    pub input_schema: Value,
    /// Its id.
    pub item_id: String,
    /// The primary action that a call is routed to.
    pub primary: &'static str,
    /// Its file; none for `directive_return`.
    pub source: Option<Arc<Source>>,
    /// What declares its schema: from the name to the end of the value.
    pub schema_span: Option<Span>,
    /// Likewise its description.
    pub description_span: Option<Span>,
}

/// A part of a configuration file that a prompt may depend on.
#[derive(Debug, Clone)]
pub struct Section {
    /// Its key in the file: `hooks`, `context_hooks`, `limits`, `tool_preload`.
    pub key: &'static str,
    /// From the key to the end of its value.
    pub span: Span,
}

/// The budget of the palette, in tokens of four characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// What the tools within it use.
    pub used: usize,
    /// `tool_preload.max_tokens`.
    pub limit: usize,
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} tokens", thousands(self.used), thousands(self.limit))
    }
}

/// A transcript event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// After the system message was assembled.
    SystemPrompt {
        /// The system message.
        text: String,
        /// What contributed.
        layers: Vec<String>,
    },
    /// After the user message was assembled.
    ContextInjected {
        /// What contributed before the directive.
        before: Vec<String>,
        /// What contributed after it.
        after: Vec<String>,
    },
}
