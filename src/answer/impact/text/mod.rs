//! The impact for people: a heading for each cause, its prompts, and the lines that differ.

mod causes;
mod failed;
pub mod stat;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io;

use super::Impact;
use owo_colors::Style;

use crate::answer::diff::DiffView;
use crate::answer::diff::text::{fitted, too_narrow};
use crate::text::visible::visible_line;
use crate::write::layout::Word;

pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let requested = view;
    let view = &fitted(requested);
    let dim = view.theme.dim();
    let verdict = impact.verdict();
    if impact.is_same() {
        return writeln!(out, "{verdict}: {}", dim.style(sides(impact)));
    }
    let verdict = Word::new(&verdict, view.theme.strong());
    match impact.cost() {
        Some(cost) => view.spread("", dim).write(&verdict, &Word::new(&cost, dim), out)?,
        None => writeln!(out, "{verdict}")?,
    }
    writeln!(out, "  {}", dim.style(sides(impact)))?;
    let agents = view.flow("  ", "    ");
    impact.agents(&str::to_string).iter().try_for_each(|line| agents.say(line, Style::new(), out))?;
    too_narrow(requested, view, out)?;
    causes::write(impact, view, out)?;
    failed::write(impact, view, out)
}

/// Writes the ids of the directives whose prompt differs, one per line.
pub fn names(impact: &Impact, out: &mut dyn io::Write) -> io::Result<()> {
    let ids: BTreeSet<&String> = impact.changed.iter().map(|changed| &changed.id).chain(&impact.hidden).collect();
    ids.into_iter().try_for_each(|id| writeln!(out, "{}", visible_line(id)))
}

/// `main → working tree`.
fn sides(impact: &Impact) -> String {
    visible_line(&format!("{} → {}", impact.title.left, impact.title.right)).into_owned()
}
