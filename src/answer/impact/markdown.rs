//! The impact for a pull request: a heading for each cause, its prompts, and the lines that differ, folded.
//!
//! Names and texts are untrusted: each is in a code span or a fence that it cannot end.

use std::io;

use super::rows::PromptRow;
use super::{Cause, CauseKind, Failed, Impact};
use crate::answer::diff::summary::{capitalized, reuse_in_short, signed_tokens};
use crate::answer::diff::{DiffView, markdown};
use crate::text::numbers::{count, thousands};
use crate::write::markdown::{CommentRoom, Fold, brief, code_in_html};

/// The maximum number of rows in the table of a cause or of failures.
const MOST_ROWS: usize = 100;
/// The maximum number of details listed for a prompt.
const MOST_DETAILS: usize = 6;

/// Writes as much as fits in a GitHub comment, and notes on what is left out.
pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut room = CommentRoom::new();
    let head = head(impact);
    room.takes(&head);
    let mut half = room.half();
    let failed = failed(impact, &mut half);
    room.takes(&failed);
    let causes: Vec<_> = impact.causes.iter().map_while(|cause| self::cause(impact, cause, &mut half)).collect();
    for text in &causes {
        room.takes(text);
    }
    let without = match impact.causes.len() - causes.len() {
        0 => String::new(),
        more => format!("\n#### … and {} left out\n", count(more, "more cause")),
    };
    room.takes(&without);

    write!(out, "{head}")?;
    for (text, cause) in causes.iter().zip(&impact.causes) {
        out.write_all(text.as_bytes())?;
        for fold in folds(impact, cause, view) {
            out.write_all(fold.fitted(&mut room).as_bytes())?;
        }
    }
    write!(out, "{without}{failed}{}", room.note())
}

fn head(impact: &Impact) -> String {
    let failed = impact.failures().map(|failures| format!(" {failures}.")).unwrap_or_default();
    let tokens = impact.cost().map(|cost| format!(": {cost}")).unwrap_or_default();
    let hidden = impact.hidden_values().sentence().map(|hidden| format!("\n{hidden}\n")).unwrap_or_default();
    let agents = impact.agents(&brief).into_iter().chain(impact.not_compared());
    let agents: String = agents.map(|line| format!("- {line}\n")).collect();
    let agents = if agents.is_empty() { agents } else { format!("\n{agents}") };
    let [left, right] = impact.title.as_ref().map(|title| brief(title)).into_array();
    format!("### Prompts: {left} → {right}\n\n**{}**{tokens}.{failed}\n{agents}{hidden}", impact.verdict())
}

/// A heading and the prompts of a cause; `None` if the heading and one row do not fit.
fn cause(impact: &Impact, cause: &Cause, room: &mut CommentRoom) -> Option<String> {
    let Cause { what, prompts, .. } = cause;
    let size = format!("{}, {}", count(prompts.len(), "prompt"), signed_tokens(cause.grown()));
    let name = if *what == CauseKind::Arguments { what.name().to_string() } else { brief(what.name()) };
    let place = match (what.place(), what.note()) {
        (Some(place), Some(change)) => format!("{}, {change}", brief(&place)),
        (Some(place), None) => brief(&place),
        (None, note) => note.map(capitalized).unwrap_or_default(),
    };
    let rows = PromptRow::all(cause, impact).take(MOST_ROWS).map(row);
    let place = if place.is_empty() { place } else { format!("\n{place}\n") };
    let head = format!("\n#### {name}: {size}\n{place}");
    let titles = "| Prompt | What differs | Tokens | Cache |\n| --- | --- | ---: | --- |\n";
    let more = |more: usize| format!("| … and {} more | left out |  |  |\n", thousands(more));
    let table = room.table(&head, titles, rows, prompts.len(), more)?;
    Some(head + &table)
}

fn row(row: PromptRow) -> String {
    let cache = row.cache.map(|cache| reuse_in_short(cache, false)).unwrap_or_default();
    let mut what = row.what;
    row.details.iter().take(MOST_DETAILS).for_each(|it| what += &format!("<br>{}", it.sentence(brief)));
    if let more @ 1.. = row.details.len().saturating_sub(MOST_DETAILS) {
        what += &format!("<br>and {} more", thousands(more));
    }
    format!("| {} | {what} | {} | {cache} |\n", brief(row.id), row.tokens)
}

/// The lines that differ in one prompt.
fn folds(impact: &Impact, cause: &Cause, view: &DiffView) -> Vec<Fold> {
    let Some(shown) = &cause.shown else { return Vec::new() };
    let id = impact.changed.get(shown.prompt).map_or("", |changed| &changed.id);
    let layers = shown.layer_pairs().filter_map(|pair| markdown::layer_fold(&shown.difference, pair, view.context));
    let tools = shown.tool_pairs().flat_map(|pair| markdown::tool_folds(&shown.difference, pair, view.context));
    let of_prompt = |fold: Fold| Fold { summary: format!("{}, in {}", fold.summary, code_in_html(id)), ..fold };
    layers.chain(tools).map(of_prompt).collect()
}

fn failed(impact: &Impact, room: &mut CommentRoom) -> String {
    let Some(failures) = impact.failures() else { return String::new() };
    let head = format!("\n#### {failures}\n");
    let rows = impact.failed.iter().take(MOST_ROWS).map(|failed| failure(impact, failed));
    let more = |more: usize| format!("| … and {} more | left out |\n", thousands(more));
    let titles = "| Prompt | Error |\n| --- | --- |\n";
    let table = room.table(&head, titles, rows, impact.failed.len(), more);
    head + &table.unwrap_or_default()
}

fn failure(impact: &Impact, failed: &Failed) -> String {
    let sides = failed.worst(impact).map(|error| {
        let place = format!("{} {}", error.tier, error.path);
        let place = Some(place.trim()).filter(|place| !place.is_empty()).map(brief);
        let parts = [Some(brief(&error.message)), place, error.more].into_iter().flatten().collect::<Vec<_>>();
        format!("{}: {}", brief(error.side), parts.join(" "))
    });
    format!("| {} | {} |\n", brief(&failed.id), sides.collect::<Vec<_>>().join("<br>"))
}

#[cfg(test)]
mod tests;
