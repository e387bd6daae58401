use std::io;

use serde::Serialize;

use super::{Check, LockDifference, LockView, Locked};
use crate::prompt::json;
use crate::prompt::json::origin::SourceJson;

/// Writes the check as one JSON object (output contract, JSON) and a newline.
pub(super) fn write(check: &Check, view: &LockView<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let (before, after) = (&check.locked.setup, &check.found.setup);
    let document = CheckDocument {
        format: "rye-render.lock-check/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        file: view.file,
        protocol: after.protocol.as_deref(),
        tokenizer: check.found.tokenizer.into_str(),
        tiers: Listed { before: &before.tiers, after: &after.tiers },
        agents: Listed { before: &before.agents, after: &after.agents },
        prompts: check.found.prompts.len(),
        differences: check.differences.iter().map(|it| difference(it, check)).collect(),
        failed: check.failed.iter().map(String::as_str).collect(),
    };
    json::line(&document, out)
}

fn difference<'a>(difference: &'a LockDifference, check: &Check) -> CheckDifference<'a> {
    let of_agent = difference.id.split_once(' ').filter(|_| check.found.setup.protocol.is_none());
    CheckDifference {
        id: &difference.id,
        agent: of_agent.map(|(agent, _)| agent),
        folder: of_agent.map(|(_, folder)| folder),
        change: difference.change().into_str(),
        source: difference.place.as_ref().map(Into::into),
        before: difference.before.as_ref(),
        after: difference.after.as_ref(),
    }
}

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
