//! The rows of the palette; tools left out for the same reason are grouped.

use std::io;

use super::columns;
use super::{IN, OUT, PlanTable, trust};
use crate::answer::explain::plan::{PlanRow, PlanSection};
use crate::prompt::DecisionOutcome;
use crate::text::numbers::thousands;
use crate::write::layout::{Word, listed, with_place, words};

/// Up to this number, tools left out for the same reason have a row each.
const FEW: usize = 5;
const MOST_NAMES: usize = 200;

/// Writes the rows in order, each group at the place of its first tool.
pub fn write(table: &PlanTable, section: &PlanSection, out: &mut dyn io::Write) -> io::Result<()> {
    let left_out = |outcome| section.rows.iter().filter(move |row| row.decision.outcome == outcome);
    let mut grouped: Vec<DecisionOutcome> = Vec::new();
    let mut before: Option<&PlanRow> = None;
    for row in &section.rows {
        let outcome = row.decision.outcome;
        if outcome.is_in_use() {
            // The grant of consecutive tools is shown once, above the first.
            if before.is_none_or(|before| !is_granted_likewise(before, row)) {
                granted(table, row, out)?;
            }
            tool(table, row, out)?;
            before = Some(row);
        } else if left_out(outcome).nth(FEW).is_none() {
            table.row(row, out)?;
        } else if !grouped.contains(&outcome) {
            grouped.push(outcome);
            group(table, &left_out(outcome).collect::<Vec<_>>(), out)?;
        }
    }
    Ok(())
}

fn tool(table: &PlanTable, row: &PlanRow, out: &mut dyn io::Write) -> io::Result<()> {
    let source = row.tool.and_then(|tool| tool.source.as_ref());
    let tier = columns::tier(row);
    let theme = table.view.theme;
    let hue = theme.tier(tier);
    let name = Word::new(&row.name, hue);
    let size = Some(row.size);
    let file = source.map(|source| vec![Word::new(tier, hue).glued(), Word::new(source.path(), theme.dim())]);
    let lines: Vec<_> = file.into_iter().chain(trust::line(table.prompt, row, theme)).collect();
    table.columns.entry((IN, hue), &name, "", size, &lines, out)
}

fn granted(table: &PlanTable, row: &PlanRow, out: &mut dyn io::Write) -> io::Result<()> {
    let theme = table.view.theme;
    let place = row.requested_by.and_then(|by| by.span.as_ref());
    let line = with_place(words(&row.decision.why, theme.dim()).collect(), place, theme);
    table.columns.line("  ", &line, out)
}

fn is_granted_likewise(row: &PlanRow, next: &PlanRow) -> bool {
    let span = |row: &PlanRow| row.requested_by.and_then(|by| by.span.clone());
    row.decision.why == next.decision.why && span(row) == span(next)
}

fn group(table: &PlanTable, rows: &[&PlanRow], out: &mut dyn io::Write) -> io::Result<()> {
    let Some(first) = rows.first() else { return Ok(()) };
    let dim = table.view.theme.dim();
    let (number, what) = (thousands(rows.len()), first.decision.phrase());
    let sentence = format!("{number} tools {what} (the first: {}):", first.decision.why);
    let names = listed(rows.iter().map(|row| &*row.name), MOST_NAMES, dim);
    let line: Vec<Word> = words(&sentence, dim).chain(names).collect();
    table.view.flow(OUT, "      ").write(&line, out)
}
