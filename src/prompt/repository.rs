//! What a repository alone tells an agent, and what of it a reader does not see.

use strum::IntoStaticStr;

use super::FileReason;
use crate::diagnostic::Location;
use crate::text::numbers::count;

/// The prompt of a repository alone, in a folder that the user trusts: what people should know about it.
#[derive(Debug, Clone, Default)]
pub struct RepositoryOnly {
    /// Absolute.
    pub root: String,
    /// By path and place.
    pub hidden: Vec<HiddenText>,
    /// How many more places there are.
    pub more: usize,
    /// The files that wait until the user trusts the folder or approves them.
    pub waiting: Vec<(String, FileReason)>,
}

/// A text that the agent gets and that a reader of the repository does not see, or not as what it is.
#[derive(Debug, Clone)]
pub struct HiddenText {
    pub kind: HiddenKind,
    pub at: Location,
    pub what: String,
    /// In characters that can be seen.
    pub text: String,
    /// Whether the agent reads it after the first request, if at all.
    pub is_later: bool,
}

/// The closed list of kinds; those that `lint` reports, too, have the names of its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
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
        match &hidden.at {
            Location::Span(span) => {
                let at = span.source().position(span.range().start);
                format!("{}:{}:{}", self.relative(span.source().path()), at.line, at.column)
            }
            Location::File { path, .. } => self.relative(path).to_string(),
        }
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
        self.waiting.iter().map(move |(path, why)| (self.relative(path), clause(*why)))
    }
}

impl HiddenText {
    /// What it is, and when the agent gets it.
    pub fn sentence(&self) -> String {
        let later = if self.is_later { ", for when the agent reads the file" } else { "" };
        format!("{}{later}", self.what)
    }
}
