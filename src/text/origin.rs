use std::sync::Arc;
use strum::IntoStaticStr;

use super::Span;

/// Where a run of bytes came from (Output contract, "origin").
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// Exactly these bytes of a file.
    File(Span),
    /// Computed from this range of a file: decoded entities, values printed by rule, wrapper names, text that is
    /// not contiguous in the file.
    Derived(Span),
    /// The value of an input.
    Input {
        /// The input's name.
        name: Arc<str>,
        /// Who gave the value.
        from: InputFrom,
        /// The attribute that declares the default, when `from` is [`InputFrom::Default`].
        source: Option<Span>,
    },
    /// The value of an environment variable.
    Env(Arc<str>),
    /// A value of the hook context, by its path.
    Variable(Arc<str>),
    /// Text given on the command line, by the name of the argument.
    Argument(Arc<str>),
    /// Fixed text of the protocol: tags, separators, sentences.
    Protocol,
}

impl Origin {
    /// `input target (flag)`, `env HOME`, `${model}`, `--messages`; none for text of a file or of the protocol.
    pub fn value_name(&self) -> Option<String> {
        Some(match self {
            Self::Input { name, from, .. } => format!("input {name} ({})", from.into_str()),
            Self::Env(name) => format!("env {name}"),
            Self::Variable(name) => format!("${{{name}}}"),
            Self::Argument(name) => argument(name),
            Self::File(_) | Self::Derived(_) | Self::Protocol => return None,
        })
    }
}

/// An argument as it is typed: a flag, or one that stands on its own in capitals.
pub fn argument(name: &str) -> String {
    if name.chars().all(char::is_uppercase) { name.to_string() } else { format!("--{name}") }
}

/// Who gave the value of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum InputFrom {
    /// `--input` or `--input-json`.
    Flag,
    /// `--inputs FILE`, or an example of the settings.
    File,
    /// `--inputs -`.
    Stdin,
    /// The directive's own default.
    Default,
    /// `--placeholders`: no value was given.
    Placeholder,
}
