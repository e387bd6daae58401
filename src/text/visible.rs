//! Shows characters that would otherwise control a terminal.

use std::borrow::Cow;
use std::io;

/// Whether a character could move the cursor, change colours, reverse the direction of text or hide: C0 and C1 (except
/// line feed and tab), DEL, directional marks, embeddings and isolates, the two separators that break a line on some
/// terminals, the byte order mark, and the tag characters, which are invisible copies of ASCII characters.
pub fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

pub fn escape(c: char) -> String {
    format!("<U+{:04X}>", u32::from(c))
}

/// JSON's escape: `\u202e`.
fn escape_json(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// Shows hidden characters as `<U+202E>`; line feeds and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    replace(text, is_hidden, escape)
}

/// Like [`visible`], but shows line feeds and tabs too.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    replace(text, |c| is_hidden(c) || c == '\n' || c == '\t', escape)
}

/// Shows line feeds in part of a line, where the rest would otherwise look like a separate line.
pub fn one_line(text: &str) -> Cow<'_, str> {
    replace(text, |c| c == '\n', escape)
}

/// The characters that a reader sees: neither white space nor hidden.
pub fn seen<'a>(lines: &'a [&str]) -> impl Iterator<Item = char> + 'a {
    lines.iter().flat_map(|line| line.chars()).filter(|&c| !c.is_whitespace() && !is_hidden(c))
}

/// Whether a terminal shows each byte as a character in a column of its own: printable ASCII.
pub fn is_plain(text: &str) -> bool {
    // No early end: whole blocks of bytes are compared at once.
    text.bytes().fold(true, |plain, byte| plain & (b' '..=b'~').contains(&byte))
}

fn replace(text: &str, hidden: impl Fn(char) -> bool, shown: impl Fn(char) -> String) -> Cow<'_, str> {
    if is_plain(text) || !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) {
            out.push_str(&shown(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// A writer that applies [`visible`], used for all output to a terminal. A character may be split across writes.
pub struct VisibleWriter<W> {
    inner: W,
    shown: fn(char) -> String,
    /// The first bytes of an incomplete character.
    pending: Vec<u8>,
}

impl<W: io::Write> VisibleWriter<W> {
    pub fn new(inner: W) -> Self {
        Self { inner, shown: escape, pending: Vec::new() }
    }

    /// Uses JSON's escapes, so that output copied from a terminal parses to the same text.
    pub fn json(inner: W) -> Self {
        Self { inner, shown: escape_json, pending: Vec::new() }
    }
}

impl<W: io::Write> io::Write for VisibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let joined;
        let text = if self.pending.is_empty() {
            bytes
        } else {
            joined = [self.pending.as_slice(), bytes].concat();
            self.pending.clear();
            &joined
        };
        for chunk in text.utf8_chunks() {
            self.inner.write_all(replace(chunk.valid(), is_hidden, self.shown).as_bytes())?;
            let invalid = chunk.invalid();
            let at_end = invalid.as_ptr_range().end == text.as_ptr_range().end;
            match std::str::from_utf8(invalid) {
                Err(error) if at_end && error.error_len().is_none() => self.pending = invalid.to_vec(),
                Err(_) => self.inner.write_all("\u{fffd}".as_bytes())?,
                Ok(_) => {}
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn control_characters_are_shown_and_the_rest_stays() {
        assert!(matches!(visible("a\tb\né 😀\u{200d}"), Cow::Borrowed(_)));
        assert_eq!(visible("\u{1b}[31m\u{202e}x\u{2069}\r"), "<U+001B>[31m<U+202E>x<U+2069><U+000D>");
        assert_eq!(
            visible("\u{feff}\u{85}\u{7f}\u{61c}\u{200f}\u{e0041}"),
            "<U+FEFF><U+0085><U+007F><U+061C><U+200F><U+E0041>"
        );
        assert_eq!(visible_line("a\nb\tc"), "a<U+000A>b<U+0009>c");
    }

    #[test]
    fn invalid_bytes_do_not_reach_the_terminal() {
        let mut out = Vec::new();
        VisibleWriter::new(&mut out).write_all(b"a\xff\x9bb").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\u{fffd}\u{fffd}b");
    }

    proptest! {
        #[test]
        fn no_hidden_character_remains(text in any::<String>()) {
            prop_assert!(!visible(&text).contains(is_hidden));
        }

        #[test]
        fn writing_in_parts_changes_nothing(text in "([a-c\u{1b}]|é|\u{202e}|😀){0,20}", step in 1usize..7) {
            let mut out = Vec::new();
            let mut writer = VisibleWriter::new(&mut out);
            for part in text.as_bytes().chunks(step) {
                writer.write_all(part).unwrap();
            }
            prop_assert_eq!(String::from_utf8(out).unwrap(), visible(&text));
        }
    }
}
