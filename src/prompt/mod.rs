//! The prompt as a value: messages of segments, the layers they belong to, and every decision on the way.
//!
//! All views read this value; none assembles a prompt of its own. It owns what it needs.

mod hook_run;
mod parts;
mod reason;
#[cfg(test)]
pub(crate) mod testing;

use std::fmt;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::interpolate::Redact;
use crate::item::{Directive, Field, Knowledge, Model};
use crate::protocol::{Scope, ToolRules};
use crate::request::Mode;
use crate::store::ItemKind;
use crate::text::{InputFrom, Origin, Source, Span, Traced};
use crate::tokens::thousands;
use crate::value::{Map, Value};

pub use hook_run::{ActionResult, HookRun, HookVerdict};
pub use parts::Part;
pub use reason::wins_over;

/// What the model would get, and why.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// Name of the protocol.
    pub protocol: String,
    /// Who reads the prompt.
    pub mode: Mode,
    /// What may come into it besides the directive; nothing in-thread.
    pub context: Scope,
    /// How capabilities are read; none where there is no tool palette.
    pub tool_rules: Option<ToolRules>,
    /// The directive asked for.
    pub directive: DirectiveInfo,
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
    /// The value that conditions and `${model}` see.
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

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The system message.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool's answer.
    Tool,
}

impl Role {
    /// The word that output uses.
    pub fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// One message: a string, and runs of it with origin and layer.
#[derive(Debug, Clone)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    text: String,
    runs: Vec<Run>,
}

#[derive(Debug, Clone)]
struct Run {
    end: usize,
    layer: Option<usize>,
    origin: Origin,
}

/// A run of bytes of one origin and one layer.
#[derive(Debug, Clone, Copy)]
pub struct Segment<'a> {
    /// Byte offset in the message.
    pub at: usize,
    /// The bytes.
    pub text: &'a str,
    /// Index into the prompt's layers; none for separators.
    pub layer: Option<usize>,
    /// Where the bytes came from.
    pub origin: &'a Origin,
}

impl Message {
    /// An empty message.
    pub fn new(role: Role) -> Self {
        Self { role, text: String::new(), runs: Vec::new() }
    }

    /// The exact text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Appends a layer's text, or a separator, which belongs to none.
    ///
    /// Two separators that follow each other, as around a layer without text, are one run.
    pub fn push(&mut self, text: &Traced, layer: Option<usize>) {
        for segment in text.segments() {
            let end = self.text.len() + segment.at + segment.text.len();
            match self.runs.last_mut() {
                Some(Run { end: last, layer: None, origin: Origin::Protocol })
                    if layer.is_none() && *segment.origin == Origin::Protocol =>
                {
                    *last = end;
                }
                _ => self.runs.push(Run { end, layer, origin: segment.origin.clone() }),
            }
        }
        self.text.push_str(text.text());
    }
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
}

impl Slot {
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
            Self::SystemHooksBefore | Self::SystemHooksAfter | Self::SystemChain => Some(Role::System),
            Self::UserHooksBefore
            | Self::UserChainBefore
            | Self::UserInstruction
            | Self::UserDirective
            | Self::UserChainAfter
            | Self::UserHooksAfter => Some(Role::User),
            Self::Routing | Self::Chain | Self::Earlier | Self::Palette => None,
        }
    }
}

/// What a layer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerKind {
    /// Text that a hook loads.
    Hook,
    /// A knowledge item that the chain or the directive declares.
    Context,
    /// The instruction in front of a directive.
    Instruction,
    /// The directive's own prompt.
    Directive,
    /// An earlier message of a resumed thread.
    Message,
}

impl LayerKind {
    /// The word that output uses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hook => "hook",
            Self::Context => "context",
            Self::Instruction => "instruction",
            Self::Directive => "directive",
            Self::Message => "message",
        }
    }
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
