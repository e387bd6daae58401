use std::ops::Range;

use num_bigint::BigInt;

use super::super::Literal;
use super::imports::Names;
use super::string::{string, string_ahead};
use super::{is_space, skip_blank};
use crate::read::limits;
use crate::read::value::{Map, Value};
use crate::text::Cursor;

const EXPRESSION: &str = "an expression";
const NAME: &str = "a name or a call";

/// Reads what `ast.literal_eval` accepts and JSON can express. Tuples become lists. Sets, bytes, complex numbers,
/// `...`, half of a surrogate pair, and keys other than text and numbers are refused: no request could carry them.
pub(super) struct PythonLiteralReader<'a> {
    cursor: Cursor<'a>,
    /// The number of open brackets, in which newlines and comments count as white space.
    depth: usize,
    /// Resolves names; if `None`, names are refused.
    names: Option<Names<'a>>,
}

impl<'a> PythonLiteralReader<'a> {
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { cursor: Cursor::new(text, at), depth: 0, names: None }
    }

    pub fn with_names(text: &'a str, at: usize, names: Names<'a>) -> Self {
        Self { names: Some(names), ..Self::new(text, at) }
    }

    pub fn at(&self) -> usize {
        self.cursor.at()
    }

    /// Reads the literal that forms the rest of the statement, and its byte range.
    pub fn value(&mut self) -> Literal<(Value, Range<usize>)> {
        self.skip_blank();
        let start = self.at();
        let value = self.item()?;
        // The search for an adjacent string skips the white space after a literal.
        let written = self.cursor.since(start).trim_end_matches(|c| is_space(c) || c == '\\' || c == '\n');
        let end = start + written.len();
        self.skip_blank();
        match self.cursor.peek() {
            None | Some('\n' | ';' | '#') => Ok((value, start..end)),
            Some(_) => Err(EXPRESSION),
        }
    }

    fn item(&mut self) -> Literal<Value> {
        match self.cursor.peek() {
            Some('(') => self.parenthesised(),
            Some('[') => {
                self.open()?;
                Ok(Value::List(self.items(']', Vec::new())?))
            }
            Some('{') => self.map(),
            Some('-' | '+') => self.signed(),
            Some('.' | '0'..='9') => self.number(),
            _ if string_ahead(self.cursor.rest()).is_some() => self.text(),
            _ => self.constant(),
        }
    }

    fn constant(&mut self) -> Literal<Value> {
        let value = match Cursor::new(self.cursor.rest(), 0).word('_') {
            "None" => Value::Null,
            "True" => Value::Bool(true),
            "False" => Value::Bool(false),
            "" => return Err(EXPRESSION),
            _ => return self.name(),
        };
        self.cursor.word('_');
        Ok(value)
    }

    fn name(&mut self) -> Literal<Value> {
        let start = self.at();
        let Some(names) = &self.names else { return Err(NAME) };
        let value = names.value(self.cursor.word('.'), self.depth);
        if value.is_none() {
            self.cursor.move_to(start);
        }
        value.ok_or(NAME)
    }

    fn open(&mut self) -> Literal<()> {
        self.cursor.bump();
        self.depth += 1;
        let outside = self.names.as_ref().map_or(0, Names::level);
        if outside + self.depth > limits::LITERAL_LEVELS {
            return Err("too many nested brackets");
        }
        self.skip_blank();
        Ok(())
    }

    fn close(&mut self, bracket: char) -> bool {
        let closes = self.cursor.peek() == Some(bracket);
        if closes {
            self.cursor.bump();
            self.depth -= 1;
        }
        closes
    }

    fn items(&mut self, bracket: char, mut items: Vec<Value>) -> Literal<Vec<Value>> {
        while !self.close(bracket) {
            items.push(self.item()?);
            self.skip_blank();
            self.comma_or(bracket)?;
        }
        Ok(items)
    }

    /// Consumes a comma; without one, the bracket must follow.
    fn comma_or(&mut self, bracket: char) -> Literal<()> {
        if self.cursor.eat(",") {
            self.skip_blank();
        } else if self.cursor.peek() != Some(bracket) {
            return Err(EXPRESSION);
        }
        Ok(())
    }

    fn parenthesised(&mut self) -> Literal<Value> {
        self.open()?;
        if self.close(')') {
            return Ok(Value::List(Vec::new()));
        }
        let first = self.item()?;
        self.skip_blank();
        if self.close(')') {
            return Ok(first);
        }
        self.comma_or(')')?;
        Ok(Value::List(self.items(')', vec![first])?))
    }

    fn map(&mut self) -> Literal<Value> {
        self.open()?;
        let mut map = Map::new();
        while !self.close('}') {
            let key = self.item()?;
            self.skip_blank();
            if matches!(self.cursor.peek(), Some(',' | '}')) {
                return Err("a set, which JSON cannot express");
            }
            if !self.cursor.eat(":") {
                return Err(EXPRESSION);
            }
            if matches!(key, Value::List(_) | Value::Map(_)) {
                return Err("a key that JSON cannot express");
            }
            self.skip_blank();
            let value = self.item()?;
            map.insert(key, value);
            self.skip_blank();
            self.comma_or('}')?;
        }
        Ok(Value::Map(map))
    }

    /// A signed number, which may be in parentheses.
    fn signed(&mut self) -> Literal<Value> {
        let negative = self.cursor.bump() == Some('-');
        self.skip_blank();
        let outside = self.depth;
        while self.cursor.peek() == Some('(') {
            self.open()?;
        }
        let number = match self.cursor.peek() {
            Some('.' | '0'..='9') => self.number()?,
            _ => return Err(EXPRESSION),
        };
        while self.depth > outside {
            self.skip_blank();
            if !self.close(')') {
                return Err(EXPRESSION);
            }
        }
        Ok(match number {
            Value::Int(int) if negative => Value::Int(-int),
            Value::Float(float) if negative => Value::Float(-float),
            number => number,
        })
    }

    fn number(&mut self) -> Literal<Value> {
        const MALFORMED: &str = "a number that is not valid in Python";
        let start = self.at();
        let base = self.cursor.base();
        if base != 10 {
            self.cursor.bump();
            self.cursor.bump();
            self.cursor.eat("_");
            return integer(&self.cursor.digits(base).ok_or(MALFORMED)?, base);
        }
        let whole = match self.cursor.peek() {
            Some('.') => String::new(),
            _ => self.cursor.digits(10).ok_or(MALFORMED)?,
        };
        let point = self.cursor.eat(".");
        let fraction = match self.cursor.peek() {
            Some('0'..='9') if point => self.cursor.digits(10).ok_or(MALFORMED)?,
            _ if point && whole.is_empty() => return Err(EXPRESSION),
            _ => String::new(),
        };
        let exponent = self.exponent();
        if matches!(self.cursor.peek(), Some('j' | 'J')) {
            return Err("a complex number, which JSON cannot express");
        }
        if !point && exponent.is_none() {
            if whole.starts_with('0') && whole.bytes().any(|digit| digit != b'0') {
                return Err(MALFORMED);
            }
            return integer(&whole, 10);
        }
        if self.at() - start > limits::DIGITS {
            return Err(TOO_LONG);
        }
        let text = format!("{whole}.{fraction}0e{}", exponent.as_deref().unwrap_or("0"));
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Value::Float(number)),
            _ => Err("an infinite number, which JSON cannot express"),
        }
    }

    /// An exponent, if complete; a lone `e` begins a word.
    fn exponent(&mut self) -> Option<String> {
        let mut ahead = Cursor::new(self.cursor.rest(), 0);
        if !(ahead.eat("e") || ahead.eat("E")) {
            return None;
        }
        let sign = ahead.eat_while(|c| matches!(c, '+' | '-'));
        let digits = ahead.digits(10).filter(|_| sign.len() <= 1)?;
        self.cursor.move_to(self.at() + ahead.at());
        Some(format!("{sign}{digits}"))
    }

    fn text(&mut self) -> Literal<Value> {
        let mut text = String::new();
        while let Some(raw) = string_ahead(self.cursor.rest()) {
            string(&mut self.cursor, raw?, &mut text)?;
            self.skip_blank();
        }
        Ok(Value::Str(text))
    }

    fn skip_blank(&mut self) {
        skip_blank(&mut self.cursor, self.depth > 0);
    }
}

