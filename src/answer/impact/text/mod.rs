//! The impact for people: a heading for each cause, its prompts, and the lines that differ.

pub(super) mod causes;
pub(super) mod failed;
pub mod stat;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io;

use super::Impact;
use crate::answer::diff::DiffView;
use crate::answer::diff::summary::total;
use crate::answer::diff::text::{fitted, too_narrow};
use crate::text::numbers::count;
use crate::text::numbers::thousands;
use crate::text::visible::visible_line;
use crate::write::layout::Word;

pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let requested = view;
    let view = &fitted(requested);
    let dim = view.theme.dim();
    let verdict = verdict(impact);
    if impact.is_same() {
        return writeln!(out, "{verdict}: {}", dim.style(sides(impact)));
    }
    let verdict = Word::new(&verdict, view.theme.strong());
    match cost(impact) {
        Some(cost) => view.spread("", dim).write(&verdict, &Word::new(&cost, dim), out)?,
        None => writeln!(out, "{verdict}")?,
    }
    writeln!(out, "  {}", dim.style(sides(impact)))?;
    too_narrow(requested, view, out)?;
    causes::write(impact, view, out)?;
    failed::write(impact, view, out)
}

/// Writes the ids of the directives whose prompt differs, one per line.
pub fn names(impact: &Impact, out: &mut dyn io::Write) -> io::Result<()> {
    let ids: BTreeSet<&String> = impact.changed.iter().map(|changed| &changed.id).chain(&impact.hidden).collect();
    ids.into_iter().try_for_each(|id| writeln!(out, "{}", visible_line(id)))
}

/// `3 of 41 prompts changed`, and how many differ only in hidden values.
pub fn verdict(impact: &Impact) -> String {
    let all = count(impact.directives, "prompt");
    let change = match impact.changed.len() {
        0 => format!("None of {all} changed"),
        changed => format!("{} of {all} changed", thousands(changed)),
    };
    let hidden = match impact.hidden.len() {
        0 => return change,
        1 => "1 prompt differs".to_string(),
        more => format!("{} prompts differ", thousands(more)),
    };
    format!("{change}; {hidden} only in hidden values")
}

/// `3,800 → 4,214 tokens (+414, +10.9%)`; `None` if no prompt changes.
pub fn cost(impact: &Impact) -> Option<String> {
    (!impact.changed.is_empty()).then(|| total(impact.tokens))
}

/// `main → working tree`.
fn sides(impact: &Impact) -> String {
    visible_line(&format!("{} → {}", impact.title.left, impact.title.right)).into_owned()
}
