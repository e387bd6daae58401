//! What differs besides texts and tools: fields, outcomes, the chain.

use serde::Serialize;

use super::words;
use crate::diff::{Considered, DecisionChange, Difference, FieldChange, Link, Pair};
use crate::page::text::line;

/// Something that has another value on either side.
#[derive(Serialize)]
pub struct Row {
    /// What it belongs to.
    group: String,
    name: String,
    before: Option<String>,
    now: Option<String>,
}

impl Row {
    /// Anything with a name; a value is none where that side does not have it.
    pub fn new(group: &str, name: &str, before: Option<String>, now: Option<String>) -> Self {
        Self { group: line(group), name: line(name), before, now }
    }

    /// A field.
    pub fn field(change: &FieldChange) -> Self {
        Self {
            group: change.group.into_str().to_string(),
            name: words::field(change),
            before: words::value(change, &change.value.left),
            now: words::value(change, &change.value.right),
        }
    }

    /// Something that was considered.
    pub fn decision(difference: &Difference, change: &DecisionChange) -> Option<Self> {
        let left = change.index.left.and_then(|at| difference.left.decisions.as_ref()?.get(at));
        let right = change.index.right.and_then(|at| difference.right.decisions.as_ref()?.get(at));
        let considered = right.or(left)?;
        Some(Self {
            group: line(&considered.slot),
            name: line(&considered.title),
            before: left.map(outcome),
            now: right.map(outcome),
        })
    }
}

/// What became of it, why, and where that was decided.
fn outcome(considered: &Considered) -> String {
    let outcome = line(&considered.outcome.replace('_', " "));
    let why = line(&considered.why);
    let said = if why.is_empty() || why.starts_with(&outcome) { why } else { format!("{outcome}: {why}") };
    let said = if said.is_empty() { outcome } else { said };
    words::with_place(said, considered.by.as_ref().and_then(|by| by.place.as_ref()))
}

/// A directive of the chain on one side.
#[derive(Serialize)]
pub struct Member {
    name: String,
    from: String,
    /// Whether the other side does not have it there.
    differs: bool,
}

/// Both chains, root first.
pub fn chains(chain: &Pair<Vec<Link>>) -> Pair<Vec<Member>> {
    let members = |one: &[Link], other: &[Link]| {
        let member = |link: &Link| Member {
            name: line(&link.id),
            from: words::place(&link.place),
            differs: !other.iter().any(|it| it.id == link.id && !it.place.is_elsewhere(&link.place)),
        };
        one.iter().map(member).collect()
    };
    Pair { left: members(&chain.left, &chain.right), right: members(&chain.right, &chain.left) }
}
