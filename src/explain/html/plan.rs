//! The plan as a list of sections, and token shares as a picture.

use serde::Serialize;

use super::words;
use crate::explain::View;
use crate::explain::plan::{About, Plan, Row};
use crate::layout::count;
use crate::page::text::{capital, line, lines_of};
use crate::prompt::{Layer, Part, Prompt};
use crate::tokens::thousands;

const WIDTH: usize = 10_000;

#[derive(Serialize)]
pub struct Section {
    title: String,
    tokens: String,
    share: String,
    window: Option<String>,
    rows: Vec<Entry>,
}

#[derive(Serialize)]
pub struct Entry {
    id: String,
    /// What it leads to: a layer, a tool, or itself.
    target: String,
    number: Option<usize>,
    class: String,
    in_use: bool,
    name: String,
    what: &'static str,
    why: String,
    asked: Option<String>,
    from: Option<String>,
    tokens: String,
    size: String,
    share: String,
    width: usize,
    ways: Vec<Way>,
    trust: Option<String>,
}

/// A path in two halves: where there is no room, the first is cut.
#[derive(Serialize)]
struct Way {
    word: &'static str,
    folder: String,
    file: String,
}

#[derive(Serialize)]
pub struct Share {
    target: String,
    class: String,
    title: String,
    x: usize,
    width: usize,
}

#[derive(Serialize, Clone)]
pub struct Card {
    id: String,
    row: String,
    class: String,
    number: usize,
    name: String,
    kind: &'static str,
    what: &'static str,
    asked: Option<String>,
    from: String,
    trust: Option<String>,
    tokens: String,
    size: String,
    wrap: bool,
}

/// The plan, the picture, and the layers by index.
pub struct Shown {
    pub sections: Vec<Section>,
    pub shares: Vec<Share>,
    pub layers: Vec<Card>,
}

impl Shown {
    pub fn new(prompt: &Prompt, plan: &Plan, view: &View) -> Self {
        let mut layers = cards(prompt, view, plan.tokens);
        let most =
            plan.sections.iter().flat_map(|section| &section.rows).map(|row| row.tokens).max().unwrap_or_default();
        let mut next = 0..;
        let mut sections = Vec::new();
        for section in &plan.sections {
            let rows = section.rows.iter().zip(&mut next).map(|(row, at)| {
                if let Some(card) = row.decision.layer.and_then(|layer| layers.get_mut(layer)) {
                    card.row = format!("P{at}");
                    card.trust = row.trust(prompt).map(|part| line(&part.trust.phrase()));
                }
                Entry::new(prompt, row, at, plan.tokens, most)
            });
            sections.push(Section {
                rows: rows.collect(),
                title: title(section.about, prompt),
                tokens: match section.about {
                    About::Chain => String::new(),
                    _ => count(section.tokens, "token"),
                },
                share: words::percent(section.tokens, plan.tokens),
                window: view
                    .window
                    .filter(|_| section.about != About::Chain)
                    .map(|window| words::percent(section.tokens, usize::try_from(window).unwrap_or(usize::MAX))),
            });
        }
        Self { sections, shares: shares(prompt, plan), layers }
    }
}

fn title(about: About, prompt: &Prompt) -> String {
    match about {
        About::Chain => "Chain".to_string(),
        About::Palette => "Palette".to_string(),
        About::Message(None, role) => format!("{} message, not sent", capital(role)),
        About::Message(Some(at), role) => words::message(prompt, at, role),
    }
}

/// The classes that colour a layer: eight hues in turns, and a border for its kind.
fn class(index: usize, layer: &Layer) -> String {
    format!("h{} k-{}", index % 8, layer.kind.into_str())
}

