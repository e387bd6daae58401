//! What the page shows, as the values that its template takes.

use serde::Serialize;

use super::around::{Member, Row, chains};
use super::cache::Report;
use super::card::{Card, Cards};
use super::lines::Room;
use super::words;
use crate::diff::{Change, Difference, LayerPair, Side, View};
use crate::layout::count;
use crate::page::text::{capital, line};

/// The page.
#[derive(Serialize)]
pub struct Content {
    title: String,
    name: String,
    left: Half,
    right: Half,
    verdict: String,
    facts: Vec<String>,
    cache: Option<Report>,
    /// What is not compared, or not in full.
    remarks: Vec<String>,
    sections: Vec<Section>,
    tools: Vec<Card>,
    /// What is said of all tools.
    tools_said: Option<String>,
    fields: Vec<Row>,
    decisions: Vec<Row>,
    before: Vec<Member>,
    now: Vec<Member>,
}

/// One side.
#[derive(Serialize)]
struct Half {
    title: String,
    kind: &'static str,
}

/// The layers of a message.
#[derive(Serialize)]
struct Section {
    title: String,
    /// How many of them differ.
    differ: String,
    layers: Vec<Card>,
}

impl Content {
    /// The page about a difference.
    pub fn new(difference: &Difference, view: &View) -> Self {
        let Difference { left, right, .. } = difference;
        let name = name(left, right);
        let mut room = Room::default();
        let cards = Cards::of(difference, view.context);
        let sections = sections(difference, &cards, &mut room);
        let tools = (0..difference.tools.as_ref().map_or(0, Vec::len)).filter_map(|index| cards.tool(index, &mut room));
        let chain = difference.chain.as_ref().map(chains).unwrap_or_default();
        Self {
            title: format!("{name} · {} → {}", line(&left.title), line(&right.title)),
            left: Half::new(left),
            right: Half::new(right),
            verdict: verdict(difference),
            facts: facts(difference),
            cache: Report::new(difference, view),
            remarks: remarks(difference),
            sections,
            tools: tools.collect(),
            tools_said: difference.tool_order.then(|| "They stand in another order.".to_string()),
            fields: difference.fields.iter().map(Row::field).collect(),
            decisions: difference.decisions.iter().filter_map(|change| Row::decision(difference, change)).collect(),
            before: chain.left,
            now: chain.right,
            name,
        }
    }
}

impl Half {
    fn new(side: &Side) -> Self {
        Self { title: line(&side.title), kind: words::kind(side) }
    }
}

/// What the page is about: a directive or a folder, or one and the other.
fn name(left: &Side, right: &Side) -> String {
    match (left.subject(), right.subject()) {
        (Some(left), Some(right)) if left != right => format!("{} → {}", line(left), line(right)),
        (Some(one), _) | (_, Some(one)) => line(one),
        (None, None) => "Prompt".to_string(),
    }
}

/// What differs, in a sentence.
fn verdict(difference: &Difference) -> String {
    if difference.is_same() {
        return match difference.decisions.len() {
            0 => "Nothing differs".to_string(),
            1 => "Nothing of the prompt differs, but 1 decision does".to_string(),
            more => format!("Nothing of the prompt differs, but {} do", count(more, "decision")),
        };
    }
    match (difference.left.is_absent(), difference.right.is_absent()) {
        (true, false) => return "The prompt is new".to_string(),
        (false, true) => return "The prompt is gone".to_string(),
        _ if difference.hidden => return "Only values that are hidden here differ".to_string(),
        _ => {}
    }
    let layers = difference.layers.iter().filter(|pair| pair.change() != Change::Same).count();
    let tools = difference.tools.iter().flatten();
    let changed_tools = tools.clone().filter(|tool| !tool.is_same()).count();
    let mut parts = Vec::new();
    if layers > 0 || !difference.layers.is_empty() {
        parts.push(format!("{layers} of {}", count(difference.layers.len(), difference.unit())));
    }
    if changed_tools > 0 {
        parts.push(format!("{changed_tools} of {}", count(tools.count(), "tool")));
    }
    let counted = [(difference.fields.len(), "field"), (difference.decisions.len(), "decision")];
    parts.extend(counted.into_iter().filter(|(number, _)| *number > 0).map(|(number, unit)| count(number, unit)));
    let told = [
        (difference.chain.is_some(), "the chain"),
        (difference.tool_order, "the order of the tools"),
        (difference.between, "what stands between layers"),
    ];
    parts.extend(told.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| what.to_string()));
    let are = if parts.len() == 1 && layers == 1 { "differs" } else { "differ" };
    let last = parts.pop().unwrap_or_default();
    let first = parts.join(", ");
    if first.is_empty() { format!("{last} {are}") } else { format!("{first} and {last} {are}") }
}

/// What it costs, in a few words each.
fn facts(difference: &Difference) -> Vec<String> {
    let fact = |what: &str, pair| {
        let grown = words::grown_by(pair).map_or_else(|| ", as before".to_string(), |grown| format!(" ({grown})"));
        format!("{what}{}{grown}", words::tokens(pair))
    };
    let mut facts = vec![fact("messages ", difference.tokens)];
    facts.extend(difference.tool_tokens.map(|pair| fact("tools ", pair)));
    facts
}

/// What is not compared, or not in full.
fn remarks(difference: &Difference) -> Vec<String> {
    let mut remarks = Vec::new();
    if !difference.untold.is_empty() {
        let untold = difference.untold.join(", ");
        remarks.push(format!("Not compared: {untold}."));
    }
    if difference.is_coarse {
        remarks.push(
            "Comparing took too long and was cut short: lines may be shown as changed that both sides have."
                .to_string(),
        );
    }
    if difference.between {
        remarks.push(
            "What stands between the layers differs: separators, or the order of messages. --format patch shows it."
                .to_string(),
        );
    }
    remarks
}

/// The layers in order, by the message that they stand in.
fn sections(difference: &Difference, cards: &Cards, room: &mut Room) -> Vec<Section> {
    let place = |pair: &LayerPair| {
        let [(left, left_at), (right, right_at)] = [(&difference.left, pair.left), (&difference.right, pair.right)];
        let found = right_at.and_then(|at| Some((right, right.layers.get(at)?)));
        let (side, layer) = found.or_else(|| left_at.and_then(|at| Some((left, left.layers.get(at)?))))?;
        Some((side, layer.message))
    };
    let heading = |pair: &LayerPair| {
        let Some((side, at)) = place(pair) else { return String::new() };
        let role = side.messages.get(at).map_or("", |message| capital(message.role));
        match side.messages.len() {
            0..=2 => format!("{role} message"),
            _ => format!("{role} message, number {}", at + 1),
        }
    };
    let mut sections: Vec<(Section, usize)> = Vec::new();
    for (index, pair) in difference.layers.iter().enumerate() {
        let Some(card) = cards.layer(index, room) else { continue };
        let title = heading(pair);
        let differs = usize::from(pair.change() != Change::Same);
        match sections.last_mut().filter(|(section, _)| section.title == title) {
            Some((section, differ)) => {
                section.layers.push(card);
                *differ += differs;
            }
            None => sections.push((Section { title, differ: String::new(), layers: vec![card] }, differs)),
        }
    }
    let said = |(section, differ): (Section, usize)| Section {
        differ: match differ {
            0 => "the same".to_string(),
            differ => format!("{differ} of {} differ", section.layers.len()),
        },
        ..section
    };
    sections.into_iter().map(said).collect()
}
