//! The shapes of what a coding agent's prompt has besides a directive's.

use serde::Serialize;

use super::origin::SourceJson;
use crate::prompt::{AgentUse, FileOutcome, FileState};

/// The coding agent of a prompt.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AgentJson<'a> {
    pub name: &'a str,
    /// The release whose rules were used.
    pub version: &'a str,
    /// The release found on this machine; null if there is none.
    pub installed: Option<InstalledAgentJson<'a>>,
    /// Whether the rules were compared with that release.
    pub known: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InstalledAgentJson<'a> {
    pub version: &'a str,
    /// The folder of the package, or the program.
    pub path: &'a str,
}

/// What became of a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileJson<'a> {
    /// Absolute.
    pub path: &'a str,
    #[cfg_attr(test, schemars(extend("enum" = ["loaded", "cut", "on_demand", "listed", "applied", "left_out"])))]
    pub state: &'static str,
    /// Null for a file that is loaded whole.
    #[cfg_attr(test, schemars(extend("enum" = ["shadowed", "duplicate", "empty", "budget", "excluded", "untrusted",
        "not_approved", "too_deep", "missing", "no_match", "invalid", "too_large", "not_read", "outside", "hidden",
        null])))]
    pub why: Option<&'static str>,
    /// The byte of the file at which a cut ends.
    pub at: Option<usize>,
    /// What decided.
    pub by: Option<SourceJson<'a>>,
    /// The tokens of its text in the prompt; null if it has none there.
    pub tokens: Option<usize>,
}

impl<'a> FileJson<'a> {
    pub fn new(file: &'a FileOutcome, tokens: Option<usize>) -> Self {
        Self {
            path: &file.path,
            state: file.state.into_str(),
            why: file.why.map(|why| why.into_str()),
            at: match file.state {
                FileState::Cut(at) => Some(at),
                _ => None,
            },
            by: file.by.as_ref().and_then(|by| by.span.as_ref()).map(Into::into),
            tokens,
        }
    }
}

impl<'a> From<&'a AgentUse> for AgentJson<'a> {
    fn from(agent: &'a AgentUse) -> Self {
        let AgentUse { name, version, installed, is_known } = agent;
        let installed = installed.as_ref().map(|it| InstalledAgentJson { version: &it.version, path: &it.path });
        Self { name, version, installed, known: *is_known }
    }
}
