pub mod shape;

use std::io;

use super::{Affected, Cause, Failed, Impact};
use crate::answer::diff::DiffView;
use crate::answer::diff::json::{layer_pair, tool_pair};
use crate::prompt::json;

/// Writes the impact as one JSON object (output contract, JSON) and a newline.
pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let document = shape::ImpactDocument {
        format: "rye-render.impact/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        titles: &impact.title,
        same: impact.is_same(),
        directives: impact.directives,
        tokenizer: view.tokenizer.into_str(),
        tokens: impact.tokens,
        causes: impact.causes.iter().map(|it| cause(impact, it, view)).collect(),
        changed: &impact.changed,
        failed: impact.failed.iter().map(failed).collect(),
    };
    json::line(&document, out)
}

fn cause<'a>(impact: &'a Impact, cause: &'a Cause, view: &DiffView) -> shape::ImpactCause<'a> {
    let affected = |&Affected { prompt, ref share }: &'a Affected| {
        let id = impact.changed.get(prompt).map_or("", |changed| &changed.id);
        shape::Affected { id, prompt, share }
    };
    let shown = cause.shown.as_ref().map(|shown| shape::ImpactLines {
        prompt: shown.prompt,
        layers: shown.layer_pairs().map(|pair| layer_pair(&shown.difference, pair, view.context)).collect(),
        tools: shown.tool_pairs().map(|pair| tool_pair(&shown.difference, pair, view.context)).collect(),
    });
    shape::ImpactCause { what: &cause.what, prompts: cause.prompts.iter().map(affected).collect(), shown }
}

fn failed(failed: &Failed) -> shape::Failed<'_> {
    let errors = failed.errors.as_ref().map(|errors| errors.iter().map(Into::into).collect());
    shape::Failed { id: &failed.id, errors }
}

#[cfg(test)]
mod tests;
