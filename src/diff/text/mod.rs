//! A difference for people: a summary, then a heading for each layer that differs, with its lines.
//!
//! The prompt's own text is behind a margin, unchanged; text without a margin is ours. Nothing depends on colour.

mod around;
mod header;
pub(super) mod hunk;
pub(super) mod layer;
mod line;
mod refine;
mod side_by_side;
#[cfg(test)]
pub(crate) mod tests;
mod tools;

use std::io;

use self::refine::Refiner;
use super::{DiffView, Difference};
use crate::layout::{Flow, Spread, Word, count, words};

pub(crate) use self::layer::{comma, write_in_short as layer_in_short};
pub(crate) use self::tools::write_in_short as tool_in_short;

/// The least and most columns that the view uses.
const WIDTHS: (usize, usize) = (40, 200);

pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let requested = view;
    let view = &fitted(requested);
    if difference.is_same() {
        header::same(difference, view, out)?;
        return around::decisions(difference, view, out);
    }
    header::write(difference, view, out)?;
    too_narrow(requested, view, out)?;
    let refiner = Refiner::default();
    let mut differ = 0;
    for (_, pair) in difference.changed_layers() {
        layer::write(difference, pair, &refiner, view, out)?;
        differ += 1;
    }
    if difference.between {
        heading("between layers", "differs", view, out)?;
        sentence("separators, or the order of messages", view, out)?;
    }
    let same = difference.layers.len() - differ;
    if same > 0 && differ > 0 {
        writeln!(out)?;
        writeln!(out, "{}", view.theme.dim().style(are_the_same(same, difference.unit())))?;
    }
    tools::write(difference, &refiner, view, out)?;
    around::write(difference, view, out)?;
    if refiner.is_over() {
        writeln!(out)?;
        sentence("the word comparison was cut short: some changed lines have no marked words", view, out)?;
    }
    header::end(difference, view, out)
}

/// `3 layers are the same`.
fn are_the_same(number: usize, unit: &str) -> String {
    format!("{} {} the same", count(number, unit), if number == 1 { "is" } else { "are" })
}

/// The view with a width that it can use, and side by side only if that is wide enough.
pub(crate) fn fitted(view: &DiffView) -> DiffView {
    let width = view.width.clamp(WIDTHS.0, WIDTHS.1);
    DiffView { width, side_by_side: view.side_by_side && width >= side_by_side::NARROWEST, ..*view }
}

/// Writes a remark if the terminal is too narrow for `--side-by-side`.
pub(crate) fn too_narrow(requested: &DiffView, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    if requested.side_by_side == view.side_by_side {
        return Ok(());
    }
    let least = side_by_side::NARROWEST;
    sentence(&format!("side by side needs {least} columns; there are {}", view.width), view, out)
}

pub(crate) fn heading(left: &str, right: &str, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let dim = view.theme.dim();
    writeln!(out)?;
    let line = Spread { lead: "━━ ", fill: '━', style: dim, width: view.width };
    line.write(&Word::new(left, view.theme.strong()), &Word::new(right, dim), out)
}

pub(crate) fn sentence(sentence: &str, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    indented(&words(sentence, view.theme.dim()).collect::<Vec<_>>(), view, out)
}

pub(crate) fn indented(words: &[Word], view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let dim = view.theme.dim();
    Flow { lead: "  ", lead_style: dim, hang: "    ", between: " ", width: view.width }.write(words, out)
}
