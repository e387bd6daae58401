//! The JSON of `lock --check`. The published schema is generated from these types and their comments.

use serde::Serialize;

use super::Locked;
use crate::prompt::json::origin::SourceJson;

/// The prompts of a project compared with a lock.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "rye-render.lock-check/1"))]
pub struct CheckDocument<'a> {
    #[cfg_attr(test, schemars(extend("const" = "rye-render.lock-check/1")))]
    pub format: &'static str,
    pub tool_version: &'static str,
    pub file: &'a str,
    /// Null for a lock of agents.
    pub protocol: Option<&'a str>,
    pub tokenizer: &'static str,
    /// The labels of the tiers in search order; none for agents.
    pub tiers: Listed<'a>,
    /// The agents with the releases whose rules apply; none for directives.
    pub agents: Listed<'a>,
    pub prompts: usize,
    /// The prompts that differ from the lock, sorted by id.
    pub differences: Vec<CheckDifference<'a>>,
    /// The ids of prompts that cannot be rendered.
    pub failed: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Listed<'a> {
    /// In the lock.
    pub before: &'a [String],
    /// Now.
    pub after: &'a [String],
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckDifference<'a> {
    /// Of the directive, or the agent and its folder: `codex services/api`.
    pub id: &'a str,
    /// Null for directives.
    pub agent: Option<&'a str>,
    /// Relative to the top of the repository, `.` for the top; null for directives.
    pub folder: Option<&'a str>,
    #[cfg_attr(test, schemars(extend("enum" = ["changed", "new", "gone"])))]
    pub change: &'static str,
    /// The file of its directive; null if it no longer exists, and for agents.
    pub source: Option<SourceJson<'a>>,
    /// In the lock; null for a new prompt.
    pub before: Option<&'a Locked>,
    /// Now; null if it no longer exists.
    pub after: Option<&'a Locked>,
}
