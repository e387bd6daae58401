//! A difference as one JSON object (Output contract).

pub mod shape;

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use super::{
    Asker, Cache, CachePlace, Considered, Difference, FieldChange, Item, Layer, LayerPair, LineChange, Link, Pair,
    Place, Side, SideKind, ToolPair, View,
};
use crate::digest;
use crate::render::json;
use crate::render::json::shape::{Declared, Source};

/// Writes it and a line feed.
pub fn write(difference: &Difference, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    json::line(&document(difference, view), out)
}

fn document<'a>(difference: &'a Difference, view: &View) -> shape::DiffDocument<'a> {
    let Difference { left, right, .. } = difference;
    let tools = |pair: &ToolPair| tool(difference, pair, view.context);
    let is_whole = difference.untold_messages().next().is_none();
    shape::DiffDocument {
        format: "rye-render.diff/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        left: side(left, is_whole),
        right: side(right, is_whole),
        same: difference.is_same(),
        coarse: difference.is_coarse,
        untold: &difference.untold,
        tokenizer: view.tokenizer.into_str(),
        tokens: shape::Both {
            left: tokens(difference.tokens.left, difference.tool_tokens.map(|tools| tools.left)),
            right: tokens(difference.tokens.right, difference.tool_tokens.map(|tools| tools.right)),
        },
        layers: difference.layers.iter().map(|pair| layer_pair(difference, pair, view.context)).collect(),
        between: difference.between,
        tools: difference.tools.as_ref().map(|pairs| pairs.iter().map(tools).collect()),
        tool_order: difference.tool_order,
        chain: difference.chain.as_ref().map(|chain| both(chain, |links| links.iter().map(Into::into).collect())),
        fields: difference.fields.iter().map(Into::into).collect(),
        decisions: difference.decisions.iter().map(|change| decision(difference, change.index)).collect(),
        cache: cache(&difference.cache, view.cache_min),
    }
}

/// A value of either side in another shape.
pub fn both<'a, T, U>(pair: &'a Pair<T>, shape: impl Fn(&'a T) -> U) -> shape::Both<U> {
    shape::Both { left: shape(&pair.left), right: shape(&pair.right) }
}

fn tokens(messages: usize, tools: Option<usize>) -> shape::Tokens {
    shape::Tokens { messages, tools, total: messages + tools.unwrap_or_default() }
}

/// One side, with all of its messages or not.
fn side(side: &Side, is_whole: bool) -> shape::Side<'_> {
    let pairs = || -> Vec<_> { side.messages.iter().map(|it| (it.role.into_str(), it.text.as_str())).collect() };
    shape::Side {
        title: &side.title,
        kind: match side.kind {
            SideKind::Rendered => "rendered",
            SideKind::Saved => "saved",
            SideKind::Absent => "absent",
            SideKind::Sent(kind) => kind.into_str(),
        },
        directive: side.directive.as_deref(),
        folder: side.folder.as_deref(),
        protocol: side.protocol.as_deref(),
        sha256: (is_whole && !side.is_absent()).then(|| digest::sha256_of_pairs(&pairs())),
        messages: side
            .messages
            .iter()
            .map(|message| shape::Message { role: message.role.into_str(), bytes: message.text.len() })
            .collect(),
        has_layers: side.has_layers,
    }
}

/// A layer on both sides, with so many lines around those that differ.
pub fn layer_pair<'a>(difference: &'a Difference, pair: &LayerPair, context: usize) -> shape::LayerPair<'a> {
    let left = pair.left.and_then(|index| difference.left.layers.get(index));
    let right = pair.right.and_then(|index| difference.right.layers.get(index));
    let old = left.map_or("", |layer| difference.left.layer_text(layer));
    let new = right.map_or("", |layer| difference.right.layer_text(layer));
    shape::LayerPair {
        change: pair.change().into_str(),
        moved: pair.moved,
        renamed: pair.renamed,
        taken_from: pair.taken_from,
        asked_by: pair.asked_by,
        wrapped: pair.wrapped,
        left: left.map(|layer| self::layer(layer, old, pair.tokens.left)),
        right: right.map(|layer| self::layer(layer, new, pair.tokens.right)),
        lines: runs(&pair.lines, old.into(), new.into(), context),
    }
}

fn layer<'a>(layer: &'a Layer, text: &str, tokens: usize) -> shape::Layer<'a> {
    shape::Layer {
        title: &layer.title,
        message: layer.message,
        at: layer.range.start,
        slot: &layer.slot,
        kind: &layer.kind,
        name: &layer.name,
        item: layer.item.as_ref().map(Into::into),
        source: layer.file.as_ref().map(Into::into),
        declared_by: layer.declared_by.as_ref().map(Into::into),
        wrap: layer.wrap,
        bytes: text.len(),
        tokens,
    }
}

