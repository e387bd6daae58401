//! Both sides beside each other: what is longer than a column goes on in the next row.
//!
//! Columns hold only where every character takes the room that it is counted for: characters that act on a terminal
//! are always shown as `<U+202E>` here, and a tab is as many blanks as it takes.

use std::io;
use std::iter::Peekable;
use std::slice;
use std::str::Chars;

use super::line::{MARGIN, Mark, columns};
use crate::diff::View;
use crate::diff::lines::Piece;
use crate::text::visible::{escape, is_hidden};
use crate::theme::Theme;

/// Fewer columns have no room for two texts.
pub const NARROWEST: usize = 100;

/// The sign of a row that goes on with a line.
const GOES_ON: char = '·';

/// A line of one side.
pub struct Row<'a> {
    /// What it is.
    pub mark: Mark,
    /// Its text.
    pub pieces: Vec<Piece<'a>>,
    /// Whether its changed words are marked.
    pub is_refined: bool,
}

impl<'a> Row<'a> {
    /// A line that is one piece.
    pub fn whole(mark: Mark, text: &'a str) -> Self {
        Self { mark, pieces: vec![Piece { text, is_changed: false }], is_refined: false }
    }
}

/// Writes a line of each side, in as many rows as the longer one takes.
pub fn write(left: Option<Row>, right: Option<Row>, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let width = (view.width - 1) / 2 - MARGIN;
    let mut sides = [left.as_ref(), right.as_ref()].map(|row| row.map(|row| Column::new(row, width)));
    let mut is_first = true;
    loop {
        let cells = sides.each_mut().map(|side| side.as_mut().and_then(|side| side.next(is_first)));
        if cells.iter().all(Option::is_none) {
            return Ok(());
        }
        is_first = false;
        row(&cells, width, view.theme, out)?;
        carets(&cells, width, view.theme, out)?;
    }
}

/// What of a line stands in one row.
struct Cell {
    mark: Mark,
    sign: char,
    /// Text with what it is.
    runs: Vec<(String, Run)>,
    /// Columns of each run.
    widths: Vec<usize>,
    /// Columns of all.
    width: usize,
    has_carets: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    Same,
    Changed,
    /// A character in another form, and whether it is changed.
    Escape(bool),
}

impl Run {
    fn is_changed(self) -> bool {
        matches!(self, Self::Changed | Self::Escape(true))
    }
}

/// A line on its way into rows.
struct Column<'a> {
    row: &'a Row<'a>,
    pieces: slice::Iter<'a, Piece<'a>>,
    chars: Peekable<Chars<'a>>,
    is_changed: bool,
    width: usize,
}

impl<'a> Column<'a> {
    fn new(row: &'a Row<'a>, width: usize) -> Self {
        Self { row, pieces: row.pieces.iter(), chars: "".chars().peekable(), is_changed: false, width }
    }

    fn peek(&mut self) -> Option<char> {
        while self.chars.peek().is_none() {
            let piece = self.pieces.next()?;
            (self.chars, self.is_changed) = (piece.text.chars().peekable(), piece.is_changed);
        }
        self.chars.peek().copied()
    }

    /// The next row. The first is there even if the line is empty.
    fn next(&mut self, is_first: bool) -> Option<Cell> {
        if self.peek().is_none() && !is_first {
            return None;
        }
        let mark = self.row.mark;
        let sign = if is_first { mark.sign() } else { GOES_ON };
        let mut cell = Cell { mark, sign, runs: Vec::new(), widths: Vec::new(), width: 0, has_carets: false };
        while let Some(c) = self.peek() {
            let wanted = columns(c, cell.width, true).unwrap_or(0);
            if cell.width > 0 && cell.width + wanted > self.width && c != '\t' {
                break;
            }
            // A tab ends where the row does, if it would end behind it.
            let taken = if c == '\t' { wanted.min(self.width - cell.width.min(self.width)) } else { wanted };
            cell.push(c, taken, self.is_changed);
            cell.has_carets |= self.is_changed && self.row.is_refined;
            self.chars.next();
        }
        Some(cell)
    }
}

impl Cell {
    fn push(&mut self, c: char, width: usize, is_changed: bool) {
        let run = match is_changed {
            _ if is_hidden(c) => Run::Escape(is_changed),
            true => Run::Changed,
            false => Run::Same,
        };
        if self.runs.last().is_none_or(|(_, last)| *last != run) {
            self.runs.push((String::new(), run));
            self.widths.push(0);
        }
        if let (Some((text, _)), Some(all)) = (self.runs.last_mut(), self.widths.last_mut()) {
            match c {
                '\t' => text.extend(std::iter::repeat_n(' ', width)),
                c if is_hidden(c) => text.push_str(&escape(c)),
                c => text.push(c),
            }
            *all += width;
        }
        self.width += width;
    }
}

fn row(cells: &[Option<Cell>; 2], width: usize, theme: Theme, out: &mut dyn io::Write) -> io::Result<()> {
    for (index, cell) in cells.iter().enumerate() {
        let is_last = index == 1;
        let edge = if is_last { " │" } else { "│" };
        write!(out, "{}", theme.dim().style(edge))?;
        let Some(cell) = cell else {
            if !is_last {
                write!(out, "{:1$}", "", width + MARGIN - 1)?;
            }
            continue;
        };
        let style = cell.mark.style(theme);
        let is_empty = cell.runs.is_empty();
        if !(is_last && is_empty && cell.sign == ' ') {
            write!(out, " {}", style.style(cell.sign))?;
        }
        if !(is_last && is_empty) {
            write!(out, " ")?;
        }
        for (text, run) in &cell.runs {
            let style = match run {
                Run::Same => style,
                Run::Changed if cell.has_carets => theme.changed(style),
                Run::Changed => style,
                Run::Escape(_) => theme.escape(),
            };
            write!(out, "{}", style.style(text))?;
        }
        if !is_last {
            write!(out, "{:1$}", "", width.saturating_sub(cell.width))?;
        }
    }
    writeln!(out)
}

/// A row of ours that marks the changed words of the row above.
fn carets(cells: &[Option<Cell>; 2], width: usize, theme: Theme, out: &mut dyn io::Write) -> io::Result<()> {
    if !cells.iter().flatten().any(|cell| cell.has_carets) {
        return Ok(());
    }
    let mut column = 0;
    for (index, cell) in cells.iter().enumerate() {
        let Some(cell) = cell.as_ref().filter(|cell| cell.has_carets) else { continue };
        let mut at = index * (width + MARGIN + 1) + MARGIN;
        for ((_, run), &wide) in cell.runs.iter().zip(&cell.widths) {
            if run.is_changed() && wide > 0 {
                write!(out, "{:1$}", "", at - column)?;
                write!(out, "{}", cell.mark.style(theme).style("^".repeat(wide)))?;
                column = at + wide;
            }
            at += wide;
        }
    }
    writeln!(out)
}
