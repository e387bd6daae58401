//! Differences outside the prompt itself: fields, the extends chain and decisions.

use std::io;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use super::DifferenceWriter;
use crate::answer::diff::places::{SideLine, located, reason};
use crate::answer::diff::summary::{field_name, outcome};
use crate::answer::diff::{Change, FieldChange, Pair, chain};
use crate::text::numbers::thousands;
use crate::text::visible::visible_line;
use crate::write::layout::{Columns, Word};

const WIDEST_NAME: usize = 32;

/// `1 differs`, `5 differ`.
fn differ(number: usize) -> String {
    format!("{} differ{}", thousands(number), if number == 1 { "s" } else { "" })
}

impl DifferenceWriter<'_> {
    pub fn fields(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let (fields, theme) = (&self.difference.fields, self.view.theme);
        if fields.is_empty() {
            return Ok(());
        }
        self.view.heading("fields", &differ(fields.len()), out)?;
        // A field without values does not widen the column of names.
        let has_value = |field: &&FieldChange| field.group.has_values();
        let widths = fields.iter().filter(has_value).map(|field| visible_line(&field_name(field)).width());
        let column = widths.max().unwrap_or(0).min(WIDEST_NAME) + 6;
        for field in fields {
            let (sign, style) = match (&field.value.left, &field.value.right) {
                (None, _) => ("+ ", theme.added()),
                (_, None) => ("- ", theme.removed()),
                _ => ("  ", Style::new()),
            };
            let name = Word::new(&field_name(field), theme.strong());
            let values: Vec<Word> = match (field.shown(&field.value.left), field.shown(&field.value.right)) {
                (Some(left), Some(right)) => {
                    vec![Word::new(left, theme.removed()), Word::new("→", theme.dim()), Word::new(right, theme.added())]
                }
                (only, None) | (None, only) => only.into_iter().map(|only| Word::new(only, style)).collect(),
            };
            let lead = format!("  {sign}");
            let columns = Columns { lead: &lead, hang: "      ", style, column, width: self.view.width };
            columns.write(&[name], &values, out)?;
        }
        Ok(())
    }

    /// Writes the chains; directives that both begin or end with appear once.
    pub fn chain(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let Some(chain) = &self.difference.chain else { return Ok(()) };
        let Pair { left, right } = chain;
        self.view.heading("chain", "root first", out)?;
        let theme = self.view.theme;
        let widest = left.iter().chain(right).map(|link| visible_line(&link.id).width()).max().unwrap_or(0);
        for (change, link) in chain::links(chain) {
            let lead = format!("  {} ", change.line_sign().unwrap_or(" "));
            let (style, column) = (change.style(theme), widest.min(WIDEST_NAME) + 6);
            let columns = Columns { lead: &lead, hang: "      ", style, column, width: self.view.width };
            columns.write(&[Word::new(&link.id, theme.strong())], &located(&link.place, theme), out)?;
        }
        if left.is_empty() || right.is_empty() {
            let side = if left.is_empty() { "left" } else { "right" };
            self.view.sentence(&format!("the {side} side has none"), out)?;
        }
        Ok(())
    }

    pub fn decisions(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let decisions = &self.difference.decisions;
        if decisions.is_empty() {
            return Ok(());
        }
        self.view.heading("decisions", &differ(decisions.len()), out)?;
        decisions.iter().try_for_each(|&index| self.decision(index, out))
    }

    /// Writes the outcome on each side, and the reason.
    fn decision(&self, index: Pair<Option<usize>>, out: &mut dyn io::Write) -> io::Result<()> {
        let theme = self.view.theme;
        let decisions = self.difference.decisions_of(index);
        let Pair { left, right } = decisions;
        let Some(shown) = decisions.newest() else { return Ok(()) };
        let [old, new] = decisions.map(|it| outcome(it.map(|it| it.outcome.as_str()))).into_array();
        let outcomes = Word::new(&format!("{old} → {new}"), Style::new());
        self.view.spread("  ", theme.dim()).write(&Word::new(&shown.title, theme.strong()), &outcomes, out)?;
        for (side, considered) in [(Change::Removed, left), (Change::Added, right)] {
            let Some(considered) = considered else { continue };
            let line = SideLine { side, words: reason(considered, theme) };
            self.view.flow("    ", "      ").write(&line.signed(theme), out)?;
        }
        Ok(())
    }
}
