use std::sync::LazyLock;

use regex::Regex;

use super::flags::Flags;

/// The characters that the searched text is made of, which decides how classes are best written: the tables of Unicode
/// are compiled only for text that needs them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alphabet<'t> {
    text: &'t str,
    ascii: bool,
}

impl<'t> Alphabet<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, ascii: text.is_ascii() }
    }

    /// Whether every character of the text is ASCII.
    pub(super) fn is_ascii(self) -> bool {
        self.ascii
    }

    /// `\d`, `\w`, `\s` and their opposites as a class in brackets.
    ///
    /// The opposites of ASCII text name its characters, so that ignoring case adds none of those they leave out.
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
            // U+0345 is the one character outside `\w` that is equal to a letter, iota, when case does not count.
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

    /// `\b`, or `\B` if `not`.
    pub(super) fn boundary(self, not: bool, flags: Flags) -> String {
        if self.text.is_empty() {
            // Neither holds in an empty text.
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

    /// Whether the text holds a character that the library and Python do not agree about: combining marks, for one, are
    /// part of a word there and not here.
    fn has_odd_words(self) -> bool {
        static ODD: LazyLock<Regex> =
            // The pattern is fixed, and a test compiles it.
            LazyLock::new(|| Regex::new(r"[\w~~[\p{L}\p{N}_]]").expect("a constant pattern that a test compiles"));
        ODD.is_match(self.text)
    }
}

/// A class that no character belongs to.
pub(super) const NOTHING: &str = r"[^\s\S]";

/// A class that every character belongs to.
pub(super) const ANYTHING: &str = r"[\s\S]";
