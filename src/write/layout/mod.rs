//! Parts of the program's own text: wrapped words, ranges of lines and shares.

mod place;
mod share;

use unicode_width::UnicodeWidthStr;

use crate::text::numbers::count;

pub use place::{line_numbers, line_place};
pub use share::{bar, per_cent, share};

/// Plain words in lines of at most `width` columns; a longer word gets its own line.
pub fn wrapped<'w>(words: impl Iterator<Item = &'w str>, width: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 {
            let fits = column + 1 + word.width() <= width;
            out.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        out.push_str(word);
        column += word.width();
    }
    out
}

/// `newline`, `blank line`, `3 newlines`
pub fn newlines(number: usize) -> String {
    match number {
        1 => "newline".to_string(),
        2 => "blank line".to_string(),
        more => count(more, "newline"),
    }
}
