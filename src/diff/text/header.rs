use std::io;

use owo_colors::Style;

use super::sentence;
use crate::diff::summary::{all_tokens, cache, cost, not_compared, remarks, sameness, verdict};
use crate::diff::{DiffView, Difference, Side, SideKind};
use crate::layout::{Flow, Spread, Word, count, words};

/// Writes one line about prompts that are the same.
pub fn same(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let Difference { left, right, .. } = difference;
    let mut line = vec![Word::new(&left.title, view.theme.strong()), Word::new("and", view.theme.dim())];
    let title = Word::new(&right.title, view.theme.strong());
    // The root of a repository, as in `HEAD:`, has a colon already.
    line.push(if right.title.ends_with(':') { title } else { title.colon() });
    line.extend(words(&format!("{},", sameness(difference)), Style::new()));
    line.push(Word::new(&count(all_tokens(difference).right, "token"), view.theme.dim()));
    if let Some(remark) = not_compared(difference) {
        line.extend(words(&format!("({remark})"), view.theme.dim()));
    }
    flow(&line, view, out)
}

/// Writes the sides, the verdict, and the remarks that a reader needs for the rest.
pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let Difference { left, right, .. } = difference;
    let dim = view.theme.dim();
    Spread { lead: "", fill: ' ', style: dim, width: view.width }.write(
        &Word::new(&format!("{} → {}", left.title, right.title), view.theme.strong()),
        &Word::new(&cost(difference), dim),
        out,
    )?;
    flow(&words(&verdict(difference, str::to_string), Style::new()).collect::<Vec<_>>(), view, out)?;
    for side in [left, right] {
        if let Some(source) = source(side) {
            let mut line = vec![Word::new(&side.title, dim), Word::new("is", dim)];
            line.extend(words(source, dim));
            super::indented(&line, view, out)?;
        }
    }
    remarks(difference).iter().try_for_each(|remark| sentence(remark, view, out))
}

/// The source of a side that was not rendered here.
fn source(side: &Side) -> Option<&'static str> {
    match side.kind {
        SideKind::Sent(kind) => Some(kind.phrase()),
        SideKind::Saved => Some("a saved prompt"),
        SideKind::Rendered | SideKind::Absent => None,
    }
}

/// Writes what the difference means for a cache.
pub fn end(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    if !difference.is_on_both() {
        return Ok(());
    }
    writeln!(out)?;
    let line = format!("cache: {}", cache(difference, str::to_string));
    flow(&words(&line, Style::new()).collect::<Vec<_>>(), view, out)
}

fn flow(words: &[Word], view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    Flow { lead: "", lead_style: view.theme.dim(), hang: "  ", between: " ", width: view.width }.write(words, out)
}
