//! Lays out the program's own text: wrapped words, lines with text at both ends, places and shares.

mod columns;
mod place;
mod share;
mod what_if;

use std::borrow::Cow;
use std::fmt;
use std::io;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use crate::text::numbers::{count, thousands};
use crate::text::visible::{escape, is_hidden, visible_line};
use crate::write::theme::{ESCAPE, Theme};

pub use columns::Columns;
pub use place::{line_numbers, line_place, lines_of, located, with_place};
pub use share::{bar, per_cent, share};
pub use what_if::what_if;

/// A unit that is never broken: a word, a path, a phrase.
#[derive(Debug, Clone, Default)]
pub struct Word {
    text: String,
    style: Style,
    /// Whether to keep the next word on the same line.
    glued: bool,
}

impl Word {
    /// Hidden characters of the text are escaped.
    pub fn new(text: &str, style: Style) -> Self {
        Self { text: visible_line(text).into_owned(), style, glued: false }
    }

    /// Text of a prompt; if `visible`, hidden characters appear as `<U+202E>`.
    pub fn own(text: &str, style: Style, visible: bool) -> impl Iterator<Item = Self> {
        own_pieces(text, visible).map(move |(piece, is_escaped)| Self {
            text: piece.into_owned(),
            style: if is_escaped { ESCAPE } else { style },
            glued: false,
        })
    }

    pub fn in_theme(self, theme: Theme) -> Self {
        Self { style: theme.choose(self.style), ..self }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn glued(self) -> Self {
        Self { glued: true, ..self }
    }

    pub fn with(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    pub fn padded(mut self, columns: usize) -> Self {
        let blanks = columns.saturating_sub(self.width());
        self.text.extend(std::iter::repeat_n(' ', blanks));
        self
    }

    pub fn width(&self) -> usize {
        self.text.width()
    }

    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match self.style.is_plain() {
            true => out.write_all(self.text.as_bytes()),
            false => write!(out, "{self}"),
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.style.style(&self.text))
    }
}

/// Appends a punctuation mark to the last word.
pub fn punctuate(line: &mut [Word], mark: &str) {
    if let Some(last) = line.last_mut() {
        last.text.push_str(mark);
    }
}

pub fn words(text: &str, style: Style) -> impl Iterator<Item = Word> {
    text.split_ascii_whitespace().map(move |word| Word::new(word, style))
}

/// `a, b, and 3 more`: at most `most` names.
pub fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>, most: usize, style: Style) -> Vec<Word> {
    let all = names.len();
    let comma = |index| if index + 1 < all { "," } else { "" };
    let shown = names.take(most).enumerate().map(|(index, name)| Word::new(name, style).with(comma(index)));
    let mut line: Vec<Word> = shown.collect();
    if all > most {
        line.extend(words(&format!("and {} more", thousands(all - most)), style));
    }
    line
}

/// The width of words with a space between them.
pub fn width_of(words: &[Word]) -> usize {
    words.iter().map(Word::width).sum::<usize>() + words.len().saturating_sub(1)
}

pub struct Flow<'a> {
    pub lead: &'a str,
    pub lead_style: Style,
    pub hang: &'a str,
    pub between: &'a str,
    /// A longer word gets its own line, unbroken.
    pub width: usize,
}

impl<'a> Flow<'a> {
    /// Words separated by spaces, after a dim lead.
    pub fn plain(lead: &'a str, hang: &'a str, theme: Theme, width: usize) -> Self {
        Self { lead, lead_style: theme.dim(), hang, between: " ", width }
    }

    pub fn say(&self, sentence: &str, style: Style, out: &mut dyn io::Write) -> io::Result<()> {
        self.write(&words(sentence, style).collect::<Vec<_>>(), out)
    }

    pub fn write(&self, words: &[Word], out: &mut dyn io::Write) -> io::Result<()> {
        write!(out, "{}", self.lead_style.style(self.lead))?;
        let mut column = self.lead.width();
        // A file outside the tiers has an empty word for its tier.
        let words: Vec<&Word> = words.iter().filter(|word| !word.text.is_empty()).collect();
        for (index, word) in words.iter().enumerate() {
            let both = match words.get(index + 1) {
                Some(next) if word.glued => word.width() + self.between.width() + next.width(),
                _ => word.width(),
            };
            let needed = if self.hang.width() + both <= self.width { both } else { word.width() };
            if index > 0 && column + self.between.width() + needed > self.width {
                let style = if self.hang.trim().is_empty() { Style::new() } else { self.lead_style };
                write!(out, "\n{}", style.style(self.hang))?;
                column = self.hang.width();
            } else if index > 0 {
                write!(out, "{}", self.between)?;
                column += self.between.width();
            }
            word.write(out)?;
            column += word.width();
        }
        writeln!(out)
    }
}

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

