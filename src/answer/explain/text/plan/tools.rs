//! The rows of the palette; tools left out for the same reason are grouped.

use super::columns::{self, PlanEntry};
use super::{IN, OUT, PlanTable, trust};
use crate::answer::explain::plan::{PlanRow, PlanSection};
use crate::prompt::DecisionOutcome;
use crate::text::numbers::thousands;
use crate::write::report::{Line, words};
use crate::write::theme::{DIM, PLAIN, of_tier};

/// Up to this number, tools left out for the same reason have a row each.
const FEW: usize = 5;
const MOST_NAMES: usize = 200;

impl PlanTable<'_, '_> {
    /// The rows in order, each group at the place of its first tool.
    pub fn palette(&mut self, section: &PlanSection) {
        let left_out = |outcome| section.rows.iter().filter(move |row| row.decision.outcome == outcome);
        let mut grouped: Vec<DecisionOutcome> = Vec::new();
        let mut before: Option<&PlanRow> = None;
        for row in &section.rows {
            let outcome = row.decision.outcome;
            if outcome.is_in_use() {
                // The grant of consecutive tools is shown once, above the first.
                if before.is_none_or(|before| !is_granted_likewise(before, row)) {
                    let place = row.requested_by.and_then(|by| by.span.as_ref());
                    self.report.marked(PLAIN, "  ", "        ", words(DIM, &row.decision.why).at(place));
                }
                self.tool(row);
                before = Some(row);
            } else if left_out(outcome).nth(FEW).is_none() {
                self.row(row);
            } else if !grouped.contains(&outcome) {
                grouped.push(outcome);
                self.group(&left_out(outcome).collect::<Vec<_>>());
            }
        }
    }

    fn tool(&mut self, row: &PlanRow) {
        let source = row.tool.and_then(|tool| tool.source.as_ref());
        let tier = columns::tier(row);
        let file = source.map(|source| Line::default().file(tier, DIM, source.path()));
        let lines: Vec<_> = file.into_iter().chain(row.trust(self.prompt).map(trust)).collect();
        let (hue, size) = (of_tier(tier), Some(row.size));
        self.entry(PlanEntry { lead: IN, hue, name: &row.name, size, lines, ..PlanEntry::default() });
    }

    fn group(&mut self, rows: &[&PlanRow]) {
        let Some(first) = rows.first() else { return };
        let (number, what) = (thousands(rows.len()), first.decision.phrase());
        let sentence = format!("{number} tools {what} (the first: {}):", first.decision.why);
        let names = rows.iter().map(|row| &*row.name);
        self.report.line(OUT, "      ", words(DIM, &sentence).listed(DIM, names, MOST_NAMES));
    }
}

fn is_granted_likewise(row: &PlanRow, next: &PlanRow) -> bool {
    let span = |row: &PlanRow| row.requested_by.and_then(|by| by.span.clone());
    row.decision.why == next.decision.why && span(row) == span(next)
}
