//! The values of the template.

use minijinja::{Value, context};

use super::around::{decision, field, links};
use super::cache;
use super::card::Cards;
use super::lines::PageRoom;
use crate::answer::diff::summary::{self, capitalized, cost, total, verdict};
use crate::answer::diff::{Change, DiffView, Difference, LayerPair, Side};
use crate::answer::explain::sent::message_title;

pub fn content(difference: &Difference, view: &DiffView) -> Value {
    let Difference { left, right, decisions, .. } = difference;
    let name = name(left, right);
    let mut room = PageRoom::default();
    let cards = Cards::of(difference, view.context, String::new());
    let sections = sections(difference, &cards, &mut room);
    let tools = (0..difference.tools.as_ref().map_or(0, Vec::len)).filter_map(|index| cards.tool(index, &mut room));
    let heading = |side: &Side| context! { title => &side.title, kind => side.kind.phrase() };
    context! {
        title => format!("{name} · {} → {}", left.title, right.title),
        left => heading(left),
        right => heading(right),
        verdict => capitalized(&verdict(difference, str::to_string)),
        facts => facts(difference),
        cache => cache::report(difference, cards.breaker.as_ref()),
        remarks => remarks(difference),
        sections,
        tools => tools.collect::<Vec<_>>(),
        tool_order => difference.tool_order,
        fields => difference.fields.iter().map(field).collect::<Vec<_>>(),
        decisions => decisions.iter().filter_map(|&index| decision(difference, index)).collect::<Vec<_>>(),
        chain => difference.chain.iter().flat_map(links).collect::<Vec<_>>(),
        name,
    }
}

/// The directive or the folder; both, if the sides have different ones.
fn name(left: &Side, right: &Side) -> String {
    match (left.subject(), right.subject()) {
        (Some(left), Some(right)) if left != right => format!("{left} → {right}"),
        (Some(one), _) | (_, Some(one)) => one.to_string(),
        (None, None) => "Prompt".to_string(),
    }
}

/// The total size and, if both sides record tools, the sizes of messages and tools.
fn facts(difference: &Difference) -> Vec<String> {
    let tools = difference.tool_tokens.filter(|_| difference.is_on_both());
    let parts = tools.map(|tools| [("messages", difference.tokens), ("tools", tools)]);
    let parts = parts.into_iter().flatten().map(|(what, tokens)| format!("{what} {}", total(tokens)));
    [cost(difference)].into_iter().chain(parts).collect()
}

fn remarks(difference: &Difference) -> Vec<String> {
    let between = "text between layers differs: separators, or the order of messages; --format patch shows it";
    let between = difference.between.then(|| between.to_string());
    let all = summary::remarks(difference).into_iter().chain(between).map(|remark| capitalized(&remark));
    all.chain(difference.hidden_values().sentence()).collect()
}

/// The layers in order, by message.
fn sections(difference: &Difference, cards: &Cards, room: &mut PageRoom) -> Vec<Value> {
    let place = |pair: &LayerPair| {
        let found = difference.sides().zip(difference.layers_of(pair));
        found.map(|(side, layer)| Some((side, layer?.message))).newest()
    };
    let heading = |pair: &LayerPair| {
        let Some((side, at)) = place(pair) else { return String::new() };
        let number = (side.messages.len() > 2).then_some(at + 1);
        side.messages.get(at).map(|message| message_title(message.role, number)).unwrap_or_default()
    };
    // The cards of each, and how many of them differ.
    let mut sections: Vec<(String, Vec<Value>, usize)> = Vec::new();
    for (index, pair) in difference.layers.iter().enumerate() {
        let Some(card) = cards.layer(index, room) else { continue };
        let title = heading(pair);
        let differs = usize::from(pair.change() != Change::Same);
        match sections.last_mut().filter(|(known, ..)| *known == title) {
            Some((_, layers, differ)) => {
                layers.push(card);
                *differ += differs;
            }
            None => sections.push((title, vec![card], differs)),
        }
    }
    let section = |(title, layers, differ): (String, Vec<Value>, usize)| {
        let differ = match differ {
            0 => "the same".to_string(),
            differ => format!("{differ} of {} differ", layers.len()),
        };
        context! { title, differ, layers }
    };
    sections.into_iter().map(section).collect()
}
