//! Why prompts differ: a heading a cause, its prompts in columns, and once the lines that differ.

use std::io;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use crate::diff::text::phrases::{prefix_end, signed, signed_tokens};
use crate::diff::text::{heading, indented, sentence, shown_in_short, tools};
use crate::diff::{Cache, Change, View};
use crate::impact::details::Detail;
use crate::impact::{Affected, Cause, Changed, Impact, Share, Shown, What};
use crate::layout::{Flow, Word, count, words};
use crate::text::visible::visible_line;
use crate::tokens::thousands;

/// Of the lines that differ, so many are shown of a layer.
const MOST_LINES: usize = 60;
/// Of the layers that differ, so many are shown of a prompt.
const MOST_LAYERS: usize = 5;
/// Of the tools that differ, likewise.
const MOST_TOOLS: usize = 5;
/// Of what differs besides, so much is shown of a prompt.
const MOST_DETAILS: usize = 12;
/// The widest column of ids; a longer one stands on a line of its own.
const WIDEST_ID: usize = 40;
/// Before a prompt.
const INDENT: usize = 2;
/// Between two columns.
const GAP: usize = 2;

/// Writes them.
pub fn write(impact: &Impact, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    for cause in &impact.causes {
        title(cause, view, out)?;
        let rows: Vec<_> = cause.prompts.iter().filter_map(|affected| Row::new(impact, affected)).collect();
        let table = Table::new(&rows, view);
        let is_in_all = rows.len() > 1 && rows.windows(2).all(|pair| pair[0].details == pair[1].details);
        for row in &rows {
            table.row(row, out)?;
            if !is_in_all {
                details(row, view, out)?;
            }
        }
        if let Some(row) = rows.first().filter(|row| is_in_all && !row.details.is_empty()) {
            sentence("in each:", view, out)?;
            details(row, view, out)?;
        }
        if let Some(shown) = &cause.shown {
            lines(shown, view, out)?;
        }
    }
    Ok(())
}

/// What differs, and how many prompts that changes.
fn title(cause: &Cause, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let theme = view.theme;
    let right = format!("{}  {}", count(cause.prompts.len(), "prompt"), signed_tokens(cause.grown()));
    match &cause.what {
        What::Arguments => {
            heading("arguments", &right, view, out)?;
            sentence("another protocol, model or input, or another answer of a what-if flag", view, out)
        }
        What::Settings { path } => {
            heading(path, &right, view, out)?;
            sentence("the settings of rye-render: other example inputs, or another protocol", view, out)
        }
        What::File { tier, path, id, is_there } => {
            heading(id.as_deref().unwrap_or(path), &right, view, out)?;
            let mut place = vec![Word::new(tier, theme.tier(tier)).glued(), Word::new(path, Style::new())];
            let (what, style) = match is_there {
                (false, true) => ("added", theme.added()),
                (true, false) => ("removed", theme.removed()),
                _ => return indented(&place, view, out),
            };
            let last = place.pop().map(Word::comma);
            place.extend(last);
            place.push(Word::new(what, style));
            indented(&place, view, out)
        }
    }
}

/// A prompt that differs because of something.
struct Row<'a> {
    id: &'a str,
    /// What of it: `system`, `tools`, `added`.
    what: String,
    change: Change,
    /// `+72`.
    tokens: String,
    cache: Option<&'a Cache>,
    details: Vec<Detail<'a>>,
}

impl<'a> Row<'a> {
    fn new(impact: &'a Impact, affected: &Affected) -> Option<Self> {
        let changed = impact.changed.get(affected.prompt)?;
        let is_on_both = !changed.is_on_one_side();
        Some(Self {
            id: &changed.id,
            what: if is_on_both { what(changed, &affected.share) } else { changed.change.into_str().to_string() },
            change: changed.change,
            tokens: signed(affected.share.grown()),
            cache: is_on_both.then_some(&changed.cache),
            details: Detail::all(changed, &affected.share),
        })
    }
}

/// The messages whose layers differ, and what does besides: `system, tools`.
pub fn what(changed: &Changed, share: &Share) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for layer in share.layers.iter().filter_map(|&index| changed.layers.get(index)) {
        if !parts.contains(&layer.role.as_str()) {
            parts.push(&layer.role);
        }
    }
    let besides = [
        (!share.tools.is_empty() || share.tool_order, "tools"),
        (!share.fields.is_empty(), "fields"),
        (share.chain, "chain"),
        (share.between, "between layers"),
    ];
    parts.extend(besides.into_iter().filter(|(differs, _)| *differs).map(|(_, part)| part));
    // Decisions tell why something else differs, if anything does.
    if parts.is_empty() && !share.decisions.is_empty() {
        parts.push("decisions");
    }
    parts.join(", ")
}

