//! A layer or a tool with what became of it.

use serde::Serialize;

use super::lines::{Lines, Room};
use super::words;
use crate::diff::{CachePlace, Change, Difference, Layer, LayerPair, LineChange, Pair, Tool, ToolPair};
use crate::page::text::line;

/// A layer or a tool with what became of it.
#[derive(Serialize)]
pub struct Card {
    /// Its anchor.
    pub id: String,
    /// `added`, `removed`, `changed`, `around`, `same`.
    pub class: &'static str,
    sign: &'static str,
    word: &'static str,
    name: String,
    /// What it was called.
    old_name: Option<String>,
    /// What it is.
    what: String,
    tokens: String,
    grown: Option<String>,
    /// What differs around its text, in a word each.
    tags: Vec<&'static str>,
    ways: Vec<Way>,
    parts: Vec<Lines>,
    /// Whether the first byte that a provider has not cached stands in it.
    breaks: bool,
}

/// Something about it on both sides.
#[derive(Serialize)]
struct Way {
    word: &'static str,
    before: Option<String>,
    now: Option<String>,
}

impl Way {
    /// What is said on both sides alike, or of what is on one side alone, is said once.
    fn new(word: &'static str, before: Option<String>, now: Option<String>, is_on_both: bool) -> Option<Self> {
        match (before, now) {
            (None, None) => None,
            (before, now) if before == now => Some(Self { word, before: None, now }),
            (before, now) if is_on_both => Some(Self { word, before, now }),
            (before, now) => Some(Self { word, before: None, now: now.or(before) }),
        }
    }

    /// Likewise, if it differs at all.
    fn differing(word: &'static str, before: Option<String>, now: Option<String>) -> Option<Self> {
        if before == now { None } else { Self::new(word, before, now, true) }
    }
}

/// The cards of a difference.
pub struct Cards<'a> {
    difference: &'a Difference,
    /// How many lines stand around a change.
    context: usize,
    /// Which of how many layers of its message each layer is.
    numbers: Pair<Vec<(usize, usize)>>,
}

impl<'a> Cards<'a> {
    /// Looks at both sides once for all cards.
    pub fn of(difference: &'a Difference, context: usize) -> Self {
        let Difference { left, right, .. } = difference;
        Self { difference, context, numbers: Pair { left: words::numbers(left), right: words::numbers(right) } }
    }

