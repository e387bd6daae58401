//! Python's `str` methods that the documented system uses.

use super::constant_pattern;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Python's `str.isspace()`: Unicode white space and U+001C to U+001F.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// `str.strip()`.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

pub fn trim_range(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start_matches(is_blank).len();
    start..start + trim(text).len()
}

/// The length of the leading word characters.
pub fn word(text: &str) -> usize {
    super::prefix_length(text, is_word)
}

/// `\w` of Python's `re`: letters, numbers and the underscore, but no combining marks.
pub fn is_word(c: char) -> bool {
    // Compiling the Unicode tables is only needed for text beyond ASCII.
    static WORD: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"^[\p{L}\p{N}_]$"));
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    WORD.is_match(c.encode_utf8(&mut [0; 4]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_follows_python() {
        assert_eq!(trim("\u{1c}\u{a0}\u{3000} x\u{200b}\u{feff} \u{85}\n"), "x\u{200b}\u{feff}");
    }

    #[test]
    fn words_follow_python() {
        let words: String = "aZ9_é½Ⅷ東-\u{301}\u{93e}\u{200b}".chars().filter(|&c| is_word(c)).collect();
        assert_eq!(words, "aZ9_é½Ⅷ東");
    }
}
