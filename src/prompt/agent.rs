//! What a coding agent's prompt has besides a directive's: the release whose rules apply, and what became of each file.

use std::ops::Range;

use strum::IntoStaticStr;

use super::Declared;
use crate::text::Span;

/// The agent of a prompt, and the release whose rules were used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentUse {
    pub name: &'static str,
    pub version: String,
    /// The release found on this machine.
    pub installed: Option<InstalledAgent>,
    /// Whether the rules were compared with that release.
    pub is_known: bool,
}

/// An installed release, and the absolute path of its package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledAgent {
    pub version: String,
    pub path: String,
}

/// What joins when the agent reads a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchedFile {
    /// Absolute.
    pub file: String,
    /// The range of its messages in those of the prompt.
    pub messages: Range<usize>,
}

/// What became of a file that an agent looks at, or that people expect it to look at.
#[derive(Debug, Clone)]
pub struct FileOutcome {
    /// Absolute.
    pub path: String,
    pub state: FileState,
    /// Why it is not loaded whole.
    pub why: Option<FileReason>,
    /// What decided.
    pub by: Option<Declared>,
    /// The index of the layer that holds its text, or its name and description.
    pub layer: Option<usize>,
}

/// What decided about a file, step by step.
#[derive(Debug, Clone)]
pub struct FileNote {
    pub path: String,
    pub steps: Vec<NoteStep>,
}

/// A clause, and the place that it is about.
pub type NoteStep = (String, Option<Span>);

/// The closed list of states (Agents, "Model").
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum FileState {
    Loaded,
    /// Loaded up to this byte of the file.
    Cut(usize),
    /// Joins when the agent touches a file that it applies to.
    OnDemand,
    /// Named and described only.
    Listed,
    /// Settings, whose values count.
    Applied,
    LeftOut,
}

/// The closed list of reasons (Agents, "Model").
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum FileReason {
    Shadowed,
    Duplicate,
    Empty,
    Budget,
    Excluded,
    Untrusted,
    NotApproved,
    TooDeep,
    Missing,
    NoMatch,
    Invalid,
    TooLarge,
    NotRead,
    Outside,
    Hidden,
}

impl FileReason {
    /// As a clause after "it is left out:".
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Shadowed => "another file takes its place",
            Self::Duplicate => "the same file is already there",
            Self::Empty => "it is empty",
            Self::Budget => "the budget is used up",
            Self::Excluded => "a setting or flag excludes it",
            Self::Untrusted => "the folder is not trusted",
            Self::NotApproved => "it was not approved",
            Self::TooDeep => "it is too deep",
            Self::Missing => "it leads nowhere",
            Self::NoMatch => "its patterns match nothing",
            Self::Invalid => "it cannot be used",
            Self::TooLarge => "it is too large",
            Self::NotRead => "the agent does not read it",
            Self::Outside => "the search ends below it",
            Self::Hidden => "it is hidden from the model",
        }
    }
}
