//! White space in ECMAScript, which unlike Rust's includes U+FEFF and excludes U+0085.

use std::borrow::Cow;
use std::ops::Range;

use crate::text::{Span, Traced};

pub fn is(c: char) -> bool {
    c == '\u{feff}' || (c != '\u{85}' && c.is_whitespace())
}

pub fn trim(text: &str) -> &str {
    text.trim_matches(is)
}

/// Where a text without white space at its ends stands.
pub fn trim_range(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start_matches(is).len();
    start..start + trim(text).len()
}

/// [`trim`] with origins.
pub fn trimmed(text: &Traced) -> Traced {
    text.slice(trim_range(text.text()))
}

/// [`trim`], of a part of a file.
pub fn trim_span(span: &Span) -> Span {
    span.slice(trim_range(span.text()))
}

/// Collapses every run of white space to a space, and trims both ends.
pub fn one_line(text: &str) -> Cow<'_, str> {
    let words = || text.split(is).filter(|word| !word.is_empty());
    let length = words().map(|word| word.len() + 1).sum::<usize>().saturating_sub(1);
    // If the length is the same and all white space is spaces, the text is already one line.
    if length == text.len() && !text.contains(|c| is(c) && c != ' ') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(words().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_matches_ecmascript() {
        let all: String = ('\0'..=char::MAX).filter(|&c| is(c)).collect();
        let en_to_hair = ('\u{2000}'..='\u{200a}').collect::<String>();
        assert_eq!(
            all,
            format!("\t\n\u{b}\u{c}\r \u{a0}\u{1680}{en_to_hair}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}")
        );
    }

    #[test]
    fn runs_of_white_space_become_one_space() {
        assert_eq!(one_line("  Ships the\nbuild \n\n to   staging "), "Ships the build to staging");
        assert!(matches!(one_line("a b"), Cow::Borrowed("a b")));
        assert_eq!((one_line("a\tb"), one_line("\u{feff}"), one_line("")), ("a b".into(), "".into(), "".into()));
        assert_eq!(one_line("a\u{85}b\u{200b}c"), "a\u{85}b\u{200b}c");
        assert_eq!(trim("\u{feff} a\u{a0}"), "a");
        assert_eq!((trim_range(" a b "), trim_range("  ")), (1..4, 2..2));
    }
}
