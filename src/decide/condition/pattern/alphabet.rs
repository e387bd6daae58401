use std::sync::LazyLock;

use regex::Regex;

use super::flags::Flags;
use crate::text::constant_pattern;

/// The characters of the searched text, which decide how classes are written: Unicode tables are only compiled for text
/// that needs them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alphabet<'t> {
    text: &'t str,
    ascii: bool,
}

impl<'t> Alphabet<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, ascii: text.is_ascii() }
    }

    pub(super) fn is_ascii(self) -> bool {
        self.ascii
    }

    /// `\d`, `\w`, `\s` and their opposites as a bracketed class.
    ///
    /// For ASCII text, the opposites list their characters, so ignoring case cannot add those they exclude.
    pub(super) fn category(self, letter: char, flags: Flags) -> &'static str {
        match (letter, self.ascii, flags.ascii) {
            ('d', true, _) | ('d', _, true) => "[0-9]",
            ('D', true, _) => r"[\x00-/:-\x7F]",
            ('D', _, true) => "[^0-9]",
            ('d', ..) => r"[\p{Nd}]",
            ('D', ..) => r"[^\p{Nd}]",
            ('w', true, _) | ('w', _, true) => "[0-9A-Za-z_]",
            ('W', true, _) => r"[\x00-/:-@\[-\^`\{-\x7F]",
            ('W', _, true) => "[^0-9A-Za-z_]",
            ('w', ..) => r"[\p{L}\p{N}_]",
            // U+0345 is the only character outside `\w` that equals a letter, iota, when case is ignored.
            ('W', ..) if flags.ignore_case => r"[^\p{L}\p{N}_\x{345}]",
            ('W', ..) => r"[^\p{L}\p{N}_]",
            ('s', true, false) => r"[\t-\r\x1C-\x20]",
            ('S', true, false) => r"[\x00-\x08\x0E-\x1B!-\x7F]",
            ('s', _, true) => r"[\t-\r\x20]",
            ('S', _, true) => r"[^\t-\r\x20]",
            ('s', ..) => r"[\s\x1C-\x1F]",
            _ => r"[^\s\x1C-\x1F]",
        }
    }

    pub(super) fn boundary(self, not: bool, flags: Flags) -> String {
        if self.text.is_empty() {
            return NOTHING.to_string();
        }
        if self.ascii || (!flags.ascii && !self.has_odd_words()) {
            return if not { r"\B" } else { r"\b" }.to_string();
        }
        let word = self.category('w', flags);
        if not {
            format!("(?:(?<={word})(?={word})|(?<!{word})(?!{word}))")
        } else {
            format!("(?:(?<={word})(?!{word})|(?<!{word})(?={word}))")
        }
    }

    /// Whether the text has characters on which Python and the library disagree: combining marks, for example, belong
    /// to words in the library but not in Python.
    fn has_odd_words(self) -> bool {
        static ODD: LazyLock<Regex> =
            // The pattern is constant, and a test compiles it.
            LazyLock::new(|| constant_pattern(r"[\w~~[\p{L}\p{N}_]]"));
        ODD.is_match(self.text)
    }
}

pub(super) const NOTHING: &str = r"[^\s\S]";

pub(super) const ANYTHING: &str = r"[\s\S]";
