//! The words of the page.

use std::collections::BTreeMap;

use crate::diff::{Asker, Cache, Change, FieldChange, Item, Layer, Pair, Place, Side, SideKind};
use crate::layout::{count, per_cent};
use crate::page::text::line;
use crate::tokens::thousands;

/// What a side was made from.
pub fn kind(side: &Side) -> &'static str {
    match side.kind {
        SideKind::Rendered => "rendered",
        SideKind::Saved => "a saved prompt",
        SideKind::Sent(_) => "what was sent",
        SideKind::Absent => "not there",
    }
}

/// The sign of a change, which says without colour what the word beside it says.
pub fn sign(change: Change) -> &'static str {
    match change {
        Change::Added => "+",
        Change::Removed => "−",
        Change::Changed => "~",
        Change::Around => "→",
        Change::Same => "=",
    }
}

/// The word of a change, as it stands beside a name.
pub fn word(change: Change) -> &'static str {
    match change {
        Change::Around => "same text",
        change => change.into_str(),
    }
}

/// `118 → 190 tokens`, `118 tokens`.
pub fn tokens(pair: Pair<usize>) -> String {
    if pair.left == pair.right {
        count(pair.right, "token")
    } else {
        format!("{} → {}", thousands(pair.left), count(pair.right, "token"))
    }
}

/// By how much: `+72`, `−3`; nothing where nothing was won or lost.
pub fn grown(pair: Pair<usize>) -> Option<String> {
    let sign = match pair.left.cmp(&pair.right) {
        std::cmp::Ordering::Less => "+",
        std::cmp::Ordering::Greater => "−",
        std::cmp::Ordering::Equal => return None,
    };
    Some(format!("{sign}{}", thousands(pair.left.abs_diff(pair.right))))
}

/// [`grown`] with its share of what was there: `+72, +6%`.
pub fn grown_by(pair: Pair<usize>) -> Option<String> {
    let grown = grown(pair)?;
    if pair.left == 0 {
        return Some(grown);
    }
    let share = per_cent(pair.left.abs_diff(pair.right) as u64, pair.left as u64);
    // What is less than the least has its sign in front of the number alone.
    let share = match share.strip_prefix('<') {
        Some(least) => format!("less than {least}"),
        None => format!("{}{share}", if pair.left < pair.right { "+" } else { "−" }),
    };
    Some(format!("{grown}, {share}"))
}

/// How much of a cached prompt can still be used: `1,204 of 5,870 bytes`, `all of it`, `nothing`.
pub fn reused(cache: &Cache) -> String {
    if cache.breaks_at.is_none() {
        "all of it".to_string()
    } else if cache.is_reusable {
        format!("{} of {}", thousands(cache.shared_bytes), count(cache.right_bytes.max(cache.shared_bytes), "byte"))
    } else {
        "nothing".to_string()
    }
}

/// `project .ai/knowledge/rules.md:6-20`
pub fn place(place: &Place) -> String {
    let lines = match place.line {
        0 => String::new(),
        first if place.last_line <= first => format!(":{first}"),
        first => format!(":{first}-{}", place.last_line),
    };
    line(&format!("{} {}{lines}", place.tier, place.path))
}

/// Where an item was taken from.
pub fn taken_from(item: &Item) -> String {
    item.place.as_ref().map_or_else(|| line(&format!("{} {}", item.kind, item.id)), place)
}

/// Who asked for something, and where.
pub fn asked_by(asker: &Asker) -> String {
    with_place(line(&asker.by), asker.place.as_ref())
}

/// Some words, and a place if there is one.
pub fn with_place(words: String, at: Option<&Place>) -> String {
    match at {
        Some(at) => format!("{words}, {}", place(at)),
        None => words,
    }
}

/// Which of how many layers of its message each layer of a side is.
pub fn numbers(side: &Side) -> Vec<(usize, usize)> {
    let mut counts = BTreeMap::new();
    let mut number = |layer: &Layer| {
        let count = counts.entry(layer.message).or_insert(0);
        *count += 1;
        *count
    };
    let numbers: Vec<usize> = side.layers.iter().map(&mut number).collect();
    side.layers.iter().zip(numbers).map(|(layer, number)| (number, counts[&layer.message])).collect()
}

/// Where a layer stands on its side: `system message, system.chain, layer 2 of 3`.
pub fn position(side: &Side, index: usize, (number, of): (usize, usize)) -> String {
    let Some(layer) = side.layers.get(index) else { return String::new() };
    let role = side.messages.get(layer.message).map_or("", |message| message.role.into_str());
    let message = match side.messages.len() {
        0..=2 => format!("{role} message"),
        _ => format!("{role} message, number {}", layer.message + 1),
    };
    let slot = if layer.slot.is_empty() { String::new() } else { format!(", {}", line(&layer.slot)) };
    format!("{message}{slot}, layer {number} of {of}")
}

/// The name of a field.
pub fn field(change: &FieldChange) -> String {
    match change.name.as_str() {
        "" => change.group.into_str().to_string(),
        name => line(name),
    }
}

/// What a field is on a side that has it: its value, or that it is there.
pub fn value(change: &FieldChange, value: &Option<String>) -> Option<String> {
    let there = value.as_ref().map(|_| "there");
    Some(crate::text::visible::visible(change.shown(value).or(there)?).into_owned())
}
