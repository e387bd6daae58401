//! Differences outside the prompt itself: fields, the extends chain and decisions.

use super::DifferenceReport;
use crate::answer::diff::places::{SideLine, located, reason};
use crate::answer::diff::summary::{field_name, outcome};
use crate::answer::diff::{Change, FieldChange, Pair, around};
use crate::text::numbers::thousands;
use crate::write::report::{Line, word};
use crate::write::theme::{ADDED, DIM, PLAIN, REMOVED, STRONG};

const WIDEST_NAME: usize = 32;

/// `1 differs`, `5 differ`.
fn differ(number: usize) -> String {
    format!("{} differ{}", thousands(number), if number == 1 { "s" } else { "" })
}

/// The column after names of these widths.
fn column(widths: impl Iterator<Item = usize>) -> usize {
    widths.max().unwrap_or(0).min(WIDEST_NAME) + 6
}

impl DifferenceReport<'_, '_> {
    pub fn fields(&mut self) {
        let fields = &self.difference.fields;
        if fields.is_empty() {
            return;
        }
        self.report.section("fields", &differ(fields.len()));
        let name = |field: &FieldChange| word(STRONG, &field_name(field));
        // A field without values does not widen the column of names.
        let with_values = fields.iter().filter(|field| field.group.has_values());
        let column = column(with_values.map(|field| name(field).width()));
        for field in fields {
            let (lead, style) = match (&field.value.left, &field.value.right) {
                (None, _) => ("  + ", ADDED),
                (_, None) => ("  - ", REMOVED),
                _ => ("    ", PLAIN),
            };
            let values = match (field.shown(&field.value.left), field.shown(&field.value.right)) {
                (Some(left), Some(right)) => word(REMOVED, left).word(DIM, "→").word(ADDED, right),
                (Some(only), None) | (None, Some(only)) => word(style, only),
                (None, None) => Line::default(),
            };
            self.report.columns(style, lead, "      ", column, [name(field), values]);
        }
    }

    /// The chains; directives that both begin or end with appear once.
    pub fn chain(&mut self) {
        let Some(chain) = &self.difference.chain else { return };
        let Pair { left, right } = chain;
        self.report.section("chain", "root first");
        let column = column(left.iter().chain(right).map(|link| word(STRONG, &link.id).width()));
        for (change, link) in around::links(chain) {
            let lead = format!("  {} ", change.line_sign().unwrap_or(" "));
            let link = [word(STRONG, &link.id), located(&link.place)];
            self.report.columns(change.style(), &lead, "      ", column, link);
        }
        if left.is_empty() || right.is_empty() {
            let side = if left.is_empty() { "left" } else { "right" };
            self.report.note(&format!("the {side} side has none"));
        }
    }

    pub fn decisions(&mut self) {
        let decisions = &self.difference.decisions;
        if decisions.is_empty() {
            return;
        }
        self.report.section("decisions", &differ(decisions.len()));
        decisions.iter().for_each(|&index| self.decision(index));
    }

    /// The outcome on each side, and the reason.
    fn decision(&mut self, index: Pair<Option<usize>>) {
        let decisions = self.difference.decisions_of(index);
        let Some(shown) = decisions.newest() else { return };
        let [old, new] = decisions.map(|it| outcome(it.map(|it| it.outcome.as_str()))).into_array();
        let outcomes = format!("{old} → {new}");
        self.report.spread(DIM, "  ", (STRONG, &shown.title), (PLAIN, &outcomes));
        let sides = Pair { left: Change::Removed, right: Change::Added }.zip(decisions);
        for (side, considered) in sides.into_array() {
            let Some(considered) = considered else { continue };
            self.report.line("    ", "      ", SideLine { side, line: reason(considered) }.signed());
        }
    }
}
