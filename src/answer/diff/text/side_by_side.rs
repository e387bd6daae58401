//! Both sides in columns. A long line continues on the next row.
//!
//! To keep columns aligned, control characters are always shown as `<U+202E>`, and tabs as spaces.

use std::iter::Peekable;

use super::line::{LineMark, MARGIN, columns};
use crate::answer::diff::Pair;
use crate::answer::diff::lines::LinePiece;
use crate::answer::diff::refine::ChangedLine;
use crate::text::visible::{escape, is_hidden};
use crate::write::report::{Line, Report};
use crate::write::theme::{DIM, ESCAPE, PLAIN, of_changed};

/// The minimum number of columns for showing both sides.
pub const NARROWEST: usize = 100;

/// The sign of a row that continues a line.
const CONTINUED: &str = "·";

pub struct ColumnLine<'a> {
    pub mark: LineMark,
    pub pieces: Vec<LinePiece<'a>>,
}

impl<'a> ColumnLine<'a> {
    pub fn whole(mark: LineMark, text: &'a str) -> Self {
        Self { mark, pieces: vec![LinePiece { text, is_changed: false }] }
    }

    pub fn changed(mark: LineMark, line: &ChangedLine<'a>) -> Self {
        let refined = line.pieces.clone().map(|pieces| Self { mark, pieces });
        refined.unwrap_or_else(|| Self::whole(mark, line.text))
    }
}

pub fn report(row: Pair<Option<ColumnLine>>, columns: usize, report: &mut Report) {
    let width = (columns - 1) / 2 - MARGIN;
    let mut sides = row.as_ref().map(|side| side.as_ref().map(|side| Column::new(side, width))).into_array();
    let mut is_first = true;
    loop {
        let cells = sides.each_mut().map(|side| side.as_mut().and_then(|side| side.next(is_first)));
        if cells.iter().all(Option::is_none) {
            return;
        }
        is_first = false;
        report.row(self::row(&cells, width));
        if cells.iter().flatten().any(Cell::is_changed) {
            report.row(carets(&cells, width));
        }
    }
}

/// The part of a line in one row.
struct Cell {
    mark: LineMark,
    sign: &'static str,
    runs: Vec<Run>,
    width: usize,
}

/// Characters of one kind.
struct Run {
    text: String,
    width: usize,
    is_escape: bool,
    is_changed: bool,
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
        let mut cell = Cell { mark, sign, runs: Vec::new(), width: 0 };
        while let Some(&(c, is_changed)) = self.chars.peek() {
            let used = cell.width;
            let wanted = columns(c, used, true).unwrap_or(0);
            if used > 0 && used + wanted > self.width && c != '\t' {
                break;
            }
            // A tab does not extend beyond the row.
            let taken = if c == '\t' { wanted.min(self.width.saturating_sub(used)) } else { wanted };
            cell.push(c, taken, is_changed);
            self.chars.next();
        }
        Some(cell)
    }
}

impl Cell {
    fn is_changed(&self) -> bool {
        self.runs.iter().any(|run| run.is_changed)
    }

    fn push(&mut self, c: char, width: usize, is_changed: bool) {
        let is_escape = is_hidden(c);
        self.width += width;
        let text = match c {
            '\t' => " ".repeat(width),
            c if is_escape => escape(c),
            c => c.to_string(),
        };
        match self.runs.last_mut().filter(|last| (last.is_escape, last.is_changed) == (is_escape, is_changed)) {
            Some(run) => {
                run.text += &text;
                run.width += width;
            }
            None => self.runs.push(Run { text, width, is_escape, is_changed }),
        }
    }
}

fn row(cells: &[Option<Cell>; 2], width: usize) -> Line {
    let mut line = Line::default();
    for (index, cell) in cells.iter().enumerate() {
        let is_last = index == 1;
        line = line.word(DIM, if is_last { " │" } else { "│" });
        let Some(cell) = cell else {
            if !is_last {
                line = line.up_to(width + MARGIN);
            }
            continue;
        };
        let style = cell.mark.style();
        let is_empty = is_last && cell.runs.is_empty();
        if !(is_empty && cell.sign == " ") {
            line = line.word(PLAIN, " ").word(style, cell.sign);
        }
        if !is_empty {
            line = line.word(PLAIN, " ");
        }
        for run in &cell.runs {
            let style = match (run.is_escape, run.is_changed) {
                (true, _) => ESCAPE,
                (false, true) => of_changed(style),
                (false, false) => style,
            };
            line = line.prompt_text(style, &run.text, false);
        }
        if !is_last {
            line = line.word(PLAIN, &" ".repeat(width.saturating_sub(cell.width)));
        }
    }
    line
}

fn carets(cells: &[Option<Cell>; 2], width: usize) -> Line {
    let mut line = Line::default();
    for (index, cell) in cells.iter().enumerate() {
        let Some(cell) = cell.as_ref().filter(|cell| cell.is_changed()) else { continue };
        let mut at = index * (width + MARGIN + 1) + MARGIN;
        for run in &cell.runs {
            if run.is_changed && run.width > 0 {
                line = line.up_to(at).word(cell.mark.style(), &"^".repeat(run.width));
            }
            at += run.width;
        }
    }
    line
}
