//! What a change does to every prompt, as one JSON object (Output contract).

pub mod shape;

use std::io;

use super::{Affected, Cause, Changed, Failed, Impact, LayerChange, NamedChange, Share, ToolChange, What};
use crate::diff::json::shape::Both;
use crate::diff::json::{both, cache, layer_pair, tool};
use crate::diff::{Change, ToolPair, View};
use crate::render::json;

/// Writes it and a line feed.
pub fn write(impact: &Impact, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    json::line(&document(impact, view), out)
}

fn document<'a>(impact: &'a Impact, view: &View) -> shape::ImpactDocument<'a> {
    shape::ImpactDocument {
        format: "rye-render.impact/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        titles: both(&impact.title, String::as_str),
        same: impact.is_same(),
        directives: impact.directives,
        tokenizer: view.tokenizer.into_str(),
        tokens: both(&impact.tokens, |tokens| *tokens),
        causes: impact.causes.iter().map(|it| cause(impact, it, view)).collect(),
        changed: impact.changed.iter().map(|it| changed(it, view)).collect(),
        failed: impact.failed.iter().map(Into::into).collect(),
    }
}

fn cause<'a>(impact: &'a Impact, cause: &'a Cause, view: &View) -> shape::Cause<'a> {
    let affected = |affected: &'a Affected| {
        let Share { layers, tools, fields, decisions, chain, between, tool_order, tokens } = &affected.share;
        shape::Affected {
            id: impact.changed.get(affected.prompt).map_or("", |changed| &changed.id),
            prompt: affected.prompt,
            layers,
            tools,
            fields,
            decisions,
            chain: *chain,
            between: *between,
            tool_order: *tool_order,
            tokens: *tokens,
        }
    };
    let shown = cause.shown.as_ref().map(|shown| shape::Shown {
        prompt: shown.prompt,
        layers: shown.layer_pairs().map(|pair| layer_pair(&shown.difference, pair, view.context)).collect(),
        tools: shown.tool_pairs().map(|pair| tool(&shown.difference, pair, view.context)).collect(),
    });
    shape::Cause { what: (&cause.what).into(), prompts: cause.prompts.iter().map(affected).collect(), shown }
}

impl<'a> From<&'a What> for shape::What<'a> {
    fn from(what: &'a What) -> Self {
        match what {
            What::File { tier, path, id, is_there } => {
                let (left, right) = *is_there;
                Self::File { tier, path, id: id.as_deref(), there: Both { left, right } }
            }
            What::Settings { path } => Self::Settings { path },
            What::Arguments => Self::Arguments,
        }
    }
}

fn changed<'a>(changed: &'a Changed, view: &View) -> shape::Changed<'a> {
    shape::Changed {
        id: &changed.id,
        change: changed.change.into_str(),
        tokens: both(&changed.tokens, |tokens| *tokens),
        sha256: both(&changed.sha256, Option::as_deref),
        layers: changed.layers.iter().map(Into::into).collect(),
        tools: changed.tools.iter().map(Into::into).collect(),
        between: changed.between,
        tool_order: changed.tool_order,
        coarse: changed.is_coarse,
        chain: changed.chain,
        fields: changed.fields.iter().map(Into::into).collect(),
        decisions: changed.decisions.iter().map(Into::into).collect(),
        cache: cache(&changed.cache, view.cache_min),
    }
}

impl<'a> From<&'a LayerChange> for shape::Layer<'a> {
    fn from(layer: &'a LayerChange) -> Self {
        let LayerChange { title, role, change, tokens, pair: _ } = layer;
        Self { title, role, change: change.into_str(), tokens: both(tokens, |tokens| *tokens) }
    }
}

impl<'a> From<&'a ToolChange> for shape::Tool<'a> {
    fn from(tool: &'a ToolChange) -> Self {
        let ToolPair { index, tokens, renamed, description, schema, item, over_budget } = &tool.compared;
        let change = match (index.left, index.right) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ => Change::Changed,
        };
        Self {
            name: &tool.name,
            change: change.into_str(),
            renamed: *renamed,
            description: !description.is_empty(),
            schema: !schema.is_empty(),
            item: *item,
            over_budget: *over_budget,
            tokens: both(tokens, |tokens| *tokens),
        }
    }
}

impl<'a> From<&'a NamedChange> for shape::Named<'a> {
    fn from(change: &'a NamedChange) -> Self {
        let NamedChange { name, state } = change;
        Self { name, left: state.left.as_deref(), right: state.right.as_deref() }
    }
}

impl<'a> From<&'a Failed> for shape::Failed<'a> {
    fn from(failed: &'a Failed) -> Self {
        Self { id: &failed.id, errors: both(&failed.errors, |errors| errors.iter().map(Into::into).collect()) }
    }
}

#[cfg(test)]
mod tests;
