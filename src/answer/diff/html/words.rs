use std::collections::BTreeMap;

use crate::answer::diff::summary::signed;
use crate::answer::diff::{Change, FieldChange, FilePlace, Pair, Requester, Side, SideItem, SideKind, SideLayer};
use crate::write::page::text::message;

/// The source of a side.
pub fn kind(side: &Side) -> &'static str {
    match side.kind {
        SideKind::Rendered => "rendered",
        SideKind::Saved => "a saved prompt",
        SideKind::Sent(_) => "sent",
        SideKind::Absent => "does not exist",
    }
}

/// A sign with the same meaning as the word next to it.
pub fn sign(change: Change) -> &'static str {
    match change {
        Change::Added => "+",
        Change::Removed => "−",
        Change::Changed => "~",
        Change::TextUnchanged => "→",
        Change::Same => "=",
    }
}

/// `+72`, `-3`; empty if both are equal.
pub fn grown(tokens: Pair<usize>) -> String {
    if tokens.left == tokens.right { String::new() } else { signed(tokens) }
}

pub fn taken_from(item: &SideItem) -> String {
    item.place.as_ref().map_or_else(|| format!("{} {}", item.kind, item.id), FilePlace::to_string)
}

pub fn requested_by(requester: &Requester) -> String {
    with_place(requester.by.clone(), requester.place.as_ref())
}

pub fn with_place(words: String, at: Option<&FilePlace>) -> String {
    match at {
        Some(at) => format!("{words}, {at}"),
        None => words,
    }
}

/// For each layer of a side, its number and the number of layers in its message.
pub fn numbers(side: &Side) -> Vec<(usize, usize)> {
    let mut counts = BTreeMap::new();
    let mut number = |layer: &SideLayer| {
        let count = counts.entry(layer.message).or_insert(0);
        *count += 1;
        *count
    };
    let numbers: Vec<usize> = side.layers.iter().map(&mut number).collect();
    side.layers.iter().zip(numbers).map(|(layer, number)| (number, counts[&layer.message])).collect()
}

/// Where a layer is on its side: `system message, system.chain, layer 2 of 3`.
pub fn position(side: &Side, index: usize, (number, of): (usize, usize)) -> String {
    let Some(layer) = side.layers.get(index) else { return String::new() };
    let role = side.messages.get(layer.message).map_or("", |message| message.role.into_str());
    let message = message(role, layer.message, side.messages.len());
    let slot = if layer.slot.is_empty() { String::new() } else { format!(", {}", layer.slot) };
    format!("{message}{slot}, layer {number} of {of}")
}

/// The value of a field on a side that has it; `present` for a field without values.
pub fn value(change: &FieldChange, value: &Option<String>) -> Option<String> {
    let there = value.as_ref().map(|_| "present");
    change.shown(value).or(there).map(str::to_string)
}
