//! The shapes of what a repository alone tells an agent.

use serde::Serialize;

use crate::prompt::json::origin::SourceJson;
use crate::prompt::{HiddenText, RepositoryOnly};

/// `--repository-only`: what people should know about the repository.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RepositoryJson<'a> {
    /// Absolute.
    pub root: &'a str,
    /// What the agent gets and a reader does not see, by path and place.
    pub hidden: Vec<HiddenJson<'a>>,
    /// How many more places there are.
    pub more: usize,
    /// The files that wait until the user trusts the folder or approves them.
    pub waiting: Vec<WaitingJson<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HiddenJson<'a> {
    #[cfg_attr(test, schemars(extend("enum" = ["link_out", "front_matter_run", "comment", "hidden_character",
        "direction_character", "tag_character", "terminal_escape", "far_right", "frame_closed"])))]
    pub kind: &'static str,
    pub what: &'a str,
    /// The start of the text, with what cannot be seen as code points.
    pub text: &'a str,
    /// Whether the agent reads it after the first request, if at all.
    pub later: bool,
    pub source: SourceJson<'a>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WaitingJson<'a> {
    /// Absolute.
    pub path: &'a str,
    #[cfg_attr(test, schemars(extend("enum" = ["untrusted", "not_approved"])))]
    pub why: &'static str,
}

impl<'a> From<&'a RepositoryOnly> for RepositoryJson<'a> {
    fn from(RepositoryOnly { root, hidden, more, waiting }: &'a RepositoryOnly) -> Self {
        let waiting = waiting.iter().map(|(path, why)| WaitingJson { path, why: why.into_str() }).collect();
        Self { root, hidden: hidden.iter().map(Into::into).collect(), more: *more, waiting }
    }
}

impl<'a> From<&'a HiddenText> for HiddenJson<'a> {
    fn from(HiddenText { kind, at, what, text, is_later }: &'a HiddenText) -> Self {
        Self { kind: kind.into_str(), what, text, later: *is_later, source: at.into() }
    }
}
