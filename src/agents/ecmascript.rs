//! Texts as ECMAScript sees them: white space, the order of names, and lengths in UTF-16 units.

use std::borrow::Cow;
use std::ops::Range;

use icu_collator::CollatorBorrowed;
use icu_collator::options::CollatorOptions;

use crate::text::{Origin, Span, Traced};

/// Unlike in Rust, U+FEFF is white space, and U+0085 is not.
pub fn is_white_space(c: char) -> bool {
    c == '\u{feff}' || (c != '\u{85}' && c.is_whitespace())
}

pub fn trim(text: &str) -> &str {
    text.trim_matches(is_white_space)
}

/// Where a text without white space at its ends stands.
pub fn trim_range(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start_matches(is_white_space).len();
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
    let words = || text.split(is_white_space).filter(|word| !word.is_empty());
    let length = words().map(|word| word.len() + 1).sum::<usize>().saturating_sub(1);
    // If the length is the same and all white space is spaces, the text is already one line.
    if length == text.len() && !text.contains(|c| is_white_space(c) && c != ' ') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(words().collect::<Vec<_>>().join(" "))
}

/// Sorts by name; items with equal names keep their order.
pub fn sort_by_name<T>(items: &mut [T], name: impl Fn(&T) -> &str) {
    let collator = CollatorBorrowed::new_root(CollatorOptions::default());
    items.sort_by(|a, b| collator.compare(name(a), name(b)));
}

/// The start of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextStart {
    /// In bytes.
    pub end: usize,
    /// Whether the first half of the next character belongs to it. It is sent as U+FFFD.
    pub has_half: bool,
}

impl TextStart {
    pub fn of(text: &str, most: usize) -> Self {
        let mut units = 0;
        for (at, c) in text.char_indices() {
            units += c.len_utf16();
            if units > most {
                return Self { end: at, has_half: units - most < c.len_utf16() };
            }
        }
        Self { end: text.len(), has_half: false }
    }

    pub fn take(self, text: &Traced) -> Traced {
        let mut start = text.slice(0..self.end);
        if let Some(half) = text.slice(self.end..text.len()).segments().next().filter(|_| self.has_half) {
            let origin = match half.origin {
                Origin::File(span) => Origin::Derived(span.slice(0..char::MAX.len_utf8())),
                origin => origin.clone(),
            };
            start.push_str("\u{fffd}", origin);
        }
        start
    }
}

/// In UTF-16 units.
pub fn length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_matches_ecmascript() {
        let all: String = ('\0'..=char::MAX).filter(|&c| is_white_space(c)).collect();
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

    #[test]
    fn names_are_compared_without_case_and_accents_first() {
        let sorted = [
            "a b", "_x", "-y", "1", "10", "2", "a", "A", "á", "ab", "Ab", "a-b", "b", "resume", "Resume", "résumé", "z",
        ];
        let expected = [
            "_x", "-y", "1", "10", "2", "a", "A", "á", "a b", "a-b", "ab", "Ab", "b", "resume", "Resume", "résumé", "z",
        ];
        let mut names = sorted.map(str::to_string);
        names.reverse();
        sort_by_name(&mut names, |name| name);
        assert_eq!(names, expected);
    }

    use crate::text::Source;

    /// As Node answers for `Buffer.from(text.slice(0, most)).toString()`.
    #[test]
    fn half_a_character_is_replaced() {
        let text = "aé😀b";
        let traced = Traced::file(&Source::read_raw(None, "cwd".into(), "/x", text.as_bytes()).whole());
        for (most, expected) in
            [(0, ""), (1, "a"), (2, "aé"), (3, "aé\u{fffd}"), (4, "aé😀"), (5, "aé😀b"), (6, "aé😀b")]
        {
            assert_eq!(TextStart::of(text, most).take(&traced).text(), expected, "{most}");
        }
        let cut = TextStart::of(text, 3).take(&traced);
        let half = cut.segments().last().unwrap();
        assert!(matches!(half.origin, Origin::Derived(span) if span.text() == "😀"));
        assert_eq!(length(text), 5);
    }
}
