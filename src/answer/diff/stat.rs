//! A line for each layer and tool that differs, with tokens before and after and a bar of its lines, as in
//! `git diff --stat`, and a summary.

use std::io;

use super::summary::{all_tokens, growth, layer_name, number, remarks, signed, tags, tool_tags, verdict};
use super::{Change, DiffView, Difference, LayerPair, LineChange, Pair, ToolPair};
use crate::text::numbers::{count, thousands};
use crate::write::report::{Line, Report, word, words};
use crate::write::theme::{ADDED, DIM, PLAIN, REMOVED, STRONG};

const BAR: usize = 20;
/// The minimum width of the column of names. A name that does not fit has its own line.
const NAME: usize = 16;
const GAP: usize = 2;

pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut report = Report::new(view.screen, out);
    let layers = difference.changed_layers().map(|(_, pair)| layer(difference, pair));
    let tools = difference.changed_tools().map(|(_, pair)| tool(difference, pair));
    let rows: Vec<StatRow> = layers.chain(tools).collect();
    if !rows.is_empty() {
        let tokens = all_tokens(difference);
        let growth = growth(tokens, difference.has_unknown());
        table(&rows, ("total", tokens, growth), "line", view, &mut report);
    }
    let sentences = [verdict(difference, str::to_string)].into_iter().chain(remarks(difference));
    sentences.for_each(|it| report.line("", "  ", words(PLAIN, &it)));
    report.finish()
}

fn layer(difference: &Difference, pair: &LayerPair) -> StatRow {
    let bar = changed_lines(&pair.lines);
    StatRow {
        name: layer_name(difference, pair),
        tokens: pair.tokens,
        count: bar.left + bar.right,
        bar,
        note: note(pair.change(), || tags(difference, pair)),
    }
}

fn tool(difference: &Difference, pair: &ToolPair) -> StatRow {
    let lines = changed_lines(&pair.description).zip(changed_lines(&pair.schema));
    let bar = lines.map(|(description, schema)| description + schema);
    StatRow {
        name: format!("tool · {}", difference.tools_of(pair).newest().map_or("", |tool| &tool.name)),
        tokens: pair.tokens.map(Some),
        count: bar.left + bar.right,
        bar,
        note: match pair.change() {
            Change::Removed if pair.over_budget => "over budget",
            change => note(change, || tool_tags(pair)),
        },
    }
}

fn note(change: Change, tags: impl Fn() -> Vec<&'static str>) -> &'static str {
    match change {
        Change::Added | Change::Removed => change.into_str(),
        Change::TextUnchanged => tags().first().copied().unwrap_or_default(),
        Change::Changed | Change::Same => "",
    }
}

/// The number of removed and of added lines.
fn changed_lines(changes: &[LineChange]) -> Pair<usize> {
    Pair {
        left: changes.iter().map(|change| change.left.len()).sum(),
        right: changes.iter().map(|change| change.right.len()).sum(),
    }
}

pub(crate) struct StatRow {
    pub name: String,
    pub tokens: Pair<Option<usize>>,
    /// The number of lines or tokens that differ.
    pub count: usize,
    /// The removed and the added part of `count`.
    pub bar: Pair<usize>,
    pub note: &'static str,
}

/// Adds the rows, and a total: its name, its tokens, and their growth if that is known.
pub(crate) fn table(
    rows: &[StatRow],
    (total, tokens, growth): (&str, Pair<usize>, Option<String>),
    unit: &str,
    view: &DiffView,
    report: &mut Report,
) {
    let sum: usize = rows.iter().map(|row| row.count).sum();
    let table = StatTable::new(rows, total, tokens, sum, view);
    for row in rows {
        let line = table.bar(row, table.begin(&row.name, row.tokens, row.count, report));
        report.row(if row.note.is_empty() { line } else { line.word(PLAIN, " ").word(DIM, row.note) });
    }
    let growth = growth.map(|growth| format!(", {growth}")).unwrap_or_default();
    let unit = count(sum, unit);
    let unit = unit.split_once(' ').map_or("", |(_, unit)| unit);
    let line = table.begin(total, tokens.map(Some), sum, report);
    report.row(line.word(PLAIN, &format!(" {unit}")).word(DIM, &growth));
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
}

impl StatTable {
    fn new(rows: &[StatRow], label: &str, total: Pair<usize>, sum: usize, view: &DiffView) -> Self {
        let longest = |of: &dyn Fn(&StatRow) -> usize| rows.iter().map(of).max().unwrap_or(0);
        let total = total.map(Some);
        let widest = |of: fn(Pair<Option<usize>>) -> Option<usize>| {
            longest(&|row| number(of(row.tokens)).len()).max(number(of(total)).len())
        };
        let mut table = Self {
            name: longest(&|row| word(STRONG, &row.name).row_width()).max(word(PLAIN, label).row_width()),
            left: widest(|tokens| tokens.left),
            right: widest(|tokens| tokens.right),
            by: longest(&|row| signed(row.tokens).len()).max(signed(total).len()),
            count: thousands(sum).len(),
            most: longest(&|row| row.bar.left + row.bar.right),
        };
        let notes = longest(&|row| row.note.len());
        // ` → ` has three columns.
        let numbers = table.left + 3 + table.right + GAP + table.by + " | ".len() + table.count;
        let rest = GAP + numbers + 1 + BAR.min(table.most) + 1 + notes;
        table.name = table.name.min(view.screen.width.saturating_sub(rest).max(NAME));
        table
    }

    /// The name and the numbers; a long name has its own line.
    fn begin(&self, name: &str, tokens: Pair<Option<usize>>, count: usize, report: &mut Report) -> Line {
        let begin = report.begin(word(STRONG, name), self.name, GAP);
        let [before, after] = tokens.map(number).into_array();
        let (change, count) = (signed(tokens), thousands(count));
        let Self { left, right, by, count: width, .. } = *self;
        let tokens = format!("{before:>left$} → {after:>right$}  {change:>by$}");
        begin.word(PLAIN, &format!("{tokens} | {count:>width$}"))
    }

    /// Adds one sign per change, or a proportional number if there are too many. Every change has at least one sign.
    fn bar(&self, row: &StatRow, line: Line) -> Line {
        let signs = |number: usize| {
            if self.most <= BAR {
                return number;
            }
            // One column is reserved, because either part may be rounded up.
            let share = number as u128 * (BAR as u128 - 1) / self.most as u128;
            usize::try_from(share).unwrap_or(BAR).max(usize::from(number > 0))
        };
        let (plus, minus) = (signs(row.bar.right), signs(row.bar.left));
        let gap = if plus + minus > 0 { " " } else { "" };
        line.word(PLAIN, gap).word(ADDED, &"+".repeat(plus)).word(REMOVED, &"-".repeat(minus))
    }
}
