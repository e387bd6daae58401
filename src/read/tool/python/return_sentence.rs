//! The sentence of the released package that asks for the outputs, read as data.

use std::sync::Arc;

use super::skip_blank;
use super::string::skip_string;
use crate::text::{Cursor, Origin, Source, Traced};

#[derive(Debug, Clone, PartialEq)]
pub struct ReturnSentence {
    pub before: Traced,
    pub after: Traced,
}

const CALL: &str = "parts.append(";
const FIELDS: &str = "field_lines";

/// The string literals of the call of `parts.append` that hold `{field_lines}`; `None` for any other shape.
pub fn return_sentence(source: &Arc<Source>) -> Option<ReturnSentence> {
    let text = source.text();
    let (mut end, mut done) = (0, 0);
    for line in text.split_inclusive('\n') {
        let start = end + line.len() - line.trim_start().len();
        end += line.len();
        // Continuing behind a call of another shape keeps the work linear.
        if start < done || !text[start..].starts_with(CALL) {
            continue;
        }
        let mut cursor = Cursor::new(text, start + CALL.len());
        if let Some(sentence) = read(source, &mut cursor) {
            return Some(sentence);
        }
        done = cursor.at();
    }
    None
}

/// Reads adjacent literals up to the closing bracket.
fn read(source: &Arc<Source>, cursor: &mut Cursor<'_>) -> Option<ReturnSentence> {
    let mut reader = LiteralReader { source, before: None, text: Traced::new() };
    loop {
        skip_blank(cursor, true);
        if cursor.eat(")") {
            return Some(ReturnSentence { before: reader.before?, after: reader.text });
        }
        let is_formatted = cursor.eat("f");
        let (open, rest) = (cursor.at(), cursor.rest());
        let is_single = rest.starts_with(['"', '\'']) && !rest.starts_with("\"\"\"") && !rest.starts_with("'''");
        if !is_single {
            return None;
        }
        skip_string(cursor).ok()?;
        reader.literal(open + 1..cursor.at() - 1, is_formatted)?;
        skip_blank(cursor, true);
        cursor.eat(",");
    }
}

struct LiteralReader<'a> {
    source: &'a Arc<Source>,
    /// The text before the fields, once they were found.
    before: Option<Traced>,
    text: Traced,
}

impl LiteralReader<'_> {
    fn literal(&mut self, range: std::ops::Range<usize>, is_formatted: bool) -> Option<()> {
        let mut at = range.start;
        while at < range.end {
            let rest = &self.source.text()[at..range.end];
            let plain = rest.find(|c| c == '\\' || is_formatted && matches!(c, '{' | '}')).unwrap_or(rest.len());
            self.text.push_file(&self.source.span(at..at + plain));
            at += plain;
            let rest = &rest[plain..];
            if rest.is_empty() {
                break;
            }
            let (length, value) = match rest.as_bytes() {
                [b'\\', b'n', ..] => (2, "\n"),
                [b'\\', b't', ..] => (2, "\t"),
                [b'\\', b'\\' | b'"' | b'\'', ..] => (2, &rest[1..2]),
                [b'{', b'{', ..] | [b'}', b'}', ..] => (2, &rest[..1]),
                _ => (self.fields(rest)?, ""),
            };
            self.text.push_str(value, Origin::Derived(self.source.span(at..at + length)));
            at += length;
        }
        Some(())
    }

    /// The length of `{field_lines}`, which may occur once.
    fn fields(&mut self, rest: &str) -> Option<usize> {
        let is_fields = rest.strip_prefix('{')?.strip_prefix(FIELDS)?.starts_with('}');
        if !is_fields || self.before.is_some() {
            return None;
        }
        self.before = Some(std::mem::take(&mut self.text));
        Some(FIELDS.len() + 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::testing::source;

    fn read(text: &str) -> Option<(String, String)> {
        let sentence = return_sentence(&source("system:a", "thread.py", text))?;
        Some((sentence.before.text().to_string(), sentence.after.text().to_string()))
    }

    #[test]
    fn adjacent_literals_are_one_sentence() {
        let text = "parts.append(name)\nparts.append(\n  'When {x} is \\'done\\', ' # why\n  \"call:\\n\"\n\
                    f\"{{{field_lines}\\n}}\\n\"\n  'Else stop.',\n)\n";
        let expected = ("When {x} is 'done', call:\n{".to_string(), "\n}\nElse stop.".to_string());
        assert_eq!(read(text), Some(expected));
    }

    #[test]
    fn verbatim_text_is_in_the_file() {
        let sentence = return_sentence(&source("system:a", "t.py", "parts.append(f'a\\nb {field_lines}')")).unwrap();
        let origins: Vec<_> = sentence
            .before
            .segments()
            .map(|segment| (segment.text, matches!(segment.origin, Origin::File(_))))
            .collect();
        assert_eq!(origins, [("a", true), ("\n", false), ("b ", true)]);
    }

    #[test]
    fn calls_of_another_shape_are_read_once() {
        let last = "\nparts.append(f'{field_lines}')";
        for repeated in ["#parts.append(f'{field_lines} x')\n", "parts.append(\n#\n", "parts.append('a' '\n"] {
            assert_eq!(read(&(repeated.repeat(100_000) + last)), Some((String::new(), String::new())));
        }
    }

    #[test]
    fn other_shapes_are_not_guessed() {
        for text in [
            "",
            "parts.append('{field_lines}')",
            "parts.append(f'{field_lines} {other}')",
            "parts.append(f'{field_lines}' + x)",
            "parts.append(f'{field_lines}{field_lines}')",
            "parts.append(f'{field_lines}\\x41')",
            "parts.append(rf'{field_lines}')",
            "parts.append(f'''{field_lines}''')",
            "parts.append(f'{field_lines}'",
            "other.append(f'{field_lines}')",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
