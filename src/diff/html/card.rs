use serde::Serialize;

use super::lines::{LineMarkup, PageRoom};
use super::words;
use crate::diff::summary::{phrase, sizes, tags, tool_tags};
use crate::diff::{CachePlace, Change, Difference, LayerPair, LineChange, Pair, SideLayer, SideTool, ToolPair};
use crate::page::text::line;

/// A layer or a tool, with its changes.
#[derive(Serialize)]
pub struct Card {
    /// The anchor.
    pub id: String,
    /// `added`, `removed`, `changed`, `around`, `same`.
    pub class: &'static str,
    sign: &'static str,
    word: &'static str,
    name: String,
    old_name: Option<String>,
    /// The kind, and the slot of a layer.
    what: String,
    tokens: String,
    grown: String,
    tags: Vec<&'static str>,
    ways: Vec<CardFact>,
    parts: Vec<LineMarkup>,
    /// Whether the first byte that a provider has not cached is in it.
    breaks: bool,
}

/// A fact about it on both sides.
#[derive(Serialize)]
struct CardFact {
    word: &'static str,
    before: Option<String>,
    now: Option<String>,
}

impl CardFact {
    /// Once, if both sides agree or only one exists.
    fn new(word: &'static str, fact: Pair<Option<String>>, is_on_both: bool) -> Option<Self> {
        let is_once = fact.left == fact.right || !is_on_both;
        let Pair { left: before, right: now } = fact;
        let (before, now) = if is_once { (None, now.or(before)) } else { (before, now) };
        (before.is_some() || now.is_some()).then_some(Self { word, before, now })
    }

    fn differing(word: &'static str, fact: Pair<Option<String>>) -> Option<Self> {
        if fact.left == fact.right { None } else { Self::new(word, fact, true) }
    }
}

/// The cards of a difference.
pub struct Cards<'a> {
    difference: &'a Difference,
    /// Lines around a change.
    context: usize,
    /// The result of [`words::numbers`] for each side.
    numbers: Pair<Vec<(usize, usize)>>,
}

impl<'a> Cards<'a> {
    pub fn of(difference: &'a Difference, context: usize) -> Self {
        Self { difference, context, numbers: difference.sides().map(words::numbers) }
    }

    pub fn layer(&self, index: usize, room: &mut PageRoom) -> Option<Card> {
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
        let slot = if layer.slot.is_empty() { String::new() } else { format!(" · {}", line(&layer.slot)) };
        Some(Card {
            id: format!("L{index}"),
            class: change.into_str(),
            sign: words::sign(change),
            word: phrase(change),
            name: line(&layer.title),
            old_name: layers.left.filter(|_| pair.renamed).map(|layer| line(&layer.title)),
            what: format!("{}{slot}", line(&layer.kind)),
            tokens: sizes(pair.tokens),
            grown: words::grown(pair.tokens),
            tags: tags(difference, pair),
            ways: self.ways(pair),
            parts: vec![match change {
                Change::Same => LineMarkup::same(texts.right, room),
                _ => LineMarkup::changed(texts.left, texts.right, &pair.lines, context, room),
            }],
            breaks,
        })
    }

    pub fn tool(&self, index: usize, room: &mut PageRoom) -> Option<Card> {
        let Self { difference, context, .. } = *self;
        let pair = difference.tools.as_ref()?.get(index)?;
        let tools = difference.tools_of(pair);
        let tool = tools.newest()?;
        let change = pair.change();
        let is_on_both = tools.both().is_some();
        let place = tools.map(|tool| tool?.place.as_ref().map(words::place));
        let item = tools.map(|tool| tool?.item_id.as_deref().map(line));
        let primary = tools.map(|tool| tool?.primary.as_deref().map(line));
        let ways = [
            CardFact::new("taken from", place, is_on_both),
            CardFact::differing("item", item).filter(|_| is_on_both),
            CardFact::differing("routed to", primary).filter(|_| is_on_both),
        ];
        let breaks = matches!(&difference.cache.breaks_at, Some(CachePlace::Tool { name }) if *name == tool.name);
        Some(Card {
            id: format!("T{index}"),
            class: change.into_str(),
            sign: words::sign(change),
            word: phrase(change),
            name: line(&tool.name),
            old_name: tools.left.filter(|_| pair.renamed).map(|tool| line(&tool.name)),
            what: "tool".to_string(),
            tokens: sizes(pair.tokens),
            grown: words::grown(pair.tokens),
            tags: tool_tags(pair),
            ways: ways.into_iter().flatten().collect(),
            parts: tool_parts(tools, pair, context, room),
            breaks,
        })
    }

    fn ways(&self, pair: &LayerPair) -> Vec<CardFact> {
        let from = |layer: &SideLayer| {
            layer.item.as_ref().map(words::taken_from).or_else(|| layer.file.as_ref().map(words::place))
        };
        let by = |layer: &SideLayer| layer.declared_by.as_ref().map(words::asked_by);
        let Self { difference, numbers, .. } = self;
        let sides = difference.sides().zip(pair.index().zip(numbers.as_ref()));
        let position = sides.map(|(side, (at, numbers))| Some(words::position(side, at?, *numbers.get(at?)?)));
        let layers = difference.layers_of(pair);
        let is_on_both = layers.both().is_some();
        let all = [
            CardFact::new("taken from", layers.map(|layer| from(layer?)), is_on_both),
            CardFact::new("asked for by", layers.map(|layer| by(layer?)), is_on_both),
            CardFact::differing("placed in", position).filter(|_| pair.moved),
        ];
        all.into_iter().flatten().collect()
    }
}

/// Description and schema; of a tool on both sides only what differs.
fn tool_parts(tools: Pair<Option<&SideTool>>, pair: &ToolPair, context: usize, room: &mut PageRoom) -> Vec<LineMarkup> {
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
        parts.push(LineMarkup { title: Some(title), ..lines });
    };
    part("Description", description, &pair.description);
    part("Schema", schema, &pair.schema);
    parts
}
