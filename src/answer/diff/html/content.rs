//! The values of the template.

use minijinja::{Value, context};

use super::card::Cards;
use super::lines::PageRoom;
use crate::answer::diff::places::reason;
use crate::answer::diff::summary::{self, capitalized, cost, total, verdict};
use crate::answer::diff::{
    Change, Considered, DiffView, Difference, ExtendsLink, FieldChange, LayerPair, Pair, Side, around,
};
use crate::answer::explain::sent::message_title;
use crate::text::numbers::count;

/// The width of the picture of the cache.
const WIDTH: usize = 10_000;

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
        cache => cache(difference, cards.breaker.as_ref()),
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
    let parts =
        parts.into_iter().flatten().map(|(what, tokens)| format!("{what} {}", total(tokens, difference.has_unknown())));
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

/// A name with the values of both sides; `None` on a side without it.
pub fn value_row(group: &str, name: &str, Pair { left, right }: Pair<Option<String>>) -> Value {
    context! { group, name, before => left, now => right }
}

/// `present` on a side that has a field without values.
pub fn field(change: &FieldChange) -> Value {
    let value = |value: &Option<String>| {
        let there = value.as_ref().map(|_| "present");
        change.shown(value).or(there).map(str::to_string)
    };
    value_row("", &summary::field_name(change), change.value.as_ref().map(value))
}

fn decision(difference: &Difference, index: Pair<Option<usize>>) -> Option<Value> {
    let decisions = difference.decisions_of(index);
    let Considered { slot, title, .. } = decisions.newest()?;
    Some(value_row(slot, title, decisions.map(|decision| decision.map(outcome))))
}

/// The outcome, the reason, and what decided it.
fn outcome(considered: &Considered) -> String {
    let outcome = summary::outcome(Some(&considered.outcome));
    match reason(considered).text() {
        reason if reason.is_empty() => outcome,
        reason if reason.starts_with(&outcome) => reason,
        reason => format!("{outcome}: {reason}"),
    }
}

fn links(chain: &Pair<Vec<ExtendsLink>>) -> impl Iterator<Item = Value> {
    let link = |(side, link): (Change, &ExtendsLink)| {
        context! { side => side.into_str(), text => format!("{} · {}", link.id, link.place) }
    };
    around::links(chain).map(link)
}

/// How much of a cached prompt can be reused, in words and as a picture; `None` if one side has no prompt.
fn cache(difference: &Difference, breaker: Option<&String>) -> Option<Value> {
    difference.is_on_both().then(|| {
        context! {
            sentence => capitalized(&summary::cache(difference, str::to_string)),
            breaker,
            blocks => blocks(difference),
        }
    })
}

/// The newer prompt as providers cache it, to scale in bytes. A layer that is reused in part is two blocks.
fn blocks(difference: &Difference) -> Vec<Value> {
    let (cache, right) = (&difference.cache, &difference.right);
    let edge = |byte: usize| (byte.min(cache.bytes.right) * WIDTH).checked_div(cache.bytes.right).unwrap_or_default();
    let messages: usize = right.messages.iter().map(|message| message.text.len()).sum();
    let tools = cache.bytes.right.saturating_sub(messages);
    let mut parts = Vec::new();
    if tools > 0 {
        let differs = difference.tool_order || difference.changed_tools().next().is_some();
        parts.push((0..tools, "palette".to_string(), "tools".to_string(), differs));
    }
    let mut starts = vec![tools];
    for message in &right.messages {
        starts.push(starts[starts.len() - 1] + message.text.len());
    }
    for (index, pair) in difference.layers.iter().enumerate() {
        let Some(layer) = pair.right.and_then(|at| right.layers.get(at)) else { continue };
        let Some(start) = starts.get(layer.message) else { continue };
        let range = start + layer.range.start..start + layer.range.end;
        parts.push((range, format!("L{index}"), layer.title.clone(), pair.change() != Change::Same));
    }
    let mut blocks = Vec::new();
    for (range, target, name, differs) in parts {
        let kept = if cache.is_reusable != Some(false) || cache.breaks_at.is_none() { cache.shared_bytes } else { 0 };
        let middle = kept.clamp(range.start, range.end);
        for (range, is_kept) in [(range.start..middle, true), (middle..range.end, false)] {
            let (x, end) = (edge(range.start), edge(range.end));
            let cost = if is_kept { "can be reused" } else { "must be processed again" };
            if end > x {
                let title = format!("{name}: {} {cost}", count(range.len(), "byte"));
                blocks.push(context! { target => &target, title, x, width => end - x, is_kept, differs });
            }
        }
    }
    blocks
}
