//! The impact for people: a heading for each cause, its prompts, and the lines that differ.

mod causes;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io;

use super::{ChangedPrompt, Impact};
use crate::answer::diff::stat::{StatRow, table};
use crate::answer::diff::summary::growth;
use crate::answer::diff::text::{fitted, too_narrow};
use crate::answer::diff::{DiffView, Pair};
use crate::text::visible::visible_line;
use crate::write::report::{Line, Report, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG};

pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let requested = view;
    let view = &fitted(requested);
    let mut report = Report::new(view.screen, out);
    let verdict = impact.verdict();
    let sides = format!("{} → {}", impact.title.left, impact.title.right);
    if impact.is_same() {
        report.row(word(PLAIN, &verdict).word(PLAIN, ": ").word(DIM, &sides));
        impact.not_compared().iter().for_each(|line| report.line("  ", "    ", words(PLAIN, line)));
        return report.finish();
    }
    match impact.cost() {
        Some(cost) => report.spread(DIM, "", (STRONG, &verdict), (DIM, &cost)),
        None => report.row(word(STRONG, &verdict)),
    }
    report.row(word(PLAIN, "  ").word(DIM, &sides));
    let facts = impact.agents(&str::to_string).into_iter().chain(impact.not_compared());
    facts.for_each(|line| report.line("  ", "    ", words(PLAIN, &line)));
    too_narrow(requested, view, &mut report);
    causes::report(impact, view, &mut report);
    failed(impact, &mut report);
    report.finish()
}

/// The directives that cannot be rendered, each with its worst error.
fn failed(impact: &Impact, report: &mut Report) {
    let Some(failures) = impact.failures() else { return };
    report.section(&failures, "not compared");
    for failed in &impact.failed {
        report.row(word(PLAIN, "  ").word(STRONG, &failed.id));
        for error in failed.worst(impact) {
            let line = word(DIM, error.side).mark(":").words(PLAIN, &error.message);
            let line = match error.path.as_str() {
                "" => line,
                path => line.mark(",").then(Line::default().file(error.tier, PLAIN, path)),
            };
            report.line("    ", "      ", line.words(DIM, error.more.as_deref().unwrap_or_default()));
        }
    }
}

/// Writes a line for each prompt that differs, with its tokens and a bar for its growth.
pub fn stat(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let row = |changed: &ChangedPrompt| StatRow {
        name: changed.id.clone(),
        tokens: changed.tokens.map(Some),
        count: changed.tokens.left.abs_diff(changed.tokens.right),
        bar: Pair {
            left: changed.tokens.left.saturating_sub(changed.tokens.right),
            right: changed.tokens.right.saturating_sub(changed.tokens.left),
        },
        note: if changed.is_on_one_side() { changed.change.into_str() } else { "" },
    };
    let rows: Vec<StatRow> = impact.changed.iter().map(row).collect();
    let mut report = Report::new(view.screen, out);
    let growth = growth(impact.tokens, impact.has_unknown);
    table(&rows, (&impact.verdict(), impact.tokens, growth), "token", view, &mut report);
    report.finish()
}

/// Writes the ids of the directives whose prompt differs, one per line.
pub fn names(impact: &Impact, out: &mut dyn io::Write) -> io::Result<()> {
    let ids: BTreeSet<&String> = impact.changed.iter().map(|changed| &changed.id).chain(&impact.hidden).collect();
    ids.into_iter().try_for_each(|id| writeln!(out, "{}", visible_line(id)))
}
