//! What a prompt is the prompt of, and what that of a folder has besides.

use super::{DirectiveInfo, Layer, Message};

/// What a prompt is the prompt of.
#[derive(Debug, Clone)]
pub enum Subject {
    /// A directive.
    Directive(Box<DirectiveInfo>),
    /// A folder in which an agent works, by its path.
    Folder(String),
}

impl Subject {
    /// The id of the directive, or the path of the folder.
    pub fn name(&self) -> &str {
        match self {
            Self::Directive(directive) => &directive.id,
            Self::Folder(path) => path,
        }
    }

    /// The directive, if it is one.
    pub fn directive(&self) -> Option<&DirectiveInfo> {
        match self {
            Self::Directive(directive) => Some(directive),
            Self::Folder(_) => None,
        }
    }
}

/// A section of the system prompt of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemSection {
    /// `base`, `append`, `context`, `skills`, `environment`.
    pub kind: &'static str,
    /// The absolute paths of its files.
    pub source: SectionSource,
}

/// Where a section comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SectionSource {
    /// No file.
    None,
    /// What is built in, a file, or an argument: `builtin`, its absolute path, `--system-prompt`.
    One(String),
    /// Several files, by their absolute paths.
    Several(Vec<String>),
}

/// What one prompt of the user gets.
#[derive(Debug, Clone)]
pub struct Variant {
    /// Its messages.
    pub messages: Vec<Message>,
    /// What contributed to them.
    pub layers: Vec<Layer>,
    /// What made the base of the system prompt be built anew: `set_active_tools`, `resources_discover`.
    pub rebuild: Option<&'static str>,
}
