use minijinja::{Value, context};

use super::lines::{LineMarkup, PageRoom};
use super::words;
use crate::answer::diff::summary::{phrase, sizes, tool_tags};
use crate::answer::diff::text::layer::around;
use crate::answer::diff::{
    CachePlace, Change, Difference, FilePlace, LayerPair, LineChange, Pair, SideLayer, SideTool, ToolPair,
};

/// The change and the tokens, as every card shows them.
pub fn change_and_tokens(change: Change, tokens: Pair<usize>) -> Value {
    context! {
        class => change.into_str(),
        sign => words::sign(change),
        word => phrase(change),
        tokens => sizes(tokens),
        grown => words::grown(tokens),
    }
}

/// A fact about a layer or a tool on both sides; given once if both sides agree or only one exists.
fn fact(word: &'static str, Pair { left, right }: Pair<Option<String>>, is_on_both: bool) -> Option<Value> {
    let is_once = left == right || !is_on_both;
    let (before, now) = if is_once { (None, right.or(left)) } else { (left, right) };
    (before.is_some() || now.is_some()).then(|| context! { word, before, now })
}

fn differing(word: &'static str, both: Pair<Option<String>>) -> Option<Value> {
    if both.left == both.right { None } else { fact(word, both, true) }
}

/// The cards of a difference.
pub struct Cards<'a> {
    difference: &'a Difference,
    /// Lines of context.
    context: usize,
    /// The prefix of the anchors.
    prefix: String,
}

impl<'a> Cards<'a> {
    pub fn of(difference: &'a Difference, context: usize, prefix: String) -> Self {
        Self { difference, context, prefix }
    }

    /// The card of a layer; `breaks` says whether it contains the first byte that a provider has not cached.
    pub fn layer(&self, index: usize, room: &mut PageRoom) -> Option<Value> {
        let Self { difference, context, .. } = *self;
        let pair = difference.layers.get(index)?;
        let layers = difference.layers_of(pair);
        let layer = layers.newest()?;
        let texts = difference.texts_of(pair);
        let change = pair.change();
        let breaks = match &difference.cache.breaks_at {
            Some(CachePlace::Message { pair, .. }) => *pair == Some(index),
            _ => false,
        };
        let slot = if layer.slot.is_empty() { String::new() } else { format!(" · {}", layer.slot) };
        let lines = match change {
            Change::Same => LineMarkup::same(texts.right, room),
            _ => LineMarkup::changed(texts.left, texts.right, &pair.lines, context, room),
        };
        Some(context! {
            id => format!("{}L{index}", self.prefix),
            name => &layer.title,
            old_name => layers.left.filter(|_| pair.renamed).map(|layer| &layer.title),
            what => format!("{}{slot}", layer.kind),
            tags => around(difference, pair, str::to_string),
            facts => self.facts(pair),
            parts => vec![lines.part(None)],
            breaks,
            ..change_and_tokens(change, pair.tokens)
        })
    }

    pub fn tool(&self, index: usize, room: &mut PageRoom) -> Option<Value> {
        let difference = self.difference;
        let pair = difference.tools.as_ref()?.get(index)?;
        let tools = difference.tools_of(pair);
        let tool = tools.newest()?;
        let is_on_both = tools.both().is_some();
        let place = tools.map(|tool| tool?.place.as_ref().map(FilePlace::to_string));
        let item = tools.map(|tool| tool?.item_id.as_deref().map(str::to_string));
        let primary = tools.map(|tool| tool?.primary.as_deref().map(str::to_string));
        let facts = [
            fact("taken from", place, is_on_both),
            differing("item", item).filter(|_| is_on_both),
            differing("routed to", primary).filter(|_| is_on_both),
        ];
        let breaks = matches!(&difference.cache.breaks_at, Some(CachePlace::Tool { name }) if *name == tool.name);
        Some(context! {
            id => format!("{}T{index}", self.prefix),
            name => &tool.name,
            old_name => tools.left.filter(|_| pair.renamed).map(|tool| &tool.name),
            what => "tool",
            tags => tool_tags(pair),
            facts => facts.into_iter().flatten().collect::<Vec<_>>(),
            parts => tool_parts(tools, pair, self.context, room),
            breaks,
            ..change_and_tokens(pair.change(), pair.tokens)
        })
    }

    fn facts(&self, pair: &LayerPair) -> Vec<Value> {
        let from = |layer: &SideLayer| {
            layer.item.as_ref().map(words::taken_from).or_else(|| layer.file.as_ref().map(FilePlace::to_string))
        };
        let by = |layer: &SideLayer| layer.declared_by.as_ref().map(words::requested_by);
        let layers = self.difference.layers_of(pair);
        let is_on_both = layers.both().is_some();
        let all = [
            fact("taken from", layers.map(|layer| from(layer?)), is_on_both),
            fact("requested by", layers.map(|layer| by(layer?)), is_on_both),
        ];
        all.into_iter().flatten().collect()
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
