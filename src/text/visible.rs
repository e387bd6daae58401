//! Characters that act on a terminal instead of being seen there, in a form that can be seen.

use std::borrow::Cow;
use std::io;

/// Whether a character could move the cursor, change colours, reverse the direction of text or hide: C0 and C1 (line
/// feed and tab aside), DEL, the marks, embeddings and isolates of direction, the two separators that break a line
/// on some terminals, the byte order mark, and the tag characters, which copy ASCII invisibly.
pub fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

/// The form in which a hidden character is shown: `<U+202E>`.
pub fn escape(c: char) -> String {
    format!("<U+{:04X}>", u32::from(c))
}

/// The form that JSON has for it: `\u202e`.
fn escape_json(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// Text with every hidden character shown as `<U+202E>`; line feeds and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    replace(text, is_hidden, escape)
}

/// [`visible`] for what must stay on one line: line feeds and tabs are shown too.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    replace(text, |c| is_hidden(c) || c == '\n' || c == '\t', escape)
}

/// A name or a sentence as part of a line: a line feed in it is shown, or what follows would pass for a line of its own.
pub fn one_line(text: &str) -> Cow<'_, str> {
    replace(text, |c| c == '\n', escape)
}

/// The characters of lines that a reader sees: neither blanks nor what is hidden.
pub fn seen<'a>(lines: &'a [&str]) -> impl Iterator<Item = char> + 'a {
    lines.iter().flat_map(|line| line.chars()).filter(|&c| !c.is_whitespace() && !is_hidden(c))
}

fn replace(text: &str, hidden: impl Fn(char) -> bool, shown: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(&hidden) {
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

/// A writer that makes what passes through it [`visible`]: what every format goes through on its way to a terminal.
///
/// A character may arrive in parts, over several writes.
pub struct VisibleWriter<W> {
    inner: W,
    /// How a hidden character is shown.
    shown: fn(char) -> String,
    /// The first bytes of a character whose rest is still to come.
    pending: Vec<u8>,
}

impl<W: io::Write> VisibleWriter<W> {
    /// Passes everything on to `inner`.
    pub fn new(inner: W) -> Self {
        Self { inner, shown: escape, pending: Vec::new() }
    }

    /// Likewise for JSON, whose own escapes say the same: what is copied from a terminal still reads as it was.
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
    fn what_acts_is_shown_and_the_rest_stays() {
        assert!(matches!(visible("a\tb\né 😀\u{200d}"), Cow::Borrowed(_)));
        assert_eq!(visible("\u{1b}[31m\u{202e}x\u{2069}\r"), "<U+001B>[31m<U+202E>x<U+2069><U+000D>");
        assert_eq!(
            visible("\u{feff}\u{85}\u{7f}\u{61c}\u{200f}\u{e0041}"),
            "<U+FEFF><U+0085><U+007F><U+061C><U+200F><U+E0041>"
        );
        assert_eq!(visible_line("a\nb\tc"), "a<U+000A>b<U+0009>c");
    }

    #[test]
    fn bytes_that_are_no_text_do_not_reach_the_terminal() {
        let mut out = Vec::new();
        VisibleWriter::new(&mut out).write_all(b"a\xff\x9bb").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\u{fffd}\u{fffd}b");
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left(text in any::<String>()) {
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