/// What of a cached prompt can still be used.
pub fn kept(cache: &Cache, is_short: bool) -> String {
    let kept = match (cache.breaks_at.is_some(), is_short) {
        (false, _) => "all of it".to_string(),
        (true, true) => format!("{} of {}", thousands(cache.shared_bytes), count(cache.right_bytes, "byte")),
        (true, false) => prefix_end(cache),
    };
    // What is shorter than a provider caches at least is of no use.
    format!("cache: {kept}{}", if cache.is_reusable || cache.breaks_at.is_none() { "" } else { ", too short" })
}

/// Where everything of the prompts of a cause stands.
struct Table<'a> {
    id: usize,
    what: usize,
    tokens: usize,
    /// Whether what is said of the cache is shortened.
    is_short: bool,
    /// Whether that has a line of its own.
    is_below: bool,
    view: &'a View,
}

impl<'a> Table<'a> {
    fn new(rows: &[Row], view: &'a View) -> Self {
        let longest = |of: &dyn Fn(&Row) -> usize| rows.iter().map(of).max().unwrap_or(0);
        let id = longest(&|row| visible_line(row.id).width()).min(WIDEST_ID.min(view.width / 2));
        let what = longest(&|row| visible_line(&row.what).width());
        let tokens = longest(&|row| row.tokens.len());
        let used = INDENT + id + GAP + what + GAP + tokens + " tokens".len() + GAP;
        let cache = |is_short| longest(&|row| row.cache.map_or(0, |cache| kept(cache, is_short).len()));
        let is_short = used + cache(false) > view.width;
        Self { id, what, tokens, is_short, is_below: is_short && used + cache(true) > view.width, view }
    }

    fn row(&self, row: &Row, out: &mut dyn io::Write) -> io::Result<()> {
        let theme = self.view.theme;
        let id = Word::new(row.id, theme.strong());
        write!(out, "{:INDENT$}", "")?;
        id.write(out)?;
        let mut column = id.width();
        if column > self.id {
            write!(out, "\n{:INDENT$}", "")?;
            column = 0;
        }
        let style = match row.change {
            Change::Added => theme.added(),
            Change::Removed => theme.removed(),
            _ => Style::new(),
        };
        write!(out, "{:1$}", "", self.id - column + GAP)?;
        Word::new(&row.what, style).padded(self.what).write(out)?;
        write!(out, "{:GAP$}{:>2$} tokens", "", row.tokens, self.tokens)?;
        if let Some(cache) = row.cache {
            let gap = if self.is_below { format!("\n{:1$}", "", 3 * INDENT) } else { " ".repeat(GAP) };
            write!(out, "{gap}{}", theme.dim().style(kept(cache, self.is_short)))?;
        }
        writeln!(out)
    }
}

/// What differs in a prompt besides the lines of its layers.
fn details(row: &Row, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let theme = view.theme;
    let flow = Flow { lead: "      ", lead_style: theme.dim(), hang: "        ", between: " ", width: view.width };
    for detail in row.details.iter().take(MOST_DETAILS) {
        let kind = matches!(detail, Detail::Tool(_)).then(|| Word::new("tool", theme.dim()));
        let name = detail.name().map(|name| Word::new(&name, Style::new()).colon());
        let how = detail.how();
        flow.write(&kind.into_iter().chain(name).chain(words(&how, theme.dim())).collect::<Vec<_>>(), out)?;
    }
    match row.details.len().saturating_sub(MOST_DETAILS) {
        0 => Ok(()),
        more => flow.write(&words(&format!("and {} more", thousands(more)), theme.dim()).collect::<Vec<_>>(), out),
    }
}

/// The lines that differ, of one prompt.
fn lines(shown: &Shown, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out)?;
    for pair in shown.layer_pairs().take(MOST_LAYERS) {
        shown_in_short(&shown.difference, pair, MOST_LINES, view, out)?;
    }
    for pair in shown.tool_pairs().take(MOST_TOOLS) {
        tools::tool_in_short(&shown.difference, pair, view, out)?;
    }
    let more = [(shown.layers.len(), MOST_LAYERS, "more layer"), (shown.tools.len(), MOST_TOOLS, "more tool")];
    for (number, most, unit) in more {
        if number > most {
            sentence(&format!("and {}", count(number - most, unit)), view, out)?;
        }
    }
    Ok(())
}
