//! Differences other than texts and tools: fields, decisions, the chain.

use minijinja::{Value, context};

use super::words;
use crate::answer::diff::summary;
use crate::answer::diff::{Considered, Difference, ExtendsLink, FieldChange, Pair};

/// A name with the values of both sides; `None` on a side without it.
pub fn value_row(group: &str, name: &str, Pair { left, right }: Pair<Option<String>>) -> Value {
    context! { group, name, before => left, now => right }
}

pub fn field(change: &FieldChange) -> Value {
    value_row("", &summary::field_name(change), change.value.as_ref().map(|value| words::value(change, value)))
}

pub fn decision(difference: &Difference, index: Pair<Option<usize>>) -> Option<Value> {
    let decisions = difference.decisions_of(index);
    let Considered { slot, title, .. } = decisions.newest()?;
    Some(value_row(slot, title, decisions.map(|decision| decision.map(outcome))))
}

/// The outcome, the reason, and the place of the declaration that decided.
fn outcome(considered: &Considered) -> String {
    let outcome = summary::outcome(Some(&considered.outcome));
    let why = considered.why.clone();
    let words = match why {
        why if why.is_empty() => outcome,
        why if why.starts_with(&outcome) => why,
        why => format!("{outcome}: {why}"),
    };
    words::with_place(words, considered.by.as_ref().and_then(|by| by.place.as_ref()))
}

/// The members of each chain, and for each whether the other side lacks it or takes it from a different file.
pub fn chains(chain: &Pair<Vec<ExtendsLink>>) -> Pair<Vec<Value>> {
    let members = |one: &[ExtendsLink], other: &[ExtendsLink]| {
        let member = |link: &ExtendsLink| {
            let differs = !other.iter().any(|it| it.id == link.id && !it.place.is_elsewhere(&link.place));
            context! { name => &link.id, from => link.place.to_string(), differs }
        };
        one.iter().map(member).collect()
    };
    Pair { left: members(&chain.left, &chain.right), right: members(&chain.right, &chain.left) }
}
