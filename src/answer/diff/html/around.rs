//! Differences other than texts and tools: fields, decisions, the chain.

use minijinja::{Value, context};

use super::words;
use crate::answer::diff::places::reason;
use crate::answer::diff::{Change, Considered, Difference, ExtendsLink, FieldChange, Pair, chain, summary};
use crate::write::layout::plain;
use crate::write::theme::Theme;

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

/// The outcome, the reason, and what decided it.
fn outcome(considered: &Considered) -> String {
    let outcome = summary::outcome(Some(&considered.outcome));
    match plain(&reason(considered, Theme::Plain)) {
        reason if reason.is_empty() => outcome,
        reason if reason.starts_with(&outcome) => reason,
        reason => format!("{outcome}: {reason}"),
    }
}

pub fn links(chain: &Pair<Vec<ExtendsLink>>) -> impl Iterator<Item = Value> {
    let link = |(side, link): (Change, &ExtendsLink)| {
        context! { side => side.into_str(), text => format!("{} · {}", link.id, link.place) }
    };
    chain::links(chain).map(link)
}
