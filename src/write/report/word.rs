use std::borrow::Cow;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use crate::text::visible::{escape, is_hidden, is_plain, visible_line};
use crate::write::theme::ESCAPE;

/// A unit that is never broken: a word, a path, a phrase.
#[derive(Debug, Clone)]
pub struct Word {
    pub text: String,
    pub style: Style,
    /// Whether to keep the next word on the same line.
    pub is_glued: bool,
}

impl Word {
    /// Hidden characters of the text are escaped.
    pub fn new(style: Style, text: &str) -> Self {
        Self { text: visible_line(text).into_owned(), style, is_glued: false }
    }

    /// Text of a prompt, as [`prompt_pieces`].
    pub fn of_prompt(style: Style, text: &str, visible: bool) -> impl Iterator<Item = Self> {
        prompt_pieces(style, text, visible).map(|(style, piece)| Self { text: piece.into(), style, is_glued: false })
    }

    pub fn width(&self) -> usize {
        if is_plain(&self.text) { self.text.len() } else { self.text.width() }
    }
}

/// The pieces of a prompt's text. Hidden characters stay unless `visible`: then they appear as `<U+202E>`, in a style of
/// their own.
pub fn prompt_pieces(style: Style, text: &str, visible: bool) -> impl Iterator<Item = (Style, Cow<'_, str>)> {
    let is_shown = move |c| visible && is_hidden(c);
    text.split_inclusive(is_shown).flat_map(move |piece| {
        let last = piece.chars().next_back().filter(|&last| is_shown(last));
        let seen = &piece[..piece.len() - last.map_or(0, char::len_utf8)];
        let seen = Some(seen).filter(|seen| !seen.is_empty()).map(|seen| (style, seen.into()));
        seen.into_iter().chain(last.map(|last| (ESCAPE, escape(last).into())))
    })
}
