//! The request for a prompt, after arguments and files are read.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::decide::completes::Completes;
pub use crate::read::environment::Environment;
use crate::read::item::{ContextDeclaration, ItemField};
use crate::read::value::Value;
use crate::text::words::words;
use crate::text::{InputFrom, Source};

/// Everything besides tiers and protocol that determines a prompt, including time, environment and working folder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    pub directive: DirectiveRef,
    /// The folder that hook text sees as `${project_path}`.
    pub project_path: String,
    pub mode: Mode,
    pub event: ThreadEvent,
    /// The earlier messages of a resumed thread.
    pub messages: Vec<SentMessage>,
    /// In the order given, at most one per name.
    pub inputs: Vec<GivenInput>,
    /// Whether a required input without a value is shown as `{input:name}`.
    pub placeholders: bool,
    /// Whether the request is for many directives. Each then ignores inputs that it does not declare and names in
    /// [`WhatIf`] that it does not have.
    pub for_many: bool,
    pub environment: Arc<Environment>,
    pub redact: Redact,
    pub model: Option<String>,
    /// `--limit`, in order.
    pub limits: Vec<(String, Value)>,
    /// The depth of the thread below its root thread.
    pub depth: u64,
    pub parent_thread: Option<String>,
    /// The thread that a resumed one continues.
    pub previous_thread: Option<String>,
    /// Capabilities of the parent thread, which narrow those of the directive.
    pub parent_capabilities: Vec<String>,
    pub what_if: WhatIf,
    /// Whether the prompt records what each hook saw. This also evaluates conditions that decide nothing.
    pub records_hooks: bool,
}

impl Request {
    /// A fresh managed thread without inputs, environment or limits.
    pub fn new(id: impl Into<String>) -> Self {
        Self { directive: DirectiveRef { id: id.into(), source: None }, ..Self::default() }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct DirectiveRef {
    pub id: String,
    /// The file, if one was named instead of an id.
    pub source: Option<Arc<Source>>,
}

/// An input of the request, which the directive may or may not declare.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenInput {
    pub name: String,
    /// May be null, which also counts as given.
    pub value: Value,
    pub from: InputFrom,
}

/// Which values to show as `‹env:NAME›` and `‹input:name›`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Redact {
    pub env: bool,
    /// Redacts unset variables without a default, too, so that the text does not depend on the environment.
    pub unset_env: bool,
    pub inputs: bool,
}

/// Changes for this run only; nothing on disk changes. The doc comments of the fields are the help texts of the flags.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "What if")]
pub struct WhatIf {
    /// Suppress a hook or an item, as <suppress> does (repeatable).
    #[arg(long, value_name = "ID", hide_short_help = true, add = Completes::Suppressed)]
    pub suppress: Vec<String>,

    /// Replace the parent of the directive.
    ///
    /// It overrides the directive's `extends` and hooks.
    #[arg(long, value_name = "ID", hide_short_help = true, add = Completes::DirectiveId)]
    pub set_extends: Option<String>,

    /// Remove a hook (repeatable).
    #[arg(id = "without_hook", long = "without-hook", value_name = "ID", hide_short_help = true)]
    #[arg(add = Completes::Hook)]
    pub without_hooks: Vec<String>,

    /// Add knowledge at the position system, before or after (repeatable).
    #[arg(long, value_name = "POSITION=ID", value_parser = placed, hide_short_help = true, add = Completes::Context)]
    pub with_context: Vec<(Position, String)>,

    /// Remove a tier: project, user, system or a label (repeatable).
    #[arg(id = "without_tier", long = "without-tier", value_name = "TIER", hide_short_help = true)]
    #[arg(add = Completes::Tier)]
    pub without_tiers: Vec<String>,
}

/// Parses `POSITION=ID`.
fn placed(typed: &str) -> Result<(Position, String), String> {
    let parsed = typed.split_once('=').and_then(|(word, id)| Some((word.parse().ok()?, id.trim().to_string())));
    parsed.filter(|(_, id)| !id.is_empty()).ok_or_else(|| {
        let words = words::<Position>().join(", ");
        format!("write a position ({words}), `=` and the id of a knowledge item")
    })
}

impl WhatIf {
    /// The flags as typed on a command line.
    pub fn flags(&self) -> Vec<String> {
        let each = |flag: &str, ids: &[String]| ids.iter().map(|id| format!("{flag} {id}")).collect::<Vec<_>>();
        let context = self.with_context.iter();
        [
            each("--suppress", &self.suppress),
            each("--set-extends", self.set_extends.as_slice()),
            each("--without-hook", &self.without_hooks),
            context.map(|(position, id)| format!("--with-context {}={id}", position.into_str())).collect(),
            each("--without-tier", &self.without_tiers),
        ]
        .concat()
    }
}

/// Where a directive places a knowledge item: the tag of `<context>` that declares it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray, Serialize,
)]
#[serde(into = "&'static str")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Position {
    System,
    Before,
    After,
}

impl Position {
    /// The items that a directive places here.
    pub fn items(self, context: &ContextDeclaration) -> &[ItemField] {
        match self {
            Self::System => &context.system,
            Self::Before => &context.before,
            Self::After => &context.after,
        }
    }

    /// All items that a directive places, by position.
    pub fn all_items(context: &ContextDeclaration) -> impl Iterator<Item = (Self, &ItemField)> {
        Self::VARIANTS.iter().flat_map(|&position| position.items(context).iter().map(move |field| (position, field)))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Mode {
    /// A managed thread.
    #[default]
    Thread,
    /// Inside the caller's thread.
    InThread,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, IntoStaticStr, VariantArray)]
#[strum(const_into_str)]
pub enum ThreadEvent {
    #[default]
    #[strum(to_string = "thread_started")]
    Started,
    #[strum(to_string = "thread_continued")]
    Continued,
}

/// An earlier message of a resumed thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMessage {
    pub role: Role,
    pub text: String,
}

/// Request bodies of other systems may use the aliases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Role {
    /// OpenAI's newer models call it `developer`.
    #[serde(alias = "developer")]
    System,
    /// The role of some agents' instructions, beside `System`.
    #[serde(skip_deserializing)]
    Developer,
    User,
    /// Gemini calls it `model`.
    #[serde(alias = "model")]
    Assistant,
    #[serde(alias = "function")]
    Tool,
}

impl Role {
    /// The role as read from what was sent: `developer` is a newer word for `system`.
    pub fn as_sent(self) -> Self {
        if self == Self::Developer { Self::System } else { self }
    }
}
