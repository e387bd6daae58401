//! A difference for people: what it comes to, then a heading for each layer that differs with the lines in question.
//!
//! The prompt's own text stands behind a margin, as it is; whatever has no margin is ours. Nothing depends on colour.

pub(crate) mod around;
pub(super) mod header;
pub(super) mod hunk;
pub(super) mod layer;
mod line;
pub(crate) mod phrases;
mod refine;
mod side_by_side;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod tools;

use std::io;

use self::refine::Refiner;
use super::{Change, Difference, LayerPair, View};
use crate::layout::{Flow, Spread, Word, count, words};

pub(crate) use self::layer::shown_in_short;

/// The columns that the view can use well.
const WIDTHS: (usize, usize) = (40, 200);

/// What is said where comparing words took too long.
const ROUGH: &str = "comparing words took too long: in some changed lines the words that differ are not marked";

/// Writes it.
pub fn write(difference: &Difference, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let asked = view;
    let view = &fitted(asked);
    if difference.is_same() {
        header::same(difference, view, out)?;
        return around::decisions(difference, view, out);
    }
    header::write(difference, view, out)?;
    too_narrow(asked, view, out)?;
    let (same, differ): (Vec<&LayerPair>, Vec<_>) =
        difference.layers.iter().partition(|pair| pair.change() == Change::Same);
    let refiner = Refiner::default();
    for pair in &differ {
        layer::write(difference, pair, &refiner, view, out)?;
    }
    if difference.between {
        heading("between layers", "differs", view, out)?;
        sentence("separators, or the order of the messages", view, out)?;
    }
    if !same.is_empty() && !differ.is_empty() {
        writeln!(out)?;
        let are = if same.len() == 1 { "is" } else { "are" };
        writeln!(
            out,
            "{}",
            view.theme.dim().style(format!("{} {are} the same", count(same.len(), difference.unit())))
        )?;
    }
    tools::write(difference, &refiner, view, out)?;
    around::write(difference, view, out)?;
    if refiner.is_over() {
        writeln!(out)?;
        sentence(ROUGH, view, out)?;
    }
    header::end(difference, view, out)
}

/// A view as far as the width allows it.
pub(crate) fn fitted(view: &View) -> View {
    let width = view.width.clamp(WIDTHS.0, WIDTHS.1);
    View { width, side_by_side: view.side_by_side && width >= side_by_side::NARROWEST, ..*view }
}

/// Says once that both sides do not stand beside each other, though that was asked for.
pub(crate) fn too_narrow(asked: &View, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    if asked.side_by_side == view.side_by_side {
        return Ok(());
    }
    let least = side_by_side::NARROWEST;
    sentence(&format!("side by side takes {least} columns, and there are {}", view.width), view, out)
}

/// A heading of a part, with something at its end.
pub(crate) fn heading(left: &str, right: &str, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let dim = view.theme.dim();
    writeln!(out)?;
    let line = Spread { lead: "━━ ", fill: '━', style: dim, width: view.width };
    line.write(&Word::new(left, view.theme.strong()), &Word::new(right, dim), out)
}

/// A sentence of ours.
pub(crate) fn sentence(sentence: &str, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    indented(&words(sentence, view.theme.dim()).collect::<Vec<_>>(), view, out)
}

/// Words of ours below a heading.
pub(crate) fn indented(words: &[Word], view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let dim = view.theme.dim();
    Flow { lead: "  ", lead_style: dim, hang: "    ", between: " ", width: view.width }.write(words, out)
}
