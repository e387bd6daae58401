//! Texts as ECMAScript counts and cuts them: in UTF-16 units.

use crate::text::{Origin, Traced};

/// The start of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Start {
    /// In bytes.
    pub end: usize,
    /// Whether the first half of the next character belongs to it. It is sent as U+FFFD.
    pub has_half: bool,
}

impl Start {
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

pub(super) fn length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Source;

    /// As Node answers for `Buffer.from(text.slice(0, most)).toString()`.
    #[test]
    fn half_a_character_is_replaced() {
        let text = "aé😀b";
        let traced = Traced::file(&Source::read_raw(None, "cwd".into(), "/x", text.as_bytes()).whole());
        for (most, expected) in
            [(0, ""), (1, "a"), (2, "aé"), (3, "aé\u{fffd}"), (4, "aé😀"), (5, "aé😀b"), (6, "aé😀b")]
        {
            assert_eq!(Start::of(text, most).take(&traced).text(), expected, "{most}");
        }
        let cut = Start::of(text, 3).take(&traced);
        let half = cut.segments().last().unwrap();
        assert!(matches!(half.origin, Origin::Derived(span) if span.text() == "😀"));
        assert_eq!(length(text), 5);
    }
}
