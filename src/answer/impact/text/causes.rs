//! A heading for each cause, its prompts in columns, and the lines that differ.

use crate::answer::diff::summary::{reuse_in_short, signed_tokens};
use crate::answer::diff::text::DifferenceReport;
use crate::answer::diff::{Cache, DiffView};
use crate::answer::impact::rows::PromptRow;
use crate::answer::impact::{Cause, CauseKind, Impact, ShownLines};
use crate::text::numbers::{count, thousands};
use crate::write::report::{Line, Report, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG};

/// The maximum number of lines shown per layer, and of layers, tools and details shown per prompt.
const MOST_LINES: usize = 60;
const MOST_LAYERS: usize = 5;
const MOST_TOOLS: usize = 5;
const MOST_DETAILS: usize = 12;
/// The widest column of ids; a longer id gets its own line.
const WIDEST_ID: usize = 40;
const INDENT: usize = 2;
const GAP: usize = 2;

pub fn report(impact: &Impact, view: &DiffView, report: &mut Report) {
    for cause in &impact.causes {
        title(cause, report);
        let rows: Vec<_> = PromptRow::all(cause, impact).collect();
        let table = PromptTable::new(&rows, view);
        let is_in_all = rows.len() > 1 && rows.windows(2).all(|pair| pair[0].details == pair[1].details);
        for row in &rows {
            table.row(row, report);
            if !is_in_all {
                details(row, report);
            }
        }
        if let Some(row) = rows.first().filter(|row| is_in_all && !row.details.is_empty()) {
            report.note("in each:");
            details(row, report);
        }
        if let Some(shown) = &cause.shown {
            lines(shown, view, report);
        }
    }
}

fn title(cause: &Cause, report: &mut Report) {
    let right = format!("{}  {}", count(cause.prompts.len(), "prompt"), signed_tokens(cause.grown()));
    report.section(cause.what.name(), &right);
    let (CauseKind::File { tier, path, .. }, Some(_)) = (&cause.what, cause.what.place()) else {
        return cause.what.note().into_iter().for_each(|it| report.note(it));
    };
    let place = Line::default().file(tier, PLAIN, path);
    let place = match cause.what.added_or_removed() {
        Some(change) => place.mark(",").word(change.style(), change.into_str()),
        None => place,
    };
    report.line("  ", "    ", place);
}

fn reuse(cache: &Cache, is_short: bool) -> String {
    format!("cache: {}", reuse_in_short(cache, is_short))
}

/// The column widths for the prompts of a cause.
struct PromptTable {
    id: usize,
    what: usize,
    tokens: usize,
    /// Whether the words about the cache are shortened.
    is_short: bool,
    /// Whether the words about the cache are on the next line.
    is_below: bool,
}

impl PromptTable {
    fn new(rows: &[PromptRow], view: &DiffView) -> Self {
        let longest = |of: &dyn Fn(&PromptRow) -> usize| rows.iter().map(of).max().unwrap_or(0);
        let id = longest(&|row| word(STRONG, row.id).width()).min(WIDEST_ID.min(view.screen.width / 2));
        let what = longest(&|row| word(PLAIN, &row.what).width());
        let tokens = longest(&|row| row.tokens.len());
        let used = INDENT + id + GAP + what + GAP + tokens + " tokens".len() + GAP;
        let cache = |is_short| longest(&|row| row.cache.map_or(0, |cache| reuse(cache, is_short).len()));
        let is_short = used + cache(false) > view.screen.width;
        Self { id, what, tokens, is_short, is_below: is_short && used + cache(true) > view.screen.width }
    }

    fn row(&self, row: &PromptRow, report: &mut Report) {
        let line = report.begin(word(PLAIN, "  ").word(STRONG, row.id), INDENT + self.id, GAP);
        let unit = if matches!(row.tokens.as_str(), "+1" | "-1") { "token" } else { "tokens" };
        let tokens = format!("{:GAP$}{:>2$} {unit}", "", row.tokens, self.tokens);
        let what = word(row.change.style(), &row.what).padded(self.what);
        let line = line.then(what).word(PLAIN, &tokens);
        let Some(cache) = row.cache else { return report.row(line) };
        let reuse = reuse(cache, self.is_short);
        if self.is_below {
            report.row(line);
            return report.row(Line::default().up_to(3 * INDENT).word(DIM, &reuse));
        }
        let gap = GAP + "tokens".len() - unit.len();
        let end = line.row_width() + gap;
        report.row(line.up_to(end).word(DIM, &reuse));
    }
}

/// The differences in a prompt other than the lines of its layers.
fn details(row: &PromptRow, report: &mut Report) {
    let mut detail_line = |line| report.line("      ", "        ", line);
    for detail in row.details.iter().take(MOST_DETAILS) {
        let kind = detail.kind().map(|kind| word(DIM, kind)).unwrap_or_default();
        let name = detail.name().map(|name| word(PLAIN, &name).mark(":")).unwrap_or_default();
        detail_line(kind.then(name).words(DIM, &detail.change()));
    }
    if let more @ 1.. = row.details.len().saturating_sub(MOST_DETAILS) {
        detail_line(words(DIM, &format!("and {} more", thousands(more))));
    }
}

/// The lines that differ in one prompt.
fn lines(shown: &ShownLines, view: &DiffView, report: &mut Report) {
    report.blank();
    for pair in shown.layer_pairs().take(MOST_LAYERS) {
        DifferenceReport::brief(&shown.difference, view, report).layer_in_short(pair, MOST_LINES);
    }
    for pair in shown.tool_pairs().take(MOST_TOOLS) {
        DifferenceReport::brief(&shown.difference, view, report).tool(pair);
    }
    let more = [(shown.layers.len(), MOST_LAYERS, "more layer"), (shown.tools.len(), MOST_TOOLS, "more tool")];
    for (number, most, unit) in more {
        if number > most {
            report.note(&format!("and {}", count(number - most, unit)));
        }
    }
}