    /// What became of a layer.
    pub fn layer(&self, index: usize, room: &mut Room) -> Option<Card> {
        let Self { difference, context, .. } = *self;
        let pair = difference.layers.get(index)?;
        let left = pair.left.and_then(|at| difference.left.layers.get(at));
        let right = pair.right.and_then(|at| difference.right.layers.get(at));
        let layer = right.or(left)?;
        let texts = Pair {
            left: left.map_or("", |layer| difference.left.layer_text(layer)),
            right: right.map_or("", |layer| difference.right.layer_text(layer)),
        };
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
            word: words::word(change),
            name: line(&layer.title),
            old_name: left.filter(|_| pair.renamed).map(|layer| line(&layer.title)),
            what: format!("{}{slot}", line(&layer.kind)),
            tokens: words::tokens(pair.tokens),
            grown: words::grown(pair.tokens),
            tags: tags(pair, left, right),
            ways: self.ways(pair, left, right),
            parts: vec![match change {
                Change::Same => Lines::same(texts.right, room),
                _ => Lines::changed(texts.left, texts.right, &pair.lines, context, room),
            }],
            breaks,
        })
    }

    /// What became of a tool.
    pub fn tool(&self, index: usize, room: &mut Room) -> Option<Card> {
        let Self { difference, context, .. } = *self;
        let pair = difference.tools.as_ref()?.get(index)?;
        let left = pair.index.left.and_then(|at| difference.left.tools.as_ref()?.get(at));
        let right = pair.index.right.and_then(|at| difference.right.tools.as_ref()?.get(at));
        let tool = right.or(left)?;
        let change = pair.change();
        let item = |tool: Option<&Tool>| Some(line(tool?.item_id.as_ref()?));
        let primary = |tool: Option<&Tool>| Some(line(tool?.primary.as_ref()?));
        let place = |tool: Option<&Tool>| Some(words::place(tool?.place.as_ref()?));
        let is_on_both = left.is_some() && right.is_some();
        let ways = [
            Way::new("taken from", place(left), place(right), is_on_both),
            Way::differing("item", item(left), item(right)).filter(|_| is_on_both),
            Way::differing("a call goes to", primary(left), primary(right)).filter(|_| is_on_both),
        ];
        let breaks = matches!(&difference.cache.breaks_at, Some(CachePlace::Tool(name)) if *name == tool.name);
        Some(Card {
            id: format!("T{index}"),
            class: change.into_str(),
            sign: words::sign(change),
            word: words::word(change),
            name: line(&tool.name),
            old_name: left.filter(|_| pair.renamed).map(|tool| line(&tool.name)),
            what: "tool".to_string(),
            tokens: words::tokens(pair.tokens),
            grown: words::grown(pair.tokens),
            tags: tool_tags(pair, change),
            ways: ways.into_iter().flatten().collect(),
            parts: tool_parts(left, right, pair, context, room),
            breaks,
        })
    }

    /// Where a layer is from, who asked for it, where it stands: on both sides, where they differ.
    fn ways(&self, pair: &LayerPair, left: Option<&Layer>, right: Option<&Layer>) -> Vec<Way> {
        let from = |layer: Option<&Layer>| {
            let layer = layer?;
            layer.item.as_ref().map(words::taken_from).or_else(|| layer.file.as_ref().map(words::place))
        };
        let by = |layer: Option<&Layer>| layer?.declared_by.as_ref().map(words::asked_by);
        let stood = |side, at: Option<usize>, numbers: &[(usize, usize)]| {
            at.and_then(|at| Some(words::position(side, at, *numbers.get(at)?)))
        };
        let Self { difference: Difference { left: before, right: now, .. }, numbers, .. } = self;
        let [before, now] = [stood(before, pair.left, &numbers.left), stood(now, pair.right, &numbers.right)];
        let is_on_both = left.is_some() && right.is_some();
        let all = [
            Way::new("taken from", from(left), from(right), is_on_both),
            Way::new("asked for by", by(left), by(right), is_on_both),
            Way::differing("stands in", before, now).filter(|_| pair.moved),
        ];
        all.into_iter().flatten().collect()
    }
}

/// What differs around a layer's text.
fn tags(pair: &LayerPair, left: Option<&Layer>, right: Option<&Layer>) -> Vec<&'static str> {
    let tier = |layer: Option<&Layer>| Some(layer?.place()?.tier.clone());
    let all = [
        (pair.moved, "moved"),
        (pair.renamed, "renamed"),
        (pair.taken_from && tier(left) != tier(right), "from another tier"),
        (pair.taken_from && tier(left) == tier(right), "from another file"),
        (pair.asked_by, "asked for by another"),
        (pair.wrapped, if right.is_some_and(|it| it.wrap) { "now in an element" } else { "no longer in an element" }),
    ];
    all.into_iter().filter(|(is, _)| *is).map(|(_, tag)| tag).collect()
}

/// What differs around a tool's description and schema.
fn tool_tags(pair: &ToolPair, change: Change) -> Vec<&'static str> {
    let over_budget = match change {
        Change::Removed => "no room in the budget",
        _ => "had no room in the budget",
    };
    let all = [(pair.renamed, "renamed"), (pair.over_budget, over_budget), (pair.item, "another item")];
    all.into_iter().filter(|(is, _)| *is).map(|(_, tag)| tag).collect()
}

/// Description and schema; those that are the same say nothing where something else differs.
fn tool_parts(
    left: Option<&Tool>,
    right: Option<&Tool>,
    pair: &ToolPair,
    context: usize,
    room: &mut Room,
) -> Vec<Lines> {
    let description = |tool: Option<&Tool>| tool.map(|tool| tool.description.clone()).unwrap_or_default();
    let schema = |tool: Option<&Tool>| tool.map(|tool| tool.schema_text()).unwrap_or_default();
    let is_pair = left.is_some() && right.is_some();
    let mut parts = Vec::new();
    let mut part = |title, left: String, right: String, changes: &[LineChange]| {
        let lines = match is_pair {
            true if changes.is_empty() => return,
            true => Lines::changed(&left, &right, changes, context, room),
            false => Lines::replaced(&left, &right, room),
        };
        parts.push(Lines { title: Some(title), ..lines });
    };
    part("Description", description(left), description(right), &pair.description);
    part("Schema", schema(left), schema(right), &pair.schema);
    parts
}
