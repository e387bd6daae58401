//! What a change does to every prompt, for people: a heading for each cause, below it its prompts and the lines that
//! differ.

pub(super) mod causes;
pub(super) mod failed;
pub mod stat;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io;

use super::Impact;
use crate::diff::text::phrases::signed;
use crate::diff::text::{fitted, too_narrow};
use crate::diff::{Pair, View};
use crate::layout::{Spread, Word, count};
use crate::text::visible::visible_line;
use crate::tokens::{growth, thousands};

/// Writes it.
pub fn write(impact: &Impact, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let asked = view;
    let view = &fitted(asked);
    let dim = view.theme.dim();
    let verdict = verdict(impact);
    if impact.is_same() {
        return writeln!(out, "{verdict}: {}", dim.style(sides(impact)));
    }
    let verdict = Word::new(&verdict, view.theme.strong());
    match cost(impact) {
        Some(cost) => {
            let spread = Spread { lead: "", fill: ' ', style: dim, width: view.width };
            spread.write(&verdict, &Word::new(&cost, dim), out)?;
        }
        None => writeln!(out, "{verdict}")?,
    }
    writeln!(out, "  {}", dim.style(sides(impact)))?;
    too_narrow(asked, view, out)?;
    causes::write(impact, view, out)?;
    failed::write(impact, view, out)
}

/// The ids of the directives whose prompt differs, one a line and nothing else.
pub fn names(impact: &Impact, out: &mut dyn io::Write) -> io::Result<()> {
    let ids: BTreeSet<&String> = impact.changed.iter().map(|changed| &changed.id).chain(&impact.hidden).collect();
    ids.into_iter().try_for_each(|id| writeln!(out, "{}", visible_line(id)))
}

/// `3 of 41 prompts change`; and how many differ in values that are not shown.
pub fn verdict(impact: &Impact) -> String {
    let all = count(impact.directives, "prompt");
    let change = match impact.changed.len() {
        0 => format!("None of {all} changes"),
        1 => format!("1 of {all} changes"),
        more => format!("{} of {all} change", thousands(more)),
    };
    [Some(change), hidden(impact)].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// How many differ in values that are not shown.
pub fn hidden(impact: &Impact) -> Option<String> {
    let differ = match impact.hidden.len() {
        0 => return None,
        1 => "1 prompt differs".to_string(),
        more => format!("{} prompts differ", thousands(more)),
    };
    Some(format!("{differ} in values alone, which are hidden here"))
}

/// What the prompts that change cost: `3,800 → 4,214 tokens (+414, +10.9%)`. None where none does.
pub fn cost(impact: &Impact) -> Option<String> {
    let tokens = impact.tokens;
    let Pair { left, right } = tokens;
    let grown = match growth(left, right) {
        Some(growth) => format!("{}, {growth}", signed(tokens)),
        None => signed(tokens),
    };
    (!impact.changed.is_empty()).then(|| match left == right {
        true => format!("{}, as before", count(left, "token")),
        false => format!("{} → {} ({grown})", thousands(left), count(right, "token")),
    })
}

/// `main → working tree`.
fn sides(impact: &Impact) -> String {
    visible_line(&format!("{} → {}", impact.title.left, impact.title.right)).into_owned()
}
