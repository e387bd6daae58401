//! JSON with comments and trailing commas, read from text with origins.

use std::ops::Range;

use super::node::{Data, Map, Node};
use crate::read::limits;
use crate::text::{Cursor, Origin, Span, Traced};

/// Deeper settings are refused, because reading them is recursive.
const DEEPEST: usize = 100;

/// What is wrong, and where.
pub(super) type Wrong = (String, Option<Span>);

pub(super) fn parse(text: &Traced) -> Result<Node, Wrong> {
    let mut parser = Parser { text, cursor: Cursor::new(text.text(), 0), left: limits::JSON_VALUES };
    let node = parser.value(0)?;
    parser.skip_blanks()?;
    if parser.cursor.is_done() { Ok(node) } else { Err(parser.wrong("more text follows the value")) }
}

/// The origin of text that is computed from a text.
pub(super) fn computed(from: &Traced) -> Origin {
    let first = || from.segments().next().map_or(Origin::Protocol, |segment| segment.origin.clone());
    from.span().map_or_else(first, Origin::Derived)
}

struct Parser<'t> {
    text: &'t Traced,
    cursor: Cursor<'t>,
    /// How many more values and escapes there may be: each takes a hundred bytes.
    left: usize,
}

impl Parser<'_> {
    fn wrong(&self, what: &str) -> Wrong {
        let at = self.cursor.at();
        let next = self.cursor.peek().map_or(0, char::len_utf8);
        let before = self.text.text()[..at].char_indices().next_back().map_or(0, |(at, _)| at);
        let place = self.place(at..at + next).or_else(|| self.place(before..at));
        (what.to_string(), place)
    }

    fn place(&self, range: Range<usize>) -> Option<Span> {
        self.text.slice(range).span()
    }

    fn skip_blanks(&mut self) -> Result<(), Wrong> {
        loop {
            self.cursor.eat_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
            if self.cursor.eat("//") {
                self.cursor.eat_while(|c| !matches!(c, '\n' | '\r'));
            } else if !self.cursor.eat("/*") {
                return Ok(());
            } else if !self.cursor.skip_past("*/") {
                return Err(self.wrong("a comment is not closed"));
            }
        }
    }

    fn take(&mut self) -> Result<(), Wrong> {
        self.left = self.left.checked_sub(1).ok_or_else(|| self.wrong("it has too many values and escapes"))?;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Node, Wrong> {
        self.skip_blanks()?;
        self.take()?;
        let start = self.cursor.at();
        let data = match self.cursor.peek() {
            Some('{' | '[') if depth == DEEPEST => return Err(self.wrong("it nests too deep")),
            Some('{') => Data::Map(self.entries(depth + 1)?),
            Some('[') => Data::List(self.items(depth + 1)?),
            Some('"') => Data::Text(self.string()?),
            _ => self.word()?,
        };
        let end = match data {
            Data::Map(_) | Data::List(_) => start + 1,
            _ => self.cursor.at(),
        };
        Ok(Node { data, place: self.place(start..end) })
    }

    fn word(&mut self) -> Result<Data, Wrong> {
        let words = [("true", Data::Bool(true)), ("false", Data::Bool(false)), ("null", Data::Null)];
        let start = self.cursor.clone();
        let word = self.cursor.eat_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.'));
        let known = words.into_iter().find(|(known, _)| *known == word).map(|(_, data)| data);
        let number = || serde_json::from_str(word).ok().map(Data::Number);
        known.or_else(number).ok_or_else(|| {
            self.cursor = start;
            self.wrong("a value is missing or not valid JSON")
        })
    }

    fn items(&mut self, depth: usize) -> Result<Vec<Node>, Wrong> {
        let mut items = Vec::new();
        self.list(']', |parser| {
            items.push(parser.value(depth)?);
            Ok(())
        })?;
        Ok(items)
    }

    fn entries(&mut self, depth: usize) -> Result<Map, Wrong> {
        let mut entries = Map::new();
        self.list('}', |parser| {
            if parser.cursor.peek() != Some('"') {
                return Err(parser.wrong("a key is missing"));
            }
            let key = parser.string()?.text().to_string();
            parser.skip_blanks()?;
            if !parser.cursor.eat(":") {
                return Err(parser.wrong("a colon is missing"));
            }
            entries.insert(key, parser.value(depth)?);
            Ok(())
        })?;
        Ok(entries)
    }

    /// What stands between brackets, with commas, the last of which may end it.
    fn list(&mut self, closing: char, mut item: impl FnMut(&mut Self) -> Result<(), Wrong>) -> Result<(), Wrong> {
        self.cursor.bump();
        loop {
            self.skip_blanks()?;
            if self.cursor.peek() == Some(closing) {
                break;
            }
            item(self)?;
            self.skip_blanks()?;
            if !self.cursor.eat(",") && self.cursor.peek() != Some(closing) {
                return Err(self.wrong(&format!("`,` or `{closing}` is missing")));
            }
        }
        self.cursor.bump();
        Ok(())
    }

    fn string(&mut self) -> Result<Traced, Wrong> {
        self.cursor.bump();
        let mut out = Traced::new();
        loop {
            let start = self.cursor.at();
            self.cursor.eat_while(|c| c >= ' ' && !matches!(c, '"' | '\\'));
            out.push_range(self.text, start..self.cursor.at());
            let start = self.cursor.at();
            match self.cursor.peek() {
                Some('"') => {
                    self.cursor.bump();
                    return Ok(out);
                }
                Some('\\') => {
                    self.take()?;
                    let decoded = self.escape()?.to_string();
                    out.push_str(&decoded, self.origin(start..self.cursor.at(), &decoded));
                }
                _ => return Err(self.wrong("a text is not closed")),
            }
        }
    }

    /// The origin of a decoded escape. One that stands for a character of another file is that character.
    fn origin(&self, range: Range<usize>, decoded: &str) -> Origin {
        let written = self.text.slice(range);
        match written.span() {
            Some(span) if span.text() == decoded => Origin::File(span),
            _ => computed(&written),
        }
    }

    fn escape(&mut self) -> Result<char, Wrong> {
        self.cursor.bump();
        Ok(match self.cursor.bump() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => self.unicode()?,
            _ => return Err(self.wrong("an escape is not valid")),
        })
    }

    /// The character of `\uXXXX` or of a pair of them; U+FFFD for half a pair.
    fn unicode(&mut self) -> Result<char, Wrong> {
        let unit = self.unit().ok_or_else(|| self.wrong("an escape is not valid"))?;
        let after = self.cursor.clone();
        let low = if matches!(unit, 0xd800..0xdc00) && self.cursor.eat("\\u") { self.unit() } else { None };
        let pair = low.map(|low| [unit, low]).and_then(|pair| char::decode_utf16(pair).next()?.ok());
        Ok(pair.unwrap_or_else(|| {
            self.cursor = after;
            char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER)
        }))
    }

    fn unit(&mut self) -> Option<u16> {
        let digits = self.cursor.take(4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        u16::from_str_radix(digits, 16).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Source;

    fn file(text: &str) -> Traced {
        Traced::raw(&Source::read_raw(None, "settings".into(), "/x.json", text.as_bytes()).whole())
    }

    fn text(json: &str) -> Traced {
        parse(&file(json)).unwrap().text("a").unwrap().clone()
    }

    #[test]
    fn comments_and_trailing_commas_are_allowed() {
        let node = parse(&file("// x\n{\"a\": [1, true, /* y */ null,], \"b\": {}, \"a\": \"c\",}\n")).unwrap();
        assert_eq!(node.as_map().unwrap().keys().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(node.text("a").unwrap().text(), "c");
    }

    #[test]
    fn errors_have_a_place() {
        for (json, column) in [
            ("{", 1),
            ("{\"a\": 1 \"b\": 2}", 9),
            ("{\"a\" 1}", 6),
            ("{\"a\": \"x\n\"}", 9),
            ("{\"a\": nul}", 7),
            ("{} x", 4),
            ("{,}", 2),
            ("/* x", 4),
            ("{\"a\": 01}", 7),
        ] {
            let (_, place) = parse(&file(json)).unwrap_err();
            assert_eq!(place.unwrap().place().position.column, column, "{json}");
        }
        assert!(parse(&file(&"[".repeat(100_000))).is_err());
    }

    #[test]
    fn text_keeps_its_origin() {
        let text = text(r#"{"a": "say \"hi\" \ud83d\ude00 \ud83d"}"#);
        let segments = text.segments().map(|segment| (segment.text, matches!(segment.origin, Origin::File(_))));
        let expected = [
            ("say ", true),
            ("\"", false),
            ("hi", true),
            ("\"", false),
            (" ", true),
            ("😀", false),
            (" ", true),
            ("\u{fffd}", false),
        ];
        assert_eq!(segments.collect::<Vec<_>>(), expected);
    }

    proptest! {
        #[test]
        fn json_reads_as_serde_reads_it(text in any::<String>()) {
            let json = serde_json::json!({ "a": text }).to_string();
            let node = parse(&file(&json)).unwrap();
            prop_assert_eq!(node.text("a").unwrap().text(), text);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[\\[\\]{}\",:/*\\\\ua1dé \n-]{0,40}") {
            let _ = parse(&file(&text));
        }
    }
}