pub struct Spread<'a> {
    pub lead: &'a str,
    pub fill: char,
    pub style: Style,
    pub width: usize,
}

impl Spread<'_> {
    /// Writes two lines if one is too short for both.
    pub fn write(&self, left: &Word, right: &Word, out: &mut dyn io::Write) -> io::Result<()> {
        let used = self.lead.width() + left.width() + right.width();
        write!(out, "{}", self.style.style(self.lead))?;
        left.write(out)?;
        // A space, at least one column of fill, and a space.
        if used + 3 <= self.width {
            let fill: String = std::iter::repeat_n(self.fill, self.width - used - 2).collect();
            write!(out, " {} ", self.style.style(fill))?;
        } else {
            write!(out, "\n{:1$}", "", self.width.saturating_sub(right.width()))?;
        }
        right.write(out)?;
        writeln!(out)
    }
}

/// `━━ left ━━━━ right`
pub fn heading(left: &str, right: &str, theme: Theme, width: usize, out: &mut dyn io::Write) -> io::Result<()> {
    let (left, right) = (Word::new(left, theme.strong()), Word::new(right, theme.dim()));
    Spread { lead: "━━ ", fill: '━', style: theme.dim(), width }.write(&left, &right, out)
}

/// Writes text of the prompt; if `visible`, hidden characters appear as `<U+202E>`.
pub fn own_text(text: &str, visible: bool, theme: Theme, out: &mut dyn io::Write) -> io::Result<()> {
    styled_text(text, Style::new(), visible, theme, out)
}

/// Writes a line of the prompt's text after `│ `.
pub fn margin_text(line: &str, margin: Style, visible: bool, theme: Theme, out: &mut dyn io::Write) -> io::Result<()> {
    write!(out, "{}{}", margin.style("│"), if line.is_empty() { "" } else { " " })?;
    own_text(line, visible, theme, out)?;
    writeln!(out)
}

/// [`own_text`] in a style.
pub fn styled_text(text: &str, style: Style, visible: bool, theme: Theme, out: &mut dyn io::Write) -> io::Result<()> {
    let style_of = |is_escaped| if is_escaped { theme.escape() } else { style };
    own_pieces(text, visible).try_for_each(|(piece, is_escaped)| write!(out, "{}", style_of(is_escaped).style(piece)))
}

/// The pieces of a text, each with whether it stands for a hidden character.
fn own_pieces(text: &str, visible: bool) -> impl Iterator<Item = (Cow<'_, str>, bool)> {
    let is_shown = move |c| visible && is_hidden(c);
    text.split_inclusive(is_shown).flat_map(move |piece| {
        let last = piece.chars().next_back().filter(|&last| is_shown(last));
        let seen = &piece[..piece.len() - last.map_or(0, char::len_utf8)];
        let seen = Some(seen).filter(|seen| !seen.is_empty()).map(|seen| (seen.into(), false));
        seen.into_iter().chain(last.map(|last| (escape(last).into(), true)))
    })
}

/// `newline`, `blank line`, `3 newlines`
pub fn newlines(number: usize) -> String {
    match number {
        1 => "newline".to_string(),
        2 => "blank line".to_string(),
        more => count(more, "newline"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_room_goes_to_the_next_line() {
        let spread = |width| {
            let mut out = Vec::new();
            let [left, right] = ["東京", "12 tokens"].map(|text| Word::new(text, Style::new()));
            Spread { lead: "┌ ", fill: '-', style: Style::new(), width }.write(&left, &right, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(spread(20), "┌ 東京 --- 12 tokens\n");
        assert_eq!(spread(18), "┌ 東京 - 12 tokens\n");
        assert_eq!(spread(17), "┌ 東京\n        12 tokens\n");
    }

    #[test]
    fn glued_words_stay_together_where_a_line_has_room() {
        let glued = |width| {
            let mut out = Vec::new();
            let mut line: Vec<_> = words("one two three", Style::new()).collect();
            line[1].glued = true;
            Flow { lead: "", lead_style: Style::new(), hang: "", between: " ", width }.write(&line, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(glued(10), "one\ntwo three\n");
        assert_eq!(glued(8), "one two\nthree\n");
    }

    #[test]
    fn words_wrap_and_long_ones_get_their_own_line() {
        let flow = Flow { lead: "└ ", lead_style: Style::new(), hang: "    ", between: " ", width: 20 };
        let mut out = Vec::new();
        flow.write(
            &words("one two three four a/very/long/path/that/is/whole:12 five", Style::new()).collect::<Vec<_>>(),
            &mut out,
        )
        .unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "└ one two three four\n    a/very/long/path/that/is/whole:12\n    five\n"
        );
    }
}
