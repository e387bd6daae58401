//! What a coding agent's prompt has besides a directive's: the release whose rules apply, what became of each file, and
//! what a repository alone tells the agent.

use std::ops::Range;

use serde::Serialize;
use strum::IntoStaticStr;

use super::Declared;
use crate::diagnostic::Location;
use crate::text::Span;
use crate::text::numbers::count;

/// The coding agent of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Agent"))]
pub struct AgentUse {
    pub name: &'static str,
    /// The release whose rules were used.
    pub version: String,
    /// The release found on this machine; null if there is none.
    pub installed: Option<InstalledAgent>,
    /// Whether the rules were compared with that release.
    #[serde(rename = "known")]
    pub is_known: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InstalledAgent {
    pub version: String,
    /// The folder of the package, or the program.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, Serialize)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[serde(into = "&'static str")]
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
            Self::NoMatch => "no pattern matches it",
            Self::Invalid => "it cannot be used",
            Self::TooLarge => "it is too large",
            Self::NotRead => "the agent does not read it",
            Self::Outside => "the search ends below it",
            Self::Hidden => "it is hidden from the model",
        }
    }
}

/// What people should know about a repository (`--repository-only`).
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Repository"))]
pub struct RepositoryOnly {
    /// Absolute.
    pub root: String,
    /// What the agent gets and a reader does not see, by path and place.
    pub hidden: Vec<HiddenText>,
    /// How many hidden places are not listed.
    pub more: usize,
    /// The files that wait until the user trusts the folder or approves them.
    pub waiting: Vec<WaitingFile>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Waiting"))]
pub struct WaitingFile {
    /// Absolute.
    pub path: String,
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["untrusted", "not_approved"])))]
    pub why: FileReason,
}

/// Text that the agent gets and a reader of the repository overlooks.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Hidden"))]
pub struct HiddenText {
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["link_out", "front_matter_run", "comment",
        "hidden_character", "direction_character", "tag_character", "terminal_escape", "far_right", "frame_closed"])))]
    pub kind: HiddenKind,
    pub what: String,
    /// The start of the text, with what cannot be seen as code points.
    pub text: String,
    /// Whether the agent reads it after the first request, if at all.
    #[serde(rename = "later")]
    pub is_later: bool,
    #[serde(rename = "source")]
    pub at: Location,
}

/// The closed list of kinds; those that `lint` reports, too, have the names of its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, Serialize)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[serde(into = "&'static str")]
pub enum HiddenKind {
    LinkOut,
    FrontMatterRun,
    /// What Markdown does not show.
    Comment,
    HiddenCharacter,
    DirectionCharacter,
    TagCharacter,
    TerminalEscape,
    /// Behind many blanks.
    FarRight,
    FrameClosed,
}

impl RepositoryOnly {
    /// `Hidden from a reader: 3 places`
    pub fn title(&self) -> String {
        match self.hidden.len() + self.more {
            0 => "Hidden from a reader: nothing that is known".to_string(),
            places => format!("Hidden from a reader: {}", count(places, "place")),
        }
    }

    /// `and 3 more places`
    pub fn rest(&self) -> Option<String> {
        (self.more > 0).then(|| format!("and {}", count(self.more, "more place")))
    }

    /// A path of the repository, from its root.
    pub fn relative<'p>(&self, path: &'p str) -> &'p str {
        let rest = path.strip_prefix(self.root.trim_end_matches('/')).map(|rest| rest.trim_start_matches('/'));
        rest.unwrap_or(path)
    }

    /// `AGENTS.md:3:1`; a link has no line.
    pub fn place(&self, hidden: &HiddenText) -> String {
        format!("{}{}", self.relative(hidden.at.path()), hidden.at.line_and_column())
    }

    /// `Waiting for the user: 1 file`
    pub fn waiting_title(&self) -> Option<String> {
        let files = self.waiting.len();
        (files > 0).then(|| format!("Waiting for the user: {}", count(files, "file")))
    }

    /// What waits, and for what.
    pub fn waits(&self) -> impl Iterator<Item = (&str, &'static str)> {
        let clause = |why: FileReason| match why {
            FileReason::NotApproved => "waits until the user approves it",
            _ => "waits until the user trusts the folder",
        };
        self.waiting.iter().map(move |file| (self.relative(&file.path), clause(file.why)))
    }
}

impl HiddenText {
    /// What it is, and when the agent gets it.
    pub fn sentence(&self) -> String {
        let later = if self.is_later { ", for when the agent reads the file" } else { "" };
        format!("{}{later}", self.what)
    }
}
