//! A table of tokens before and after, with bars as in `git diff --stat`.

use std::io;

use unicode_width::UnicodeWidthStr;

use crate::answer::diff::summary::signed;
use crate::answer::diff::{DiffView, Pair};
use crate::text::numbers::count;
use crate::text::numbers::{growth, thousands};
use crate::text::visible::visible_line;
use crate::write::layout::Word;
use crate::write::theme::Theme;

/// The minimum and maximum width of the table in columns.
const WIDTHS: (usize, usize) = (40, 200);
const BAR: usize = 20;
/// The minimum width of the column of names. A name that does not fit has its own line.
const NAME: usize = 16;
const GAP: usize = 2;

pub(crate) struct StatRow {
    pub name: String,
    pub tokens: Pair<usize>,
    /// The number of lines or tokens that differ.
    pub count: usize,
    /// The removed and the added part of `count`.
    pub bar: Pair<usize>,
    pub note: &'static str,
}

/// Writes the rows and a total.
pub(crate) fn write_table(
    rows: &[StatRow],
    total: &str,
    tokens: Pair<usize>,
    unit: &str,
    view: &DiffView,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let sum: usize = rows.iter().map(|row| row.count).sum();
    let table = StatTable::new(rows, total, tokens, sum, view);
    for row in rows {
        table.begin(&row.name, row.tokens, row.count, out)?;
        table.bar(row, out)?;
        if !row.note.is_empty() {
            write!(out, " {}", view.theme.dim().style(row.note))?;
        }
        writeln!(out)?;
    }
    table.begin(total, tokens, sum, out)?;
    let growth = growth(tokens.left, tokens.right).map(|growth| format!(", {growth}")).unwrap_or_default();
    let unit = count(sum, unit);
    let unit = unit.split_once(' ').map_or("", |(_, unit)| unit);
    writeln!(out, " {unit}{}", view.theme.dim().style(growth))
}

/// The widths of the columns.
struct StatTable {
    name: usize,
    left: usize,
    right: usize,
    by: usize,
    count: usize,
    /// The longest bar, to which the others are proportional.
    most: usize,
    theme: Theme,
}

impl StatTable {
    fn new(rows: &[StatRow], label: &str, total: Pair<usize>, sum: usize, view: &DiffView) -> Self {
        let longest = |of: &dyn Fn(&StatRow) -> usize| rows.iter().map(of).max().unwrap_or(0);
        let number = |of: fn(Pair<usize>) -> usize| {
            longest(&|row| thousands(of(row.tokens)).len()).max(thousands(of(total)).len())
        };
        let mut table = Self {
            name: longest(&|row| visible_line(&row.name).width()).max(label.width()),
            left: number(|tokens| tokens.left),
            right: number(|tokens| tokens.right),
            by: longest(&|row| signed(row.tokens).len()).max(signed(total).len()),
            count: thousands(sum).len(),
            most: longest(&|row| row.bar.left + row.bar.right),
            theme: view.theme,
        };
        let notes = longest(&|row| row.note.len());
        let numbers = table.left + " → ".width() + table.right + GAP + table.by + " | ".len() + table.count;
        let rest = GAP + numbers + 1 + BAR.min(table.most) + 1 + notes;
        table.name = table.name.min(view.width.clamp(WIDTHS.0, WIDTHS.1).saturating_sub(rest).max(NAME));
        table
    }

    fn begin(&self, name: &str, tokens: Pair<usize>, count: usize, out: &mut dyn io::Write) -> io::Result<()> {
        let name = Word::new(name, self.theme.strong());
        name.write(out)?;
        let mut column = name.width();
        if column > self.name {
            writeln!(out)?;
            column = 0;
        }
        write!(out, "{:1$}", "", self.name - column + GAP)?;
        write!(out, "{:>1$} → ", thousands(tokens.left), self.left)?;
        write!(out, "{:>1$}", thousands(tokens.right), self.right)?;
        write!(out, "{:1$}{2:>3$}", "", GAP, signed(tokens), self.by)?;
        write!(out, " | {:>1$}", thousands(count), self.count)
    }

    /// Writes one sign per change, or a proportional number if there are too many. Every change has at least one sign.
    fn bar(&self, row: &StatRow, out: &mut dyn io::Write) -> io::Result<()> {
        let signs = |number: usize| {
            if self.most <= BAR {
                return number;
            }
            // One column is reserved, because either part may be rounded up.
            let share = number as u128 * (BAR as u128 - 1) / self.most as u128;
            usize::try_from(share).unwrap_or(BAR).max(usize::from(number > 0))
        };
        let (plus, minus) = (signs(row.bar.right), signs(row.bar.left));
        if plus + minus > 0 {
            write!(out, " ")?;
        }
        let parts = [("+", plus, self.theme.added()), ("-", minus, self.theme.removed())];
        let mut parts = parts.into_iter().filter(|(_, number, _)| *number > 0);
        parts.try_for_each(|(sign, number, style)| write!(out, "{}", style.style(sign.repeat(number))))
    }
}
