use minijinja::{Value, context};

use super::lines::{LineMarkup, PageRoom};
use crate::answer::diff::places::{SideLine, of_tool, origins, requesters, values};
use crate::answer::diff::summary::{phrase, signed, sizes, tool_tags};
use crate::answer::diff::text::layer::phrases_around;
use crate::answer::diff::{CachePlace, Change, Difference, LineChange, Pair, SideTool, ToolPair};

pub fn change_and_tokens(change: Change, tokens: Pair<impl Into<Option<usize>>>) -> Value {
    let tokens = tokens.map(Into::into);
    context! {
        class => change.into_str(),
        sign => sign(change),
        word => phrase(change),
        tokens => sizes(tokens),
        grown => grown(tokens),
    }
}

/// A sign with the same meaning as the word next to it.
fn sign(change: Change) -> &'static str {
    match change {
        Change::Added => "+",
        Change::Removed => "−",
        Change::Changed => "~",
        Change::TextUnchanged => "→",
        Change::Same => "=",
    }
}

/// `+72`, `-3`; empty if both are equal.
fn grown(tokens: Pair<Option<usize>>) -> String {
    if tokens.left == tokens.right { String::new() } else { signed(tokens) }
}

fn line(SideLine { side, line }: SideLine) -> Value {
    context! { side => side.into_str(), text => line.text() }
}

pub struct Cards<'a> {
    difference: &'a Difference,
    context: usize,
    /// The prefix of the anchors.
    prefix: String,
    /// The anchor of the layer or tool that contains the first byte that a provider has not cached.
    pub breaker: Option<String>,
}

impl<'a> Cards<'a> {
    pub fn of(difference: &'a Difference, context: usize, prefix: String) -> Self {
        Self { difference, context, prefix, breaker: breaker(difference) }
    }

    pub fn layer(&self, index: usize, room: &mut PageRoom) -> Option<Value> {
        let Self { difference, context, .. } = *self;
        let pair = difference.layers.get(index)?;
        let layers = difference.layers_of(pair);
        let layer = layers.newest()?;
        let texts = difference.texts_of(pair);
        let change = pair.change();
        let anchor = format!("L{index}");
        let slot = if layer.slot.is_empty() { String::new() } else { format!(" · {}", layer.slot) };
        let lines = match change {
            Change::Same => LineMarkup::same(texts.right, room),
            _ => LineMarkup::changed(texts.left, texts.right, &pair.lines, context, room),
        };
        let places = origins(layers).into_iter().chain(requesters(pair, layers)).chain(values(pair));
        Some(context! {
            id => format!("{}{anchor}", self.prefix),
            name => &layer.title,
            old_name => layers.left.filter(|_| pair.renamed).map(|layer| &layer.title),
            what => format!("{}{slot}", layer.kind),
            tags => phrases_around(difference, pair, str::to_string),
            places => places.map(line).collect::<Vec<_>>(),
            parts => vec![lines.part(None)],
            breaks => self.breaker.as_ref() == Some(&anchor),
            ..change_and_tokens(change, pair.tokens)
        })
    }

    pub fn tool(&self, index: usize, room: &mut PageRoom) -> Option<Value> {
        let difference = self.difference;
        let pair = difference.tools.as_ref()?.get(index)?;
        let tools = difference.tools_of(pair);
        let tool = tools.newest()?;
        let anchor = format!("T{index}");
        Some(context! {
            id => format!("{}{anchor}", self.prefix),
            name => &tool.name,
            old_name => tools.left.filter(|_| pair.renamed).map(|tool| &tool.name),
            what => "tool",
            tags => tool_tags(pair),
            places => of_tool(pair, tools).into_iter().map(line).collect::<Vec<_>>(),
            parts => tool_parts(tools, pair, self.context, room),
            breaks => self.breaker.as_ref() == Some(&anchor),
            ..change_and_tokens(pair.change(), pair.tokens)
        })
    }
}

/// The anchor of the layer or tool that ends the reusable prefix.
fn breaker(difference: &Difference) -> Option<String> {
    match difference.cache.breaks_at.as_ref()? {
        CachePlace::Message { pair, .. } => pair.map(|index| format!("L{index}")),
        CachePlace::Tool { name } => {
            let mut tools = difference.tools.iter().flatten().map(|pair| difference.tools_of(pair).newest());
            tools.position(|tool| tool.is_some_and(|tool| tool.name == *name)).map(|index| format!("T{index}"))
        }
    }
}

/// Description and schema; for a tool on both sides, only the parts that differ.
fn tool_parts(tools: Pair<Option<&SideTool>>, pair: &ToolPair, context: usize, room: &mut PageRoom) -> Vec<Value> {
    let description = tools.map(|tool| tool.map(|tool| tool.description.clone()).unwrap_or_default());
    let schema = tools.map(|tool| tool.map(SideTool::schema_text).unwrap_or_default());
    let mut parts = Vec::new();
    let mut part = |title, texts: Pair<String>, changes: &[LineChange]| {
        let Pair { left, right } = &texts;
        let lines = match tools.both() {
            Some(_) if changes.is_empty() => return,
            Some(_) => LineMarkup::changed(left, right, changes, context, room),
            None => LineMarkup::replaced(left, right, room),
        };
        parts.push(lines.part(Some(title)));
    };
    part("Description", description, &pair.description);
    part("Schema", schema, &pair.schema);
    parts
}
