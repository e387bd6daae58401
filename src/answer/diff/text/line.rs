//! A line with its margin, and its changed words below: carets, or the words between `├` and `┤` if a terminal would
//! wrap the line.

use owo_colors::Style;
use unicode_width::UnicodeWidthChar;

use crate::answer::diff::DiffView;
use crate::answer::diff::lines::LinePiece;
use crate::answer::diff::refine::WordPiece;
use crate::text::numbers::{count, thousands};
use crate::text::visible::{escape, is_hidden};
use crate::write::report::{Line, Report, word};
use crate::write::theme::{ADDED, DIM, PLAIN, REMOVED, of_changed};

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
    pub fn sign(self) -> &'static str {
        match self {
            Self::Both => " ",
            Self::Old => "-",
            Self::New => "+",
            Self::Mixed => "~",
            Self::End => "\\",
        }
    }

    pub fn style(self) -> Style {
        match self {
            Self::Both | Self::Mixed | Self::End => DIM,
            Self::Old => REMOVED,
            Self::New => ADDED,
        }
    }

    /// The margin and the sign, without trailing spaces if the line is empty.
    fn begin(self, is_empty: bool) -> Line {
        let margin = word(DIM, "│");
        match (self, is_empty) {
            (Self::Both, true) => margin,
            (mark, _) => {
                let line = margin.word(PLAIN, " ").word(mark.style(), mark.sign());
                if is_empty { line } else { line.word(PLAIN, " ") }
            }
        }
    }
}

pub fn whole(mark: LineMark, text: &str, is_visible: bool) -> Line {
    mark.begin(text.is_empty()).prompt_text(mark.style(), text, is_visible)
}

/// Shows a line with its changed words marked.
pub fn in_pieces(mark: LineMark, pieces: &[LinePiece], view: &DiffView, report: &mut Report) {
    let style_of = |piece: &LinePiece| if piece.is_changed { of_changed(mark.style()) } else { mark.style() };
    let line = |line: Line, piece: &LinePiece| line.prompt_text(style_of(piece), piece.text, view.screen.visible);
    report.row(pieces.iter().fold(mark.begin(pieces.is_empty()), line));
    match carets(pieces, view) {
        Some(carets) if carets.is_empty() => {}
        Some(carets) => report.row(Line::default().up_to(MARGIN).word(mark.style(), &carets)),
        None => below(mark, pieces, view, report),
    }
}

/// A line with the marks of a word diff: `[-old-]{+new+}`.
pub fn mixed(mark: LineMark, words: &[WordPiece], is_visible: bool) -> Line {
    words.iter().fold(mark.begin(words.is_empty()), |line, piece| {
        let (open, text, close) = piece.marked();
        let style = match piece {
            WordPiece::Both(_) => LineMark::Both.style(),
            WordPiece::Old(_) => LineMark::Old.style(),
            WordPiece::New(_) => LineMark::New.style(),
        };
        line.prompt_text(style, open, false).prompt_text(style, text, is_visible).prompt_text(style, close, false)
    })
}

/// Carets for the changed words; `None` if they could not be aligned.
fn carets(pieces: &[LinePiece], view: &DiffView) -> Option<String> {
    let mut row = String::new();
    let mut column = MARGIN;
    for piece in pieces {
        let caret = if piece.is_changed { "^" } else { " " };
        for c in piece.text.chars() {
            let width = columns(c, column, view.screen.visible)?;
            column += width;
            if column > view.screen.width {
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

/// Shows the changed words of a line, one per row.
fn below(mark: LineMark, pieces: &[LinePiece], view: &DiffView, report: &mut Report) {
    let with_start = pieces.iter().scan(0, |at, piece| {
        let length = piece.text.chars().count();
        Some((piece, std::mem::replace(at, *at + length), length))
    });
    let mut changed = with_start.filter(|(piece, ..)| piece.is_changed);
    for (piece, start, length) in changed.by_ref().take(MOST_WORDS) {
        let lead = word(DIM, "├").word(PLAIN, " ").word(mark.style(), mark.sign()).word(PLAIN, " ");
        report.row(if length > LONGEST_WORDS {
            lead.word(DIM, &format!("{} from character {}", count(length, "character"), thousands(start + 1)))
        } else {
            lead.prompt_text(mark.style(), piece.text, view.screen.visible).word(DIM, "┤")
        });
    }
    if let more @ 1.. = changed.count() {
        let more = format!("and {} in this line", count(more, "more change"));
        report.row(Line::default().up_to(MARGIN).word(DIM, &more));
    }
}