impl Entry {
    fn new(prompt: &Prompt, row: &Row, at: usize, total: usize, most: usize) -> Self {
        let decision = row.decision;
        let in_use = decision.outcome.is_in_use();
        let tool = row.tool.and_then(|tool| prompt.tools.iter().position(|other| std::ptr::eq(tool, other)));
        let id = format!("P{at}");
        let (asked, from) = (row.asked_by.map(words::declared), row.taken_from.as_ref().map(lines_of));
        let ways = [("by", &asked), ("from", &from)];
        let ways = ways.into_iter().filter(|_| in_use).filter_map(|(word, path)| Some(Way::new(word, path.as_ref()?)));
        Self {
            ways: ways.collect(),
            trust: row.trust(prompt).map(|part| line(&part.trust.phrase())),
            target: match (decision.layer, tool) {
                (Some(layer), _) => format!("L{layer}"),
                (None, Some(tool)) => format!("T{tool}"),
                (None, None) => id.clone(),
            },
            id,
            number: decision.layer.map(|layer| layer + 1),
            class: match (row.layer, decision.layer, tool) {
                (Some(layer), Some(index), _) => class(index, layer),
                (_, _, Some(_)) => "tool".to_string(),
                _ => "none".to_string(),
            },
            in_use,
            name: line(&row.name),
            what: row.layer.map_or_else(|| words::considered(decision.slot), words::what),
            why: words::reason(decision),
            asked,
            from,
            tokens: thousands(row.tokens),
            size: words::size(row.bytes, row.tokens),
            share: words::percent(row.tokens, total),
            width: (row.tokens * WIDTH).checked_div(most).unwrap_or_default(),
        }
    }
}

impl Way {
    fn new(word: &'static str, path: &str) -> Self {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        Self { word, folder, file: file.to_string() }
    }
}

impl Card {
    fn new(layer: &Layer, index: usize, part: Option<&Part>, tokens: usize, total: usize) -> Self {
        let from = layer.taken_from(part).as_ref().map(lines_of);
        Self {
            id: format!("L{index}"),
            row: String::new(),
            class: class(index, layer),
            number: index + 1,
            name: line(&layer.name),
            kind: layer.kind.into_str(),
            what: words::what(layer),
            asked: layer.declared_by.as_ref().map(words::declared),
            from: from.unwrap_or_else(|| words::no_file(layer).to_string()),
            trust: None,
            tokens: count(tokens, "token"),
            size: format!("{} · {}", words::size(layer.bytes, tokens), words::percent(tokens, total)),
            wrap: layer.wrap,
        }
    }
}

/// The layers by index, each with its text if it has one.
fn cards(prompt: &Prompt, view: &View, total: usize) -> Vec<Card> {
    let mut parts: Vec<Option<Part>> = vec![None; prompt.layers.len()];
    for part in prompt.messages.iter().flat_map(|message| message.parts()) {
        if let Some(place) = part.layer.and_then(|layer| parts.get_mut(layer)) {
            *place = Some(part);
        }
    }
    let card = |(index, (layer, part)): (usize, (&Layer, Option<Part>))| {
        let tokens = part.map_or(0, |part| view.tokenizer.count(part.text));
        Card::new(layer, index, part.as_ref(), tokens, total)
    };
    prompt.layers.iter().zip(parts).enumerate().map(card).collect()
}

/// All that adds tokens, one block behind the other.
fn shares(prompt: &Prompt, plan: &Plan) -> Vec<Share> {
    let rows = || plan.sections.iter().flat_map(|section| section.rows.iter());
    let total = rows().map(|row| row.tokens).sum::<usize>();
    let mut before = 0;
    let block = |(at, row): (usize, &Row)| {
        let edge = |tokens: usize| (tokens * WIDTH).checked_div(total).unwrap_or_default();
        let x = edge(before);
        before += row.tokens;
        let Entry { target, class, name, share, .. } = Entry::new(prompt, row, at, plan.tokens, total);
        Share {
            title: format!("{name}: {}, {share}", count(row.tokens, "token")),
            target,
            class,
            x,
            width: edge(before) - x,
        }
    };
    rows().enumerate().map(block).filter(|share| share.width > 0).collect()
}
