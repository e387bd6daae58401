//! The values of the template.

use serde::Serialize;

use super::around::{ChainEntry, ValueRow, chains};
use super::cache::CacheReport;
use super::card::{Card, Cards};
use super::lines::PageRoom;
use super::words;
use crate::diff::summary::{self, capitalized, cost, total, verdict};
use crate::diff::{Change, DiffView, Difference, LayerPair, Side};
use crate::page::text::{capital, line};

#[derive(Serialize)]
pub struct DiffPage {
    title: String,
    name: String,
    left: SideHeading,
    right: SideHeading,
    verdict: String,
    facts: Vec<String>,
    cache: Option<CacheReport>,
    remarks: Vec<String>,
    sections: Vec<MessageSection>,
    tools: Vec<Card>,
    tool_order: bool,
    fields: Vec<ValueRow>,
    decisions: Vec<ValueRow>,
    before: Vec<ChainEntry>,
    now: Vec<ChainEntry>,
}

#[derive(Serialize)]
struct SideHeading {
    title: String,
    kind: &'static str,
}

/// The layers of a message.
#[derive(Serialize)]
struct MessageSection {
    title: String,
    /// `the same`, `2 of 5 differ`.
    differ: String,
    layers: Vec<Card>,
}

impl DiffPage {
    pub fn new(difference: &Difference, view: &DiffView) -> Self {
        let Difference { left, right, .. } = difference;
        let name = name(left, right);
        let mut room = PageRoom::default();
        let cards = Cards::of(difference, view.context);
        let sections = sections(difference, &cards, &mut room);
        let tools = (0..difference.tools.as_ref().map_or(0, Vec::len)).filter_map(|index| cards.tool(index, &mut room));
        let chain = difference.chain.as_ref().map(chains).unwrap_or_default();
        Self {
            title: format!("{name} · {} → {}", line(&left.title), line(&right.title)),
            left: SideHeading::new(left),
            right: SideHeading::new(right),
            verdict: capitalized(&verdict(difference, line)),
            facts: facts(difference),
            cache: CacheReport::new(difference),
            remarks: remarks(difference),
            sections,
            tools: tools.collect(),
            tool_order: difference.tool_order,
            fields: difference.fields.iter().map(ValueRow::field).collect(),
            decisions: difference.decisions.iter().filter_map(|&index| ValueRow::decision(difference, index)).collect(),
            before: chain.left,
            now: chain.right,
            name,
        }
    }
}

impl SideHeading {
    fn new(side: &Side) -> Self {
        Self { title: line(&side.title), kind: words::kind(side) }
    }
}

/// The directive or the folder; both, if the sides have different ones.
fn name(left: &Side, right: &Side) -> String {
    match (left.subject(), right.subject()) {
        (Some(left), Some(right)) if left != right => format!("{} → {}", line(left), line(right)),
        (Some(one), _) | (_, Some(one)) => line(one),
        (None, None) => "Prompt".to_string(),
    }
}

/// The sizes in all, and of messages and tools if both sides record tools.
fn facts(difference: &Difference) -> Vec<String> {
    let tools = difference.tool_tokens.filter(|_| difference.is_on_both());
    let parts = tools.map(|tools| [("messages", difference.tokens), ("tools", tools)]);
    let parts = parts.into_iter().flatten().map(|(what, tokens)| format!("{what} {}", total(tokens)));
    [cost(difference)].into_iter().chain(parts).collect()
}

fn remarks(difference: &Difference) -> Vec<String> {
    let between = "text between layers differs: separators, or the order of messages; --format patch shows it";
    let between = difference.between.then(|| between.to_string());
    summary::remarks(difference).into_iter().chain(between).map(|remark| capitalized(&remark)).collect()
}

/// The layers in order, by message.
fn sections(difference: &Difference, cards: &Cards, room: &mut PageRoom) -> Vec<MessageSection> {
    let place = |pair: &LayerPair| {
        let found = difference.sides().zip(difference.layers_of(pair));
        found.map(|(side, layer)| Some((side, layer?.message))).newest()
    };
    let heading = |pair: &LayerPair| {
        let Some((side, at)) = place(pair) else { return String::new() };
        let role = side.messages.get(at).map_or("", |message| capital(message.role));
        match side.messages.len() {
            0..=2 => format!("{role} message"),
            _ => format!("{role} message, number {}", at + 1),
        }
    };
    let mut sections: Vec<(MessageSection, usize)> = Vec::new();
    for (index, pair) in difference.layers.iter().enumerate() {
        let Some(card) = cards.layer(index, room) else { continue };
        let title = heading(pair);
        let differs = usize::from(pair.change() != Change::Same);
        match sections.last_mut().filter(|(section, _)| section.title == title) {
            Some((section, differ)) => {
                section.layers.push(card);
                *differ += differs;
            }
            None => sections.push((MessageSection { title, differ: String::new(), layers: vec![card] }, differs)),
        }
    }
    let counted = |(section, differ): (MessageSection, usize)| MessageSection {
        differ: match differ {
            0 => "the same".to_string(),
            differ => format!("{differ} of {} differ", section.layers.len()),
        },
        ..section
    };
    sections.into_iter().map(counted).collect()
}
