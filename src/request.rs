//! What is asked for, after arguments and files were read: the whole input of a render besides the tiers.

use std::sync::Arc;
use strum::{EnumString, IntoStaticStr, VariantArray};

pub use crate::inputs::GivenInput;
pub use crate::interpolate::{Environment, Redact};
use crate::item::{Context, Field};
use crate::prompt::Role;
use crate::text::Source;
use crate::value::Value;

/// Everything that decides a prompt besides tiers and protocol. Time, environment and the working folder come in
/// here alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The directive.
    pub directive: DirectiveRef,
    /// The folder that hook text sees as `${project_path}`.
    pub project_path: String,
    /// Managed thread, or inside the caller's.
    pub mode: Mode,
    /// Fresh or resumed.
    pub event: ThreadEvent,
    /// The earlier messages of a resumed thread.
    pub messages: Vec<SentMessage>,
    /// Given inputs, one a name, in the order given.
    pub inputs: Vec<GivenInput>,
    /// Whether a required input without a value is shown as `{input:name}`.
    pub placeholders: bool,
    /// Whether the request is for many directives: one that does not declare an input goes without it, and one that has
    /// no hook or item of a name in [`WhatIf`] stays as it is.
    pub for_many: bool,
    /// What `{env:…}` sees.
    pub environment: Arc<Environment>,
    /// Which values are hidden.
    pub redact: Redact,
    /// `--model`.
    pub model: Option<String>,
    /// `--limit`, in order.
    pub limits: Vec<(String, Value)>,
    /// How deep the thread is below its root.
    pub depth: u64,
    /// The parent thread's id.
    pub parent_thread: Option<String>,
    /// The id of the thread that a resumed one goes on from.
    pub previous_thread: Option<String>,
    /// Capabilities of the parent thread, which narrow those of the directive.
    pub parent_capabilities: Vec<String>,
    /// What would be different.
    pub what_if: WhatIf,
    /// Whether the prompt says of every hook what it saw, which costs a look at conditions that decide nothing.
    pub records_hooks: bool,
}

/// Changes to what the files say, to see what would come of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WhatIf {
    /// Hook ids and item ids to suppress, as `<suppress>` in the directive would.
    pub suppress: Vec<String>,
    /// Another parent of the directive, whatever it extends and hooks say.
    pub set_extends: Option<String>,
    /// Ids of hooks to leave out.
    pub without_hooks: Vec<String>,
    /// Knowledge items to add, after the directive's own.
    pub with_context: Vec<(Position, String)>,
    /// Tiers that are not among those that are searched.
    pub without_tiers: Vec<String>,
}

impl WhatIf {
    /// Everything, as it is typed.
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

/// Where a directive may place a knowledge item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Position {
    /// `<system>`: in the system message.
    System,
    /// `<before>`: before the directive.
    Before,
    /// `<after>`: after it.
    After,
}

impl Position {
    /// What a directive places there.
    pub fn of(self, context: &Context) -> &[Field] {
        match self {
            Self::System => &context.system,
            Self::Before => &context.before,
            Self::After => &context.after,
        }
    }

    /// Everything that a directive places, by position.
    pub fn all_of(context: &Context) -> impl Iterator<Item = (Self, &Field)> {
        Self::VARIANTS
            .iter()
            .copied()
            .flat_map(|position| position.of(context).iter().map(move |field| (position, field)))
    }
}

impl Request {
    /// A fresh managed thread without inputs, environment or limits.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            directive: DirectiveRef { id: id.into(), source: None },
            project_path: String::new(),
            mode: Mode::Thread,
            event: ThreadEvent::Started,
            messages: Vec::new(),
            inputs: Vec::new(),
            placeholders: false,
            for_many: false,
            environment: Arc::default(),
            redact: Redact::default(),
            model: None,
            limits: Vec::new(),
            depth: 0,
            parent_thread: None,
            previous_thread: None,
            parent_capabilities: Vec::new(),
            what_if: WhatIf::default(),
            records_hooks: false,
        }
    }
}

/// Which directive is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectiveRef {
    /// Its id.
    pub id: String,
    /// Its file, when a file was named rather than an id.
    pub source: Option<Arc<Source>>,
}

/// Where a directive runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Mode {
    /// In a managed thread.
    #[default]
    Thread,
    /// In the caller's own thread.
    InThread,
}

/// What happens to the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum ThreadEvent {
    /// `thread_started`
    #[default]
    #[strum(serialize = "thread_started")]
    Started,
    /// `thread_continued`
    #[strum(serialize = "thread_continued")]
    Continued,
}

/// An earlier message of a resumed thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMessage {
    /// Who spoke.
    pub role: Role,
    /// The exact text.
    pub text: String,
}
