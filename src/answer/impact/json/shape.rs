//! The JSON of `diff --all`. The published schema is generated from these types and their comments.

use serde::Serialize;

use crate::answer::diff::Pair;
use crate::answer::diff::json::shape::{DiffLayerPair, DiffToolPair};
use crate::answer::impact::{CauseKind, ChangedPrompt, Share};
use crate::prompt::json::shape::DiagnosticJson;

/// The effect of a change on every prompt, by cause.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.impact/1"))]
pub struct ImpactDocument<'a> {
    #[cfg_attr(test, schemars(extend("const" = "rye-render.impact/1")))]
    pub format: &'static str,
    pub tool_version: &'static str,
    /// The names of the sides: `main`, `working tree`.
    pub titles: &'a Pair<String>,
    /// Whether no prompt differs and none failed.
    pub same: bool,
    /// The number of directives on either side, or of prompts of agents.
    pub directives: usize,
    #[cfg_attr(test, schemars(extend("enum" = ["chars4", "o200k", "cl100k"])))]
    pub tokenizer: &'static str,
    /// The tokens of the prompts that differ, tools included.
    pub tokens: Pair<usize>,
    /// Why prompts differ, the cause with the most prompts first.
    pub causes: Vec<ImpactCause<'a>>,
    /// The directives whose prompt differs, sorted by id.
    pub changed: &'a [ChangedPrompt],
    /// The directives that cannot be rendered, sorted by id: those that the change can reach, and those whose
    /// file cannot be read.
    pub failed: Vec<Failed<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImpactCause<'a> {
    pub what: &'a CauseKind,
    /// The prompts that differ because of it, sorted by id.
    pub prompts: Vec<Affected<'a>>,
    /// The lines that differ in the first prompt; null if earlier causes show them all, or if there are too many
    /// causes.
    pub shown: Option<ImpactLines<'a>>,
}

/// Layers and tools of one prompt that differ, as in the JSON of `diff`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImpactLines<'a> {
    /// Index into `changed`.
    pub prompt: usize,
    /// The layers that differ because of this cause, without those that an earlier cause shows.
    pub layers: Vec<DiffLayerPair<'a>>,
    /// The tools that differ because of this cause, without those that an earlier cause shows.
    pub tools: Vec<DiffToolPair<'a>>,
}

/// A prompt that differs because of a cause.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Affected<'a> {
    pub id: &'a str,
    /// Index into `changed`.
    pub prompt: usize,
    #[serde(flatten)]
    pub share: &'a Share,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failed<'a> {
    pub id: &'a str,
    /// Empty on a side where the directive can be rendered or does not exist.
    pub errors: Pair<Vec<DiagnosticJson<'a>>>,
}