const TOO_LONG: &str = "a number with too many digits";

fn integer(digits: &str, base: u32) -> Literal<Value> {
    if digits.len() > limits::DIGITS {
        return Err(TOO_LONG);
    }
    BigInt::parse_bytes(digits.as_bytes(), base).map(Value::Int).ok_or(EXPRESSION)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::value::{python_repr, to_python_json};

    fn read(text: &str) -> Literal<Value> {
        PythonLiteralReader::new(text, 0).value().map(|(value, _)| value)
    }

    #[test]
    fn literals_follow_python() {
        for (text, repr) in [
            ("{'a': [1, -2.5, +3,], \"b\": (True, None), 'c': ()}", "{'a': [1, -2.5, 3], 'b': [True, None], 'c': []}"),
            ("{\n  # why\n  'a': 'b' \"c\" # more\n  r'\\d', \\\n}", "{'a': 'bc\\\\d'}"),
            ("{1: 'x', True: 'y', None: 0}", "{1: 'y', None: 0}"),
            (
                "[0x_ff, 0o17, 0b1_0, 1_000, 00, 1e3, 1_0.5e-1_0, .5, 5., 012.5]",
                "[255, 15, 2, 1000, 0, 1000.0, 1.05e-09, 0.5, 5.0, 12.5]",
            ),
            ("-((1))", "-1"),
            ("(1)", "1"),
            ("(1,)", "[1]"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            (
                r#""""a
'b' \
c""""#,
                "\"a\\n'b' c\"",
            ),
        ] {
            assert_eq!(read(text).as_ref().map(python_repr).as_deref(), Ok(repr), "{text}");
        }
    }

    #[test]
    fn expressions_are_refused_with_a_reason() {
        for (text, reason) in [
            ("dict(a=1)", NAME),
            ("x", NAME),
            ("{**x}", EXPRESSION),
            ("[x for x in y]", NAME),
            ("1 + 2", EXPRESSION),
            ("'a' + 'b'", EXPRESSION),
            ("'a'.upper()", EXPRESSION),
            ("{'a': 1}['a']", EXPRESSION),
            ("--1", EXPRESSION),
            ("-True", EXPRESSION),
            ("...", EXPRESSION),
            ("{'a': f'{x}'}", "an f-string"),
            ("'a' f'b'", "an f-string"),
            ("b'a'", "bytes, which JSON cannot express"),
            ("{1, 2}", "a set, which JSON cannot express"),
            ("{(1, 2): 3}", "a key that JSON cannot express"),
            ("1j", "a complex number, which JSON cannot express"),
            ("017", "a number that is not valid in Python"),
            ("1__0", "a number that is not valid in Python"),
            ("'a", "a string is never closed"),
            ("", EXPRESSION),
        ] {
            assert_eq!(read(text), Err(reason), "{text}");
        }
    }

    #[test]
    fn depth_and_length_are_bounded() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(&nested(limits::LITERAL_LEVELS)).is_ok());
        assert_eq!(read(&nested(limits::LITERAL_LEVELS + 1)), Err("too many nested brackets"));
        assert_eq!(read(&nested(1_000_000)), Err("too many nested brackets"));
        assert_eq!(read(&"(".repeat(1_000_000)), Err("too many nested brackets"));
        assert_eq!(read(&"9".repeat(limits::DIGITS + 1)), Err(TOO_LONG));
    }

    #[test]
    fn the_range_covers_only_the_literal() {
        let text = "  'a' \\\n 'b' \\\n  # why";
        let (value, range) = PythonLiteralReader::new(text, 0).value().unwrap();
        assert_eq!((to_python_json(&value).as_str(), &text[range]), ("\"ab\"", "'a' \\\n 'b'"));
    }
}
