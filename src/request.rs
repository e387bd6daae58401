//! The input of a render besides the tiers, once arguments and files are read.

use std::sync::Arc;

use strum::VariantArray;

pub use crate::inputs::GivenInput;
pub use crate::interpolate::{Environment, Redact};
use crate::item::{ContextDeclaration, ItemField};
use crate::prompt::Role;
use crate::text::Source;
use crate::value::Value;

/// Everything that decides a prompt besides tiers and protocol: time, environment and the working folder come in only
/// here.
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
    /// Whether the request is for many directives. Inputs that one does not declare, and names in [`WhatIf`] that it
    /// does not have, are then ignored.
    pub for_many: bool,
    pub environment: Arc<Environment>,
    pub redact: Redact,
    pub model: Option<String>,
    /// `--limit`, in order.
    pub limits: Vec<(String, Value)>,
    /// How deep the thread is below its root.
    pub depth: u64,
    pub parent_thread: Option<String>,
    /// The thread that a resumed one continues.
    pub previous_thread: Option<String>,
    /// Capabilities of the parent thread, which narrow those of the directive.
    pub parent_capabilities: Vec<String>,
    pub what_if: WhatIf,
    /// Whether the prompt records what each hook saw, which costs evaluating conditions that decide nothing.
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
    /// Its file, if a file was named instead of an id.
    pub source: Option<Arc<Source>>,
}

/// Changes to what the files say, to see their effect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WhatIf {
    /// Hook ids and item ids to suppress, as `<suppress>` in the directive would.
    pub suppress: Vec<String>,
    /// The directive's parent, overriding `extends` and routing hooks.
    pub set_extends: Option<String>,
    /// Ids of hooks to leave out.
    pub without_hooks: Vec<String>,
    /// Knowledge items to add, after the directive's own.
    pub with_context: Vec<(Position, String)>,
    /// Tiers not to search.
    pub without_tiers: Vec<String>,
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
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, strum::EnumString, strum::IntoStaticStr, VariantArray,
)]
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Mode {
    /// A managed thread.
    #[default]
    Thread,
    /// Inside the caller's thread.
    InThread,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::IntoStaticStr)]
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
