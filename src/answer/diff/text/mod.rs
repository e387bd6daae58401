//! A difference for people: a summary, then a heading for each layer that differs, with its lines.
//!
//! The prompt's own text has a margin and is unchanged; text without a margin is the program's. Nothing depends on
//! colour.

mod around;
mod hunk;
pub(super) mod layer;
mod line;
mod side_by_side;
#[cfg(test)]
pub(crate) mod tests;

use std::io;

use super::refine::Refiner;
use super::summary::{all_tokens, cache, cost, not_compared, remarks, sameness, verdict};
use super::{DiffView, Difference};
use crate::text::numbers::count;
use crate::write::report::{Report, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG};

pub(crate) use self::line::LineMark;

pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let requested = view;
    let view = &fitted(requested);
    let mut report = Report::new(view.screen, out);
    let mut of_difference = DifferenceReport { difference, refiner: Refiner::default(), view, report: &mut report };
    match difference.is_same() {
        true => of_difference.same(),
        false => of_difference.differs(requested),
    }
    report.finish()
}

pub(crate) struct DifferenceReport<'a, 'o> {
    difference: &'a Difference,
    refiner: Refiner,
    view: &'a DiffView,
    report: &'a mut Report<'o>,
}

impl<'a, 'o> DifferenceReport<'a, 'o> {
    /// For one of many prompts: spends little effort on comparing words.
    pub fn brief(difference: &'a Difference, view: &'a DiffView, report: &'a mut Report<'o>) -> Self {
        Self { difference, refiner: Refiner::brief(), view, report }
    }

    /// One line about prompts that are the same.
    fn same(&mut self) {
        let Difference { left, right, .. } = self.difference;
        // The root of a repository, as in `HEAD:`, has a colon already.
        let colon = if right.title.ends_with(':') { "" } else { ":" };
        let titles = word(STRONG, &left.title).word(DIM, "and").word(STRONG, &right.title).mark(colon);
        let tokens = count(all_tokens(self.difference).right, "token");
        let line = titles.words(PLAIN, &format!("{},", sameness(self.difference))).word(DIM, &tokens);
        let remark = not_compared(self.difference).map(|remark| format!("({remark})")).unwrap_or_default();
        self.report.line("", "  ", line.words(DIM, &remark));
        self.decisions();
    }

    fn differs(&mut self, requested: &DiffView) {
        let (difference, view) = (self.difference, self.view);
        self.header();
        too_narrow(requested, view, self.report);
        let differ = difference.changed_layers().map(|(_, pair)| self.layer(pair)).count();
        if difference.between {
            self.report.section("between layers", "differs");
            self.report.note("separators, or the order of messages");
        }
        let same = difference.layers.len() - differ;
        if same > 0 && differ > 0 {
            self.report.blank();
            self.report.row(word(DIM, &are_the_same(same, difference.unit())));
        }
        self.tools();
        self.fields();
        self.chain();
        self.decisions();
        if self.refiner.is_over() {
            self.report.blank();
            self.report.note("the word comparison was cut short: some changed lines have no marked words");
        }
        if difference.is_on_both() {
            self.report.blank();
            let line = format!("cache: {}", cache(difference, str::to_string));
            self.report.line("", "  ", words(PLAIN, &line));
        }
    }

    /// The sides, the verdict, and the remarks that a reader needs to understand the rest.
    fn header(&mut self) {
        let Self { difference, report, .. } = self;
        let title = format!("{} → {}", difference.left.title, difference.right.title);
        report.spread(DIM, "", (STRONG, &title), (DIM, &cost(difference)));
        report.line("", "  ", words(PLAIN, &verdict(difference, str::to_string)));
        for side in difference.sides().into_array() {
            if let Some(source) = side.kind.phrase() {
                report.line("  ", "    ", word(DIM, &side.title).word(DIM, "is").words(DIM, source));
            }
        }
        remarks(difference).iter().for_each(|remark| report.note(remark));
    }
}

/// `3 layers are the same`.
fn are_the_same(number: usize, unit: &str) -> String {
    format!("{} {} the same", count(number, unit), if number == 1 { "is" } else { "are" })
}

/// The view, side by side only if it is wide enough.
pub(crate) fn fitted(view: &DiffView) -> DiffView {
    DiffView { side_by_side: view.side_by_side && view.screen.width >= side_by_side::NARROWEST, ..*view }
}

/// Adds a remark if the terminal is too narrow for `--side-by-side`.
pub(crate) fn too_narrow(requested: &DiffView, view: &DiffView, report: &mut Report) {
    if requested.side_by_side != view.side_by_side {
        let least = side_by_side::NARROWEST;
        report.note(&format!("side by side needs {least} columns; there are {}", view.screen.width));
    }
}
