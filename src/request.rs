//! What is asked for, after arguments and files were read: the whole input of a render besides the tiers.

use std::sync::Arc;

pub use crate::inputs::GivenInput;
pub use crate::interpolate::{Environment, Redact};
use crate::prompt::Role;
use crate::text::Source;
use crate::value::Value;

/// Everything that decides a prompt besides tiers and protocol. Time, environment and the working folder come in
/// here alone.
#[derive(Debug, Clone)]
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
    /// Whether the inputs are for many directives: one that does not declare an input goes without it.
    pub shared_inputs: bool,
    /// What `{env:…}` sees.
    pub environment: Environment,
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
            shared_inputs: false,
            environment: Environment::default(),
            redact: Redact::default(),
            model: None,
            limits: Vec::new(),
            depth: 0,
            parent_thread: None,
            previous_thread: None,
            parent_capabilities: Vec::new(),
        }
    }
}

/// Which directive is asked for.
#[derive(Debug, Clone)]
pub struct DirectiveRef {
    /// Its id.
    pub id: String,
    /// Its file, when a file was named rather than an id.
    pub source: Option<Arc<Source>>,
}

/// Where a directive runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// In a managed thread.
    #[default]
    Thread,
    /// In the caller's own thread.
    InThread,
}

/// What happens to the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThreadEvent {
    /// `thread_started`
    #[default]
    Started,
    /// `thread_continued`
    Continued,
}

impl ThreadEvent {
    /// The word of the documents.
    pub fn word(self) -> &'static str {
        match self {
            Self::Started => "thread_started",
            Self::Continued => "thread_continued",
        }
    }
}

/// An earlier message of a resumed thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMessage {
    /// Who spoke.
    pub role: Role,
    /// The exact text.
    pub text: String,
}
