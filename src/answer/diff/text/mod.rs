//! A difference for people: a summary, then a heading for each layer that differs, with its lines.
//!
//! The prompt's own text has a margin and is unchanged; text without a margin is the program's. Nothing depends on
//! colour.

mod around;
mod header;
mod hunk;
pub(super) mod layer;
mod line;
mod side_by_side;
#[cfg(test)]
pub(crate) mod tests;
mod tools;

use std::io;

use owo_colors::Style;

use super::refine::Refiner;
use super::{DiffView, Difference};
use crate::text::numbers::count;
use crate::write::layout::{self, Flow, Spread};

pub(crate) use self::line::LineMark;

/// The minimum and maximum number of columns that the view uses.
const WIDTHS: (usize, usize) = (40, 200);

pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let requested = view;
    let view = &fitted(requested);
    let writer = DifferenceWriter { difference, refiner: Refiner::default(), view };
    if difference.is_same() {
        writer.same(out)?;
        return writer.decisions(out);
    }
    writer.header(out)?;
    too_narrow(requested, view, out)?;
    let mut differ = 0;
    for (_, pair) in difference.changed_layers() {
        writer.layer(pair, out)?;
        differ += 1;
    }
    if difference.between {
        view.heading("between layers", "differs", out)?;
        view.sentence("separators, or the order of messages", out)?;
    }
    let same = difference.layers.len() - differ;
    if same > 0 && differ > 0 {
        writeln!(out)?;
        writeln!(out, "{}", view.theme.dim().style(are_the_same(same, difference.unit())))?;
    }
    writer.tools(out)?;
    writer.fields(out)?;
    writer.chain(out)?;
    writer.decisions(out)?;
    if writer.refiner.is_over() {
        writeln!(out)?;
        view.sentence("the word comparison was cut short: some changed lines have no marked words", out)?;
    }
    writer.end(out)
}

pub(crate) struct DifferenceWriter<'a> {
    difference: &'a Difference,
    refiner: Refiner,
    view: &'a DiffView,
}

impl<'a> DifferenceWriter<'a> {
    /// For one of many prompts: spends little effort on comparing words.
    pub fn brief(difference: &'a Difference, view: &'a DiffView) -> Self {
        Self { difference, refiner: Refiner::brief(), view }
    }
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
    view.sentence(&format!("side by side needs {least} columns; there are {}", view.width), out)
}

impl DiffView {
    pub(crate) fn heading(&self, left: &str, right: &str, out: &mut dyn io::Write) -> io::Result<()> {
        writeln!(out)?;
        layout::heading(left, right, self.theme, self.width, out)
    }

    pub(crate) fn sentence(&self, sentence: &str, out: &mut dyn io::Write) -> io::Result<()> {
        self.flow("  ", "    ").say(sentence, self.theme.dim(), out)
    }

    pub(crate) fn flow<'a>(&self, lead: &'a str, hang: &'a str) -> Flow<'a> {
        Flow::plain(lead, hang, self.theme, self.width)
    }

    pub(crate) fn spread<'a>(&self, lead: &'a str, style: Style) -> Spread<'a> {
        Spread { lead, fill: ' ', style, width: self.width }
    }
}
