//! Both sides in columns. A longer line continues on the next row.
//!
//! To keep columns aligned, control characters are always shown as `<U+202E>`, and tabs as spaces.

use std::io;
use std::iter::Peekable;

use super::line::{LineMark, MARGIN, columns};
use crate::answer::diff::lines::LinePiece;
use crate::answer::diff::refine::ChangedLine;
use crate::answer::diff::{DiffView, Pair};
use crate::text::visible::{escape, is_hidden};
use crate::write::theme::Theme;

/// The minimum number of columns for showing both sides.
pub const NARROWEST: usize = 100;

/// The sign of a row that continues a line.
const CONTINUED: char = '·';

/// A line of one side.
pub struct ColumnLine<'a> {
    pub mark: LineMark,
    pub pieces: Vec<LinePiece<'a>>,
    pub is_refined: bool,
}

impl<'a> ColumnLine<'a> {
    pub fn whole(mark: LineMark, text: &'a str) -> Self {
        Self { mark, pieces: vec![LinePiece { text, is_changed: false }], is_refined: false }
    }

    pub fn changed(mark: LineMark, line: &ChangedLine<'a>) -> Self {
        let refined = line.pieces.clone().map(|pieces| Self { mark, pieces, is_refined: true });
        refined.unwrap_or_else(|| Self::whole(mark, line.text))
    }
}

pub fn write(row: Pair<Option<ColumnLine>>, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let width = (view.width - 1) / 2 - MARGIN;
    let mut sides = row.as_ref().map(|side| side.as_ref().map(|side| Column::new(side, width))).into_array();
    let mut is_first = true;
    loop {
        let cells = sides.each_mut().map(|side| side.as_mut().and_then(|side| side.next(is_first)));
        if cells.iter().all(Option::is_none) {
            return Ok(());
        }
        is_first = false;
        self::row(&cells, width, view.theme, out)?;
        carets(&cells, width, view.theme, out)?;
    }
}

/// The part of a line in one row.
struct Cell {
    mark: LineMark,
    sign: char,
    runs: Vec<(String, CellStyle)>,
    /// Columns of each run.
    widths: Vec<usize>,
    width: usize,
    has_carets: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellStyle {
    Same,
    Changed,
    /// An escaped character, and whether it is changed.
    Escape(bool),
}

impl CellStyle {
    fn is_changed(self) -> bool {
        matches!(self, Self::Changed | Self::Escape(true))
    }
}

/// The characters of a line, each marked as changed or not, cut into rows.
struct Column<'a> {
    row: &'a ColumnLine<'a>,
    chars: Peekable<Box<dyn Iterator<Item = (char, bool)> + 'a>>,
    width: usize,
}

impl<'a> Column<'a> {
    fn new(row: &'a ColumnLine<'a>, width: usize) -> Self {
        let chars = row.pieces.iter().flat_map(|piece| piece.text.chars().map(|c| (c, piece.is_changed)));
        let chars: Box<dyn Iterator<Item = _>> = Box::new(chars);
        Self { row, chars: chars.peekable(), width }
    }

    /// The next row. An empty line has one row.
    fn next(&mut self, is_first: bool) -> Option<Cell> {
        if self.chars.peek().is_none() && !is_first {
            return None;
        }
        let mark = self.row.mark;
        let sign = if is_first { mark.sign() } else { CONTINUED };
        let mut cell = Cell { mark, sign, runs: Vec::new(), widths: Vec::new(), width: 0, has_carets: false };
        while let Some(&(c, is_changed)) = self.chars.peek() {
            let wanted = columns(c, cell.width, true).unwrap_or(0);
            if cell.width > 0 && cell.width + wanted > self.width && c != '\t' {
                break;
            }
            // A tab does not extend beyond the row.
            let taken = if c == '\t' { wanted.min(self.width - cell.width.min(self.width)) } else { wanted };
            cell.push(c, taken, is_changed);
            cell.has_carets |= is_changed && self.row.is_refined;
            self.chars.next();
        }
        Some(cell)
    }
}

impl Cell {
    fn push(&mut self, c: char, width: usize, is_changed: bool) {
        let run = match is_changed {
            _ if is_hidden(c) => CellStyle::Escape(is_changed),
            true => CellStyle::Changed,
            false => CellStyle::Same,
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
                CellStyle::Same => style,
                CellStyle::Changed if cell.has_carets => theme.changed(style),
                CellStyle::Changed => style,
                CellStyle::Escape(_) => theme.escape(),
            };
            write!(out, "{}", style.style(text))?;
        }
        if !is_last {
            write!(out, "{:1$}", "", width.saturating_sub(cell.width))?;
        }
    }
    writeln!(out)
}

/// Writes carets below the changed words.
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
