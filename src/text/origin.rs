use std::sync::Arc;
use strum::IntoStaticStr;

use super::Span;

/// The origin of a run of bytes (Output contract, "origin").
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// Exactly these bytes of a file.
    File(Span),
    /// Computed from this range of a file: decoded entities, formatted values, wrapper names, text that is not
    /// contiguous in the file.
    Derived(Span),
    Input {
        name: Arc<str>,
        from: InputFrom,
        /// The attribute that declares the default, for [`InputFrom::Default`].
        source: Option<Span>,
    },
    Env(Arc<str>),
    Variable {
        name: Arc<str>,
        /// What decides the value, if a file does: a setting, an attribute, the body.
        source: Option<Span>,
    },
    /// Text given on the command line, by argument name.
    Argument(Arc<str>),
    /// Fixed text of the protocol: tags, separators, sentences.
    Protocol,
    /// A coding agent's own text, which no file of the user or the repository decides.
    Base {
        id: Arc<str>,
        from: BaseFrom,
    },
}

impl Origin {
    /// The range in a file that holds or decides the text.
    pub fn span(&self) -> Option<&Span> {
        match self {
            Self::File(span) | Self::Derived(span) => Some(span),
            Self::Input { source, .. } | Self::Variable { source, .. } => source.as_ref(),
            Self::Env(_) | Self::Argument(_) | Self::Protocol | Self::Base { .. } => None,
        }
    }

    /// Whether text can have this origin: the bytes of a file must be those of the file.
    pub(super) fn is_of(&self, text: &str) -> bool {
        !matches!(self, Self::File(span) if span.text() != text)
    }

    /// Whether it is an agent's own text whose wording is unknown.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Base { from: BaseFrom::Unknown, .. })
    }

    /// `input target (flag)`, `env HOME`, `${model}`, `--messages`; `None` for text of a file or of the protocol.
    pub fn value_name(&self) -> Option<String> {
        Some(match self {
            Self::Input { name, from, .. } => format!("input {name} ({})", from.into_str()),
            Self::Env(name) => format!("env {name}"),
            Self::Variable { name, .. } => format!("${{{name}}}"),
            Self::Argument(name) => argument(name),
            Self::File(_) | Self::Derived(_) | Self::Protocol | Self::Base { .. } => return None,
        })
    }
}

/// Where the wording of an agent's own text is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum BaseFrom {
    /// The installed package.
    Installed,
    /// A recorded request.
    Recorded,
    /// Nowhere: the text is `{{base:ID}}`.
    Unknown,
}

/// An argument as typed: a flag, or a positional argument in capitals.
pub fn argument(name: &str) -> String {
    if name.chars().all(char::is_uppercase) { name.to_string() } else { format!("--{name}") }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum InputFrom {
    /// `--input` or `--input-json`.
    Flag,
    /// `--inputs FILE`, or an example in the settings.
    File,
    /// `--inputs -`.
    Stdin,
    /// The directive's default.
    Default,
    /// `--placeholders`, for an input without a value.
    Placeholder,
}
