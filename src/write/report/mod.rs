//! A view for a terminal: finished words, each in the style of what it means. The report decides where lines break and
//! whether they have colours.

mod line;

use std::io;

use owo_colors::Style;

use super::layout::{Columns, Flow, Spread};
use super::theme::{DIM, STRONG, Theme};

pub use line::{Line, line_of, lines_of, word, words};

/// Writes lines as they come. After an error, nothing more is written.
pub struct Report<'o> {
    out: &'o mut dyn io::Write,
    theme: Theme,
    /// Columns.
    width: usize,
    written: io::Result<()>,
}

impl<'o> Report<'o> {
    pub fn new(theme: Theme, width: usize, out: &'o mut dyn io::Write) -> Self {
        Self { out, theme, width, written: Ok(()) }
    }

    /// # Errors
    /// The first error of the writer.
    pub fn finish(self) -> io::Result<()> {
        self.written
    }

    pub fn blank(&mut self) {
        self.row(Line::default());
    }

    /// `━━ left ━━━━ right`
    pub fn heading(&mut self, left: Line, right: Line) {
        self.ends('━', DIM, "━━ ", left, right);
    }

    /// A heading after a blank line.
    pub fn section(&mut self, left: &str, right: &str) {
        self.blank();
        self.heading(word(STRONG, left), word(DIM, right));
    }

    /// Words that wrap; further lines begin with `hang`.
    pub fn line(&mut self, lead: &str, hang: &str, line: Line) {
        self.marked(DIM, lead, hang, line);
    }

    /// A remark below a heading.
    pub fn note(&mut self, sentence: &str) {
        self.line("  ", "    ", words(DIM, sentence));
    }

    /// A line after a lead in a style.
    pub fn marked(&mut self, style: Style, lead: &str, hang: &str, line: Line) {
        self.flow(" ", style, lead, hang, line);
    }

    /// Phrases with `between` between them.
    pub fn phrases(&mut self, between: &str, lead: &str, hang: &str, line: Line) {
        self.flow(between, DIM, lead, hang, line);
    }

    fn flow(&mut self, between: &str, style: Style, lead: &str, hang: &str, line: Line) {
        let (lead_style, width) = (self.theme.choose(style), self.width);
        let line = line.in_theme(self.theme);
        self.write(|out| Flow { lead, lead_style, hang, between, width }.write(&line, out));
    }

    /// A phrase at either end of a line, after a lead in a style.
    pub fn spread(&mut self, style: Style, lead: &str, left: Line, right: Line) {
        self.ends(' ', style, lead, left, right);
    }

    fn ends(&mut self, fill: char, style: Style, lead: &str, left: Line, right: Line) {
        let (style, width) = (self.theme.choose(style), self.width);
        let [left, right] = [left, right].map(|line| line.in_theme(self.theme).into_iter().next().unwrap_or_default());
        self.write(|out| Spread { lead, fill, style, width }.write(&left, &right, out));
    }

    /// Two columns after a lead in a style; the second begins at `column` if there is room.
    pub fn columns(&mut self, style: Style, lead: &str, hang: &str, column: usize, [left, right]: [Line; 2]) {
        let (style, width) = (self.theme.choose(style), self.width);
        let [left, right] = [left, right].map(|line| line.in_theme(self.theme));
        self.write(|out| Columns { lead, hang, style, column, width }.write(&left, &right, out));
    }

    /// Words as they are, on one line and without spaces between them.
    pub fn row(&mut self, line: Line) {
        let line = line.in_theme(self.theme);
        self.write(|out| {
            line.iter().try_for_each(|word| word.write(out))?;
            writeln!(out)
        });
    }

    /// The beginning of a row that goes on at column `width + gap`. A longer line has a row of its own.
    pub fn begin(&mut self, line: Line, width: usize, gap: usize) -> Line {
        if line.columns() <= width {
            return line.up_to(width + gap);
        }
        self.row(line);
        Line::default().up_to(width + gap)
    }

    fn write(&mut self, write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) {
        if self.written.is_ok() {
            self.written = write(self.out);
        }
    }
}
