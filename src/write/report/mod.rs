//! A view for a terminal: finished words, each in the style of what it means. The report decides where lines break and
//! whether they have colours.

mod line;
#[cfg(test)]
mod tests;
mod word;

use std::io;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use super::screen::Screen;
use super::theme::{DIM, PLAIN, STRONG};
use word::{Word, prompt_pieces};

pub use line::{Line, line_of, lines_of, word, words};

/// Writes lines as they come. After an error, nothing more is written.
pub struct Report<'o> {
    out: &'o mut dyn io::Write,
    screen: Screen,
    written: io::Result<()>,
}

impl<'o> Report<'o> {
    pub fn new(screen: Screen, out: &'o mut dyn io::Write) -> Self {
        Self { out, screen, written: Ok(()) }
    }

    /// # Errors
    /// The first error of the writer.
    pub fn finish(self) -> io::Result<()> {
        self.written
    }

    pub fn blank(&mut self) {
        self.end_line();
    }

    /// `━━ left ━━━━ right`
    pub fn heading(&mut self, left: (Style, &str), right: (Style, &str)) {
        self.ends("━", DIM, "━━ ", left, right);
    }

    /// A heading after a blank line.
    pub fn section(&mut self, left: &str, right: &str) {
        self.blank();
        self.heading((STRONG, left), (DIM, right));
    }

    /// `what if: --suppress a, --without-tier user`: marks a prompt that the files alone would not produce.
    pub fn what_if(&mut self, flags: &[String]) {
        if !flags.is_empty() {
            let line = word(STRONG, "what if:").listed(STRONG, flags.iter().map(String::as_str), flags.len());
            self.marked(STRONG, "", "  ", line);
        }
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
        self.flow(" ", style, lead, hang, &line);
    }

    /// Phrases with `between` between them.
    pub fn phrases(&mut self, between: &str, lead: &str, hang: &str, line: Line) {
        self.flow(between, DIM, lead, hang, &line);
    }

    /// A longer word than the width gets its own line, unbroken.
    fn flow(&mut self, between: &str, style: Style, lead: &str, hang: &str, line: &Line) {
        self.put(style, lead);
        let mut column = lead.width();
        // A file outside the tiers has an empty word for its tier.
        let words: Vec<&Word> = line.0.iter().filter(|word| !word.text.is_empty()).collect();
        for (index, word) in words.iter().enumerate() {
            let both = match words.get(index + 1) {
                Some(next) if word.is_glued => word.width() + between.width() + next.width(),
                _ => word.width(),
            };
            let needed = if hang.width() + both <= self.screen.width { both } else { word.width() };
            if index > 0 && column + between.width() + needed > self.screen.width {
                self.end_line();
                self.margin(style, hang);
                column = hang.width();
            } else if index > 0 {
                self.put(PLAIN, between);
                column += between.width();
            }
            self.put(word.style, &word.text);
            column += word.width();
        }
        self.end_line();
    }

    /// A phrase at either end of a line, after a lead in a style; on two lines if one is too short for both.
    pub fn spread(&mut self, style: Style, lead: &str, left: (Style, &str), right: (Style, &str)) {
        self.ends(" ", style, lead, left, right);
    }

    fn ends(&mut self, fill: &str, style: Style, lead: &str, left: (Style, &str), right: (Style, &str)) {
        let (line, right) = (word(style, lead).word(left.0, left.1), word(right.0, right.1));
        let used = line.row_width() + right.row_width();
        // A space, at least one column of fill, and a space.
        if let Some(columns @ 1..) = self.screen.width.checked_sub(used + 2) {
            return self.row(line.word(PLAIN, " ").word(style, &fill.repeat(columns)).word(PLAIN, " ").then(right));
        }
        self.row(line);
        self.row(Line::default().up_to(self.screen.width.saturating_sub(right.row_width())).then(right));
    }

    /// Two columns after a lead in a style, as in a tree. On one line if both fit: then the second begins at `column`, or
    /// as near to it as there is room.
    pub fn columns(&mut self, style: Style, lead: &str, hang: &str, column: usize, [left, right]: [Line; 2]) {
        let begin = lead.width() + left.width() + 2;
        let last = self.screen.width.checked_sub(right.width()).filter(|&last| begin <= last && !right.is_empty());
        if let Some(last) = last {
            self.margin(style, lead);
            self.joined(&left);
            self.put(PLAIN, &" ".repeat(column.clamp(begin, last) + 2 - begin));
            self.joined(&right);
            return self.end_line();
        }
        self.flow(" ", style, lead, hang, &left);
        if !right.is_empty() {
            self.margin(style, hang);
            self.joined(&right);
            self.end_line();
        }
    }

    fn joined(&mut self, line: &Line) {
        for (index, word) in line.0.iter().enumerate() {
            self.put(PLAIN, if index > 0 { " " } else { "" });
            self.put(word.style, &word.text);
        }
    }

    /// Words as they are, on one line and without spaces between them.
    pub fn row(&mut self, line: Line) {
        line.0.iter().for_each(|word| self.put(word.style, &word.text));
        self.end_line();
    }

    /// A line of a prompt's text after `│ `, never wrapped.
    pub fn quote(&mut self, margin: Style, line: &str) {
        self.put(margin, "│");
        self.put(PLAIN, if line.is_empty() { "" } else { " " });
        prompt_pieces(PLAIN, line, self.screen.visible).for_each(|(style, piece)| self.put(style, &piece));
        self.end_line();
    }

    /// The beginning of a row that goes on at column `width + gap`. A longer line has a row of its own.
    pub fn begin(&mut self, line: Line, width: usize, gap: usize) -> Line {
        if line.row_width() <= width {
            return line.up_to(width + gap);
        }
        self.row(line);
        Line::default().up_to(width + gap)
    }

    fn end_line(&mut self) {
        self.put(PLAIN, "\n");
    }

    fn margin(&mut self, style: Style, margin: &str) {
        self.put(if margin.trim().is_empty() { PLAIN } else { style }, margin);
    }

    fn put(&mut self, style: Style, text: &str) {
        // Empty text would leave an escape sequence around nothing.
        if self.written.is_ok() && !text.is_empty() {
            let style = self.screen.theme.choose(style);
            self.written = match style.is_plain() {
                true => self.out.write_all(text.as_bytes()),
                false => write!(self.out, "{}", style.style(text)),
            };
        }
    }
}