/// Runs of lines with so many around; of those between two runs, the first stand below the one, and what is left above
/// the other.
fn runs<'a>(changes: &[LineChange], left: Cow<'a, str>, right: Cow<'a, str>, context: usize) -> Vec<shape::Run<'a>> {
    if changes.is_empty() {
        return Vec::new();
    }
    let (left, right) = (lines(left), lines(right));
    let side = |all: &[Cow<'a, str>], range: &Range<usize>| shape::Lines {
        first: range.start + 1,
        text: all[range.clone()].to_vec(),
    };
    // The first line of the right side that stands in no run yet.
    let mut free = 0;
    let ends = changes.iter().skip(1).map(|next| next.right.start).chain([right.len()]);
    let run = |(change, end): (&LineChange, usize)| {
        let above = change.right.start - (change.right.start - free).min(context)..change.right.start;
        let above = above.map(|at| {
            // The last line of the right side may be one in front of lines of the left, which has a break there.
            let on_left = change.left.start.checked_sub(change.right.start - at).and_then(|at| left.get(at));
            let with_break = on_left.filter(|line| line.ends_with('\n') && !right[at].ends_with('\n'));
            with_break.unwrap_or(&right[at]).clone()
        });
        free = change.right.end + (end - change.right.end).min(context);
        shape::Run {
            left: side(&left, &change.left),
            right: side(&right, &change.right),
            above: above.collect(),
            below: right[change.right.end..free].to_vec(),
        }
    };
    changes.iter().zip(ends).map(run).collect()
}

/// The lines of a text with their line breaks.
fn lines(text: Cow<'_, str>) -> Vec<Cow<'_, str>> {
    match text {
        Cow::Borrowed(text) => text.split_inclusive('\n').map(Into::into).collect(),
        Cow::Owned(text) => text.split_inclusive('\n').map(|line| line.to_string().into()).collect(),
    }
}

/// A tool on both sides, with so many lines around those that differ.
pub fn tool<'a>(difference: &'a Difference, pair: &ToolPair, context: usize) -> shape::ToolPair<'a> {
    let of = |side: &'a Side, index: Option<usize>| side.tools.as_ref().and_then(|tools| tools.get(index?));
    let (left, right) = (of(&difference.left, pair.index.left), of(&difference.right, pair.index.right));
    let schema = |tool: Option<&super::Tool>| tool.map_or(Cow::Borrowed(""), |tool| tool.schema_text().into());
    shape::ToolPair {
        change: pair.change().into_str(),
        renamed: pair.renamed,
        description: !pair.description.is_empty(),
        item: pair.item,
        over_budget: pair.over_budget,
        left: left.map(|it| one_tool(it, pair.tokens.left)),
        right: right.map(|it| one_tool(it, pair.tokens.right)),
        schema: runs(&pair.schema, schema(left), schema(right), context),
    }
}

fn one_tool(tool: &super::Tool, tokens: usize) -> shape::Tool<'_> {
    shape::Tool {
        name: &tool.name,
        description: &tool.description,
        input_schema: &tool.schema,
        item_id: tool.item_id.as_deref(),
        primary: tool.primary.as_deref(),
        tokens,
        source: tool.place.as_ref().map(Into::into),
    }
}

fn decision(difference: &Difference, index: Pair<Option<usize>>) -> shape::DecisionChange<'_> {
    fn of(side: &Side, index: Option<usize>) -> Option<shape::Decision<'_>> {
        Some(side.decisions.as_ref()?.get(index?)?.into())
    }
    shape::DecisionChange { left: of(&difference.left, index.left), right: of(&difference.right, index.right) }
}

/// What both begin with. A provider caches so many tokens at least.
pub fn cache(cache: &Cache, min_tokens: usize) -> shape::Cache<'_> {
    shape::Cache {
        breaks_at: cache.breaks_at.as_ref().map(Into::into),
        shared_bytes: cache.shared_bytes,
        shared_tokens: cache.shared_tokens,
        bytes: shape::Both { left: cache.left_bytes, right: cache.right_bytes },
        min_tokens,
        reusable: cache.is_reusable,
        without_tools: cache.without_tools,
    }
}

impl<'a> From<&'a CachePlace> for shape::CachePlace<'a> {
    fn from(place: &'a CachePlace) -> Self {
        match place {
            CachePlace::Tool(name) => Self::Tool { name },
            &CachePlace::Message { message, at, pair } => Self::Message { message, at, layer: pair },
        }
    }
}

impl<'a> From<&'a Place> for Source<'a> {
    fn from(place: &'a Place) -> Self {
        Self {
            tier: &place.tier,
            path: &place.path,
            start: None,
            end: None,
            line: (place.line > 0).then_some(place.line),
            column: None,
            revision: place.revision.as_deref(),
        }
    }
}

impl<'a> From<&'a Item> for shape::Item<'a> {
    fn from(item: &'a Item) -> Self {
        Self { item_type: &item.kind, id: &item.id, source: item.place.as_ref().map(Into::into) }
    }
}

impl<'a> From<&'a Asker> for Declared<'a> {
    fn from(asker: &'a Asker) -> Self {
        Self { by: &asker.by, source: asker.place.as_ref().map(Into::into) }
    }
}

impl<'a> From<&'a Link> for shape::Link<'a> {
    fn from(link: &'a Link) -> Self {
        Self { id: &link.id, source: (&link.place).into() }
    }
}

impl<'a> From<&'a FieldChange> for shape::FieldChange<'a> {
    fn from(change: &'a FieldChange) -> Self {
        let FieldChange { group, name, value } = change;
        Self { group: group.into_str(), name, left: value.left.as_deref(), right: value.right.as_deref() }
    }
}

impl<'a> From<&'a Considered> for shape::Decision<'a> {
    fn from(considered: &'a Considered) -> Self {
        let Considered { title, slot, name, outcome, why, by } = considered;
        Self { title, name, slot, outcome, why, by: by.as_ref().map(Into::into) }
    }
}

#[cfg(test)]
mod tests;
