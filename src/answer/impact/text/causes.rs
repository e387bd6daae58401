//! A heading for each cause, its prompts in columns, and the lines that differ.

use std::io;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use crate::answer::diff::summary::{reuse_in_short, signed_tokens};
use crate::answer::diff::text::DifferenceWriter;
use crate::answer::diff::{Cache, DiffView};
use crate::answer::impact::rows::PromptRow;
use crate::answer::impact::{Cause, CauseKind, Impact, ShownLines};
use crate::text::numbers::{count, thousands};
use crate::text::visible::visible_line;
use crate::write::layout::{Word, punctuate, words};

/// The maximum number of lines shown per layer, and of layers, tools and details shown per prompt.
const MOST_LINES: usize = 60;
const MOST_LAYERS: usize = 5;
const MOST_TOOLS: usize = 5;
const MOST_DETAILS: usize = 12;
/// The widest column of ids; a longer id gets its own line.
const WIDEST_ID: usize = 40;
const INDENT: usize = 2;
const GAP: usize = 2;

pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    for cause in &impact.causes {
        title(cause, view, out)?;
        let rows: Vec<_> = PromptRow::all(cause, impact).collect();
        let table = PromptTable::new(&rows, view);
        let is_in_all = rows.len() > 1 && rows.windows(2).all(|pair| pair[0].details == pair[1].details);
        for row in &rows {
            table.row(row, out)?;
            if !is_in_all {
                details(row, view, out)?;
            }
        }
        if let Some(row) = rows.first().filter(|row| is_in_all && !row.details.is_empty()) {
            view.sentence("in each:", out)?;
            details(row, view, out)?;
        }
        if let Some(shown) = &cause.shown {
            lines(shown, view, out)?;
        }
    }
    Ok(())
}

fn title(cause: &Cause, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let theme = view.theme;
    let right = format!("{}  {}", count(cause.prompts.len(), "prompt"), signed_tokens(cause.grown()));
    view.heading(cause.what.name(), &right, out)?;
    let (CauseKind::File { tier, path, .. }, Some(_)) = (&cause.what, cause.what.place()) else {
        return cause.what.note().map_or(Ok(()), |it| view.sentence(it, out));
    };
    let mut place = vec![Word::new(tier, theme.tier(tier)).glued(), Word::new(path, Style::new())];
    if let Some(change) = cause.what.added_or_removed() {
        punctuate(&mut place, ",");
        place.push(Word::new(change.into_str(), change.style(theme)));
    }
    view.flow("  ", "    ").write(&place, out)
}

fn reuse(cache: &Cache, is_short: bool) -> String {
    format!("cache: {}", reuse_in_short(cache, is_short))
}

/// The column widths for the prompts of a cause.
struct PromptTable<'a> {
    id: usize,
    what: usize,
    tokens: usize,
    /// Whether the words about the cache are shortened.
    is_short: bool,
    /// Whether the words about the cache are on the next line.
    is_below: bool,
    view: &'a DiffView,
}

impl<'a> PromptTable<'a> {
    fn new(rows: &[PromptRow], view: &'a DiffView) -> Self {
        let longest = |of: &dyn Fn(&PromptRow) -> usize| rows.iter().map(of).max().unwrap_or(0);
        let id = longest(&|row| visible_line(row.id).width()).min(WIDEST_ID.min(view.width / 2));
        let what = longest(&|row| visible_line(&row.what).width());
        let tokens = longest(&|row| row.tokens.len());
        let used = INDENT + id + GAP + what + GAP + tokens + " tokens".len() + GAP;
        let cache = |is_short| longest(&|row| row.cache.map_or(0, |cache| reuse(cache, is_short).len()));
        let is_short = used + cache(false) > view.width;
        Self { id, what, tokens, is_short, is_below: is_short && used + cache(true) > view.width, view }
    }

    fn row(&self, row: &PromptRow, out: &mut dyn io::Write) -> io::Result<()> {
        let theme = self.view.theme;
        let id = Word::new(row.id, theme.strong());
        write!(out, "{:INDENT$}", "")?;
        id.write(out)?;
        let mut column = id.width();
        if column > self.id {
            write!(out, "\n{:INDENT$}", "")?;
            column = 0;
        }
        write!(out, "{:1$}", "", self.id - column + GAP)?;
        Word::new(&row.what, row.change.style(theme)).padded(self.what).write(out)?;
        let unit = if matches!(row.tokens.as_str(), "+1" | "-1") { "token" } else { "tokens" };
        write!(out, "{:GAP$}{:>2$} {unit}", "", row.tokens, self.tokens)?;
        if let Some(cache) = row.cache {
            let rest = "tokens".len() - unit.len();
            let gap = if self.is_below { format!("\n{:1$}", "", 3 * INDENT) } else { " ".repeat(GAP + rest) };
            write!(out, "{gap}{}", theme.dim().style(reuse(cache, self.is_short)))?;
        }
        writeln!(out)
    }
}

/// Writes the differences in a prompt other than the lines of its layers.
fn details(row: &PromptRow, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let theme = view.theme;
    let flow = view.flow("      ", "        ");
    for detail in row.details.iter().take(MOST_DETAILS) {
        let kind = detail.kind().map(|kind| Word::new(kind, theme.dim()));
        let name = detail.name().map(|name| Word::new(&name, Style::new()).colon());
        let how = detail.change();
        flow.write(&kind.into_iter().chain(name).chain(words(&how, theme.dim())).collect::<Vec<_>>(), out)?;
    }
    match row.details.len().saturating_sub(MOST_DETAILS) {
        0 => Ok(()),
        more => flow.say(&format!("and {} more", thousands(more)), theme.dim(), out),
    }
}

/// Writes the lines that differ in one prompt.
fn lines(shown: &ShownLines, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out)?;
    for pair in shown.layer_pairs().take(MOST_LAYERS) {
        DifferenceWriter::brief(&shown.difference, view).layer_in_short(pair, MOST_LINES, out)?;
    }
    for pair in shown.tool_pairs().take(MOST_TOOLS) {
        DifferenceWriter::brief(&shown.difference, view).tool(pair, out)?;
    }
    let more = [(shown.layers.len(), MOST_LAYERS, "more layer"), (shown.tools.len(), MOST_TOOLS, "more tool")];
    for (number, most, unit) in more {
        if number > most {
            view.sentence(&format!("and {}", count(number - most, unit)), out)?;
        }
    }
    Ok(())
}
