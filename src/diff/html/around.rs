//! What differs besides texts and tools: fields, decisions, the chain.

use serde::Serialize;

use super::words;
use crate::diff::{Considered, Difference, ExtendsLink, FieldChange, Pair};
use crate::page::text::line;

/// A name with the values of both sides; none on a side without it.
#[derive(Serialize)]
pub struct ValueRow {
    group: String,
    name: String,
    before: Option<String>,
    now: Option<String>,
}

impl ValueRow {
    pub fn new(group: &str, name: &str, value: Pair<Option<String>>) -> Self {
        Self { group: line(group), name: line(name), before: value.left, now: value.right }
    }

    pub fn field(change: &FieldChange) -> Self {
        Self {
            group: change.group.into_str().to_string(),
            name: words::field(change),
            before: words::value(change, &change.value.left),
            now: words::value(change, &change.value.right),
        }
    }

    pub fn decision(difference: &Difference, index: Pair<Option<usize>>) -> Option<Self> {
        let decisions = difference.decisions_of(index);
        let Considered { slot, title, .. } = decisions.newest()?;
        Some(Self::new(slot, title, decisions.map(|decision| decision.map(outcome))))
    }
}

/// The outcome, the reason, and the place of the declaration that decided.
fn outcome(considered: &Considered) -> String {
    let outcome = line(&considered.outcome.replace('_', " "));
    let why = line(&considered.why);
    let words = match why {
        why if why.is_empty() => outcome,
        why if why.starts_with(&outcome) => why,
        why => format!("{outcome}: {why}"),
    };
    words::with_place(words, considered.by.as_ref().and_then(|by| by.place.as_ref()))
}

#[derive(Serialize)]
pub struct ChainEntry {
    name: String,
    from: String,
    /// Whether the other side lacks it, or takes it from elsewhere.
    differs: bool,
}

pub fn chains(chain: &Pair<Vec<ExtendsLink>>) -> Pair<Vec<ChainEntry>> {
    let members = |one: &[ExtendsLink], other: &[ExtendsLink]| {
        let member = |link: &ExtendsLink| ChainEntry {
            name: line(&link.id),
            from: words::place(&link.place),
            differs: !other.iter().any(|it| it.id == link.id && !it.place.is_elsewhere(&link.place)),
        };
        one.iter().map(member).collect()
    };
    Pair { left: members(&chain.left, &chain.right), right: members(&chain.right, &chain.left) }
}
