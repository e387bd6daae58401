//! The JSON of `diff --all`. The published schema is generated from these types and their comments.

use std::io;

use serde::Serialize;

use super::{Affected, Cause, CauseKind, ChangedPrompt, Failed, Impact, Share};
use crate::answer::diff::json::shape::{DiffLayerPair, DiffToolPair};
use crate::answer::diff::json::{layer_pair, tool_pair};
use crate::answer::diff::{DiffView, Pair};
use crate::prompt::json;

/// Writes the impact as one JSON object (output contract, JSON) and a newline.
pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let document = ImpactDocument {
        format: "rye-render.impact/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        titles: &impact.title,
        same: impact.is_same(),
        directives: impact.directives,
        tokenizer: view.tokenizer.into_str(),
        tokens: impact.tokens,
        unknown: impact.has_unknown,
        causes: impact.causes.iter().map(|it| cause(impact, it, view)).collect(),
        changed: &impact.changed,
        failed: &impact.failed,
    };
    json::line(&document, out)
}

fn cause<'a>(impact: &'a Impact, cause: &'a Cause, view: &DiffView) -> ImpactCause<'a> {
    let affected = |&Affected { prompt, ref share }: &'a Affected| {
        let id = impact.changed.get(prompt).map_or("", |changed| &changed.id);
        AffectedJson { id, prompt, share }
    };
    let shown = cause.shown.as_ref().map(|shown| ImpactLines {
        prompt: shown.prompt,
        layers: shown.layer_pairs().map(|pair| layer_pair(&shown.difference, pair, view.context)).collect(),
        tools: shown.tool_pairs().map(|pair| tool_pair(&shown.difference, pair, view.context)).collect(),
    });
    ImpactCause { what: &cause.what, prompts: cause.prompts.iter().map(affected).collect(), shown }
}

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
    /// Whether an agent's own text is unknown, which is neither counted nor compared.
    pub unknown: bool,
    /// Why prompts differ, the cause with the most prompts first.
    pub causes: Vec<ImpactCause<'a>>,
    /// The directives whose prompt differs, sorted by id.
    pub changed: &'a [ChangedPrompt],
    /// The directives that cannot be rendered, sorted by id: those that the change can reach, and those whose
    /// file cannot be read.
    pub failed: &'a [Failed],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImpactCause<'a> {
    pub what: &'a CauseKind,
    /// The prompts that differ because of it, sorted by id.
    pub prompts: Vec<AffectedJson<'a>>,
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
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Affected"))]
pub struct AffectedJson<'a> {
    pub id: &'a str,
    /// Index into `changed`.
    pub prompt: usize,
    #[serde(flatten)]
    pub share: &'a Share,
}

#[cfg(test)]
mod tests;
