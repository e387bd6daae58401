//! A line with its margin, and its changed words below: carets, or the words between `├` and `┤` if a terminal would
//! wrap the line.

use std::io;

use owo_colors::Style;
use unicode_width::UnicodeWidthChar;

use crate::answer::diff::DiffView;
use crate::answer::diff::lines::LinePiece;
use crate::answer::diff::refine::WordPiece;
use crate::text::numbers::{count, thousands};
use crate::text::visible::{escape, is_hidden};
use crate::write::layout::styled_text;
use crate::write::theme::Theme;

/// Columns of the margin, the sign and the spaces.
pub const MARGIN: usize = 4;

/// The maximum number of changed words shown below a line that is too long for carets.
const MOST_WORDS: usize = 8;

/// The length in characters above which only the position of changed words is shown.
const LONGEST_WORDS: usize = 200;

const TAB: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineMark {
    Both,
    Old,
    New,
    /// A line with the words of both sides.
    Mixed,
    /// A remark about the end of a text.
    End,
}

impl LineMark {
    pub fn sign(self) -> char {
        match self {
            Self::Both => ' ',
            Self::Old => '-',
            Self::New => '+',
            Self::Mixed => '~',
            Self::End => '\\',
        }
    }

    pub fn style(self, theme: Theme) -> Style {
        match self {
            Self::Both | Self::Mixed | Self::End => theme.dim(),
            Self::Old => theme.removed(),
            Self::New => theme.added(),
        }
    }
}

pub fn whole(mark: LineMark, text: &str, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    begin(mark, text.is_empty(), view.theme, out)?;
    styled_text(text, mark.style(view.theme), view.visible, view.theme, out)?;
    writeln!(out)
}

/// Writes a line with its changed words marked.
pub fn in_pieces(mark: LineMark, pieces: &[LinePiece], view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let DiffView { theme, visible, .. } = *view;
    begin(mark, pieces.is_empty(), theme, out)?;
    for piece in pieces {
        let style = mark.style(theme);
        let style = if piece.is_changed { theme.changed(style) } else { style };
        styled_text(piece.text, style, visible, theme, out)?;
    }
    writeln!(out)?;
    match carets(pieces, view) {
        Some(carets) if carets.is_empty() => Ok(()),
        Some(carets) => writeln!(out, "{:MARGIN$}{}", "", mark.style(theme).style(carets)),
        None => below(mark, pieces, view, out),
    }
}

/// Writes a line with the marks of a word diff: `[-old-]{+new+}`.
pub fn mixed(mark: LineMark, words: &[WordPiece], view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let DiffView { theme, visible, .. } = *view;
    begin(mark, words.is_empty(), theme, out)?;
    for word in words {
        let (open, text, close) = word.marked();
        let style = match word {
            WordPiece::Both(_) => LineMark::Both.style(theme),
            WordPiece::Old(_) => LineMark::Old.style(theme),
            WordPiece::New(_) => LineMark::New.style(theme),
        };
        if !open.is_empty() {
            write!(out, "{}", style.style(open))?;
        }
        styled_text(text, style, visible, theme, out)?;
        if !close.is_empty() {
            write!(out, "{}", style.style(close))?;
        }
    }
    writeln!(out)
}

/// Writes the margin and the sign, without trailing spaces.
fn begin(mark: LineMark, is_empty: bool, theme: Theme, out: &mut dyn io::Write) -> io::Result<()> {
    write!(out, "{}", theme.dim().style("│"))?;
    match (mark, is_empty) {
        (LineMark::Both, true) => Ok(()),
        (mark, true) => write!(out, " {}", mark.style(theme).style(mark.sign())),
        (mark, false) => write!(out, " {} ", mark.style(theme).style(mark.sign())),
    }
}

/// Carets for the changed words; `None` if they could not be aligned.
fn carets(pieces: &[LinePiece], view: &DiffView) -> Option<String> {
    let mut row = String::new();
    let mut column = MARGIN;
    for piece in pieces {
        let caret = if piece.is_changed { "^" } else { " " };
        for c in piece.text.chars() {
            let width = columns(c, column, view.visible)?;
            column += width;
            if column > view.width {
                return None;
            }
            row.extend(std::iter::repeat_n(caret, width));
        }
    }
    row.truncate(row.trim_end().len());
    Some(row)
}

/// The columns of a character; `None` if they depend on the terminal.
pub fn columns(c: char, column: usize, visible: bool) -> Option<usize> {
    match c {
        '\t' => Some(TAB - column % TAB),
        c if is_hidden(c) => visible.then(|| escape(c).len()),
        c => Some(c.width().unwrap_or(0)),
    }
}

/// Writes the changed words of a line, one per row.
fn below(mark: LineMark, pieces: &[LinePiece], view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let dim = view.theme.dim();
    let with_start = pieces.iter().scan(0, |at, piece| {
        let length = piece.text.chars().count();
        Some((piece, std::mem::replace(at, *at + length), length))
    });
    let mut changed = with_start.filter(|(piece, ..)| piece.is_changed);
    for (piece, start, length) in changed.by_ref().take(MOST_WORDS) {
        write!(out, "{} {} ", dim.style("├"), mark.style(view.theme).style(mark.sign()))?;
        if length > LONGEST_WORDS {
            let which = format!("{} from character {}", count(length, "character"), thousands(start + 1));
            writeln!(out, "{}", dim.style(which))?;
        } else {
            styled_text(piece.text, mark.style(view.theme), view.visible, view.theme, out)?;
            writeln!(out, "{}", dim.style("┤"))?;
        }
    }
    match changed.count() {
        0 => Ok(()),
        more => {
            writeln!(out, "{:MARGIN$}{}", "", dim.style(format!("and {} in this line", count(more, "more change"))))
        }
    }
}
