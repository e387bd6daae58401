pub mod shape;

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use super::{DiffView, Difference, LayerPair, LineChange, Pair, Side, SideKind, SideTool, ToolPair};
use crate::prompt::digest;
use crate::prompt::json;

/// Writes the difference as one JSON object (output contract, JSON) and a newline.
pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let messages = difference.tokens;
    let tools = difference.tool_tokens.map_or(Pair::default(), |tools| tools.map(Some));
    let is_whole = difference.not_compared_messages().next().is_none();
    let document = shape::DiffDocument {
        format: "rye-render.diff/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        left: side(&difference.left, is_whole),
        right: side(&difference.right, is_whole),
        same: difference.is_same(),
        coarse: difference.is_coarse,
        untold: &difference.not_compared,
        tokenizer: view.tokenizer.into_str(),
        tokens: messages.zip(tools).map(|(messages, tools)| {
            let total = messages + tools.unwrap_or_default();
            shape::DiffTokens { messages, tools, total }
        }),
        layers: difference.layers.iter().map(|pair| layer_pair(difference, pair, view.context)).collect(),
        between: difference.between,
        tools: (difference.tools.as_ref())
            .map(|pairs| pairs.iter().map(|pair| tool_pair(difference, pair, view.context)).collect()),
        tool_order: difference.tool_order,
        chain: difference.chain.as_ref(),
        fields: &difference.fields,
        decisions: difference.decisions.iter().map(|&index| difference.decisions_of(index)).collect(),
        cache: &difference.cache,
    };
    json::line(&document, out)
}

/// `is_whole`: whether all messages are compared.
fn side(side: &Side, is_whole: bool) -> shape::DiffSide<'_> {
    let pairs = || -> Vec<_> { side.messages.iter().map(|it| (it.role.into_str(), it.text.as_str())).collect() };
    shape::DiffSide {
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
        messages: (side.messages.iter())
            .map(|message| shape::DiffMessage { role: message.role.into_str(), bytes: message.text.len() })
            .collect(),
        has_layers: side.has_layers,
    }
}

pub fn layer_pair<'a>(difference: &'a Difference, pair: &'a LayerPair, context: usize) -> shape::DiffLayerPair<'a> {
    let texts = difference.texts_of(pair);
    let layers = difference.layers_of(pair).zip(texts.zip(pair.tokens));
    let layers =
        layers.map(|(layer, (text, tokens))| Some(shape::DiffLayer { layer: layer?, bytes: text.len(), tokens }));
    shape::DiffLayerPair {
        change: pair.change(),
        around: pair,
        left: layers.left,
        right: layers.right,
        lines: runs(&pair.lines, texts.map(Cow::Borrowed), context),
    }
}

/// Runs of lines with context. Lines between two runs go below the first, then above the second.
fn runs<'a>(changes: &[LineChange], texts: Pair<Cow<'a, str>>, context: usize) -> Vec<shape::DiffRun<'a>> {
    if changes.is_empty() {
        return Vec::new();
    }
    let Pair { left, right } = texts.map(lines);
    let side = |all: &[Cow<'a, str>], range: &Range<usize>| shape::DiffLines {
        first: range.start + 1,
        text: all[range.clone()].to_vec(),
    };
    // The first line of the right side that is in no run yet.
    let mut free = 0;
    let ends = changes.iter().skip(1).map(|next| next.right.start).chain([right.len()]);
    let run = |(change, end): (&LineChange, usize)| {
        let above = change.right.start - (change.right.start - free).min(context)..change.right.start;
        let above = above.map(|at| {
            // The last line on the right may lack the newline that it has on the left, where more lines follow.
            let on_left = change.left.start.checked_sub(change.right.start - at).and_then(|at| left.get(at));
            let with_break = on_left.filter(|line| line.ends_with('\n') && !right[at].ends_with('\n'));
            with_break.unwrap_or(&right[at]).clone()
        });
        free = change.right.end + (end - change.right.end).min(context);
        shape::DiffRun {
            left: side(&left, &change.left),
            right: side(&right, &change.right),
            above: above.collect(),
            below: right[change.right.end..free].to_vec(),
        }
    };
    changes.iter().zip(ends).map(run).collect()
}

fn lines(text: Cow<'_, str>) -> Vec<Cow<'_, str>> {
    match text {
        Cow::Borrowed(text) => text.split_inclusive('\n').map(Into::into).collect(),
        Cow::Owned(text) => text.split_inclusive('\n').map(|line| line.to_string().into()).collect(),
    }
}

pub fn tool_pair<'a>(difference: &'a Difference, pair: &ToolPair, context: usize) -> shape::DiffToolPair<'a> {
    let tools = difference.tools_of(pair);
    let schema = |tool: Option<&SideTool>| tool.map_or(Cow::Borrowed(""), |tool| tool.schema_text().into());
    let shapes = tools.zip(pair.tokens).map(|(tool, tokens)| {
        let tool = tool?;
        Some(shape::DiffTool { tool, tokens, source: tool.place.as_ref() })
    });
    shape::DiffToolPair {
        change: pair.change(),
        renamed: pair.renamed,
        description: !pair.description.is_empty(),
        item: pair.item,
        over_budget: pair.over_budget,
        left: shapes.left,
        right: shapes.right,
        schema: runs(&pair.schema, tools.map(schema), context),
    }
}

#[cfg(test)]
mod tests;
