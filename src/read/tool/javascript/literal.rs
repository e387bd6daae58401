use num_bigint::BigInt;

use super::super::Literal;
use super::skip_trivia;
use super::string::string;
use super::types::skip_casts;
use crate::read::limits;
use crate::read::value::{Map, Value};
use crate::text::Cursor;

const EXPRESSION: &str = "an expression";
const NAME: &str = "a name or a call";
const MALFORMED: &str = "a number that is not valid in a JavaScript module";
const UNBOUNDED: &str = "a number that JSON cannot express";

/// Reads literals: objects, arrays, text, templates without `${`, numbers, booleans and null, possibly in parentheses
/// or with a TypeScript cast. The value is what `JSON.stringify` would show: whole numbers are integers, and keys that
/// are array indices come first, ascending.
pub(super) struct JavaScriptLiteralReader<'a> {
    cursor: Cursor<'a>,
    depth: usize,
}

impl<'a> JavaScriptLiteralReader<'a> {
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { cursor: Cursor::new(text, at), depth: 0 }
    }

    pub fn at(&self) -> usize {
        self.cursor.at()
    }

    /// Reads the literal that forms the rest of the statement; casts after it are skipped.
    pub fn value(&mut self) -> Literal<Value> {
        skip_trivia(&mut self.cursor);
        let value = self.bare()?;
        skip_casts(&mut self.cursor)?;
        let end = self.at();
        let newline = skip_trivia(&mut self.cursor);
        let goes_on = match self.cursor.peek() {
            None | Some(';' | ',') => false,
            Some(_) if !newline => true,
            Some('!') => self.cursor.rest().starts_with("!="),
            Some('+') => !self.cursor.rest().starts_with("++"),
            Some('-') => !self.cursor.rest().starts_with("--"),
            Some('"' | '\'' | '{' | '@' | '#' | '~') => false,
            // A newline ends the statement before any word but an operator.
            Some(_) => {
                let mut ahead = Cursor::new(self.cursor.rest(), 0);
                matches!(ahead.eat_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$')), "" | "in" | "instanceof")
            }
        };
        if goes_on {
            return Err(EXPRESSION);
        }
        self.cursor.move_to(end);
        Ok(value)
    }

    fn item(&mut self) -> Literal<Value> {
        skip_trivia(&mut self.cursor);
        let value = self.bare()?;
        skip_casts(&mut self.cursor)?;
        skip_trivia(&mut self.cursor);
        Ok(value)
    }

    fn bare(&mut self) -> Literal<Value> {
        match self.cursor.peek() {
            Some('{') => self.object(),
            Some('[') => self.array(),
            Some('(') => {
                self.open()?;
                let value = self.item()?;
                if self.close(')') { Ok(value) } else { Err(EXPRESSION) }
            }
            Some('"' | '\'' | '`') => Ok(Value::Str(string(&mut self.cursor)?)),
            Some('.' | '0'..='9') => whole_or_float(self.number()?),
            Some(sign @ ('-' | '+')) => {
                self.cursor.bump();
                skip_trivia(&mut self.cursor);
                match self.cursor.peek() {
                    Some('.' | '0'..='9') => {
                        let number = self.number()?;
                        whole_or_float(if sign == '-' { -number } else { number })
                    }
                    _ => Err(EXPRESSION),
                }
            }
            Some('/') => Err("a regular expression"),
            _ => {
                let start = self.at();
                let value = match self.cursor.word('$') {
                    "null" => Ok(Value::Null),
                    "true" => Ok(Value::Bool(true)),
                    "false" => Ok(Value::Bool(false)),
                    "" => Err(EXPRESSION),
                    _ => Err(NAME),
                };
                if value.is_err() {
                    self.cursor.move_to(start);
                }
                value
            }
        }
    }

    fn open(&mut self) -> Literal<()> {
        self.cursor.bump();
        self.depth += 1;
        if self.depth > limits::LITERAL_LEVELS { Err("too many nested brackets") } else { Ok(()) }
    }

    fn close(&mut self, bracket: char) -> bool {
        skip_trivia(&mut self.cursor);
        let closes = self.cursor.peek() == Some(bracket);
        if closes {
            self.cursor.bump();
            self.depth -= 1;
        }
        closes
    }

    /// Consumes a comma; without one, the bracket must follow.
    fn comma_or(&mut self, bracket: char) -> Literal<()> {
        if self.cursor.eat(",") || self.cursor.peek() == Some(bracket) { Ok(()) } else { Err(EXPRESSION) }
    }

    fn array(&mut self) -> Literal<Value> {
        self.open()?;
        let mut items = Vec::new();
        while !self.close(']') {
            if self.cursor.peek() == Some(',') {
                return Err("an array with holes");
            }
            items.push(self.item()?);
            self.comma_or(']')?;
        }
        Ok(Value::List(items))
    }

    fn object(&mut self) -> Literal<Value> {
        self.open()?;
        let mut map = Map::new();
        while !self.close('}') {
            let key = self.key()?;
            skip_trivia(&mut self.cursor);
            if !self.cursor.eat(":") {
                return Err("a property without a value");
            }
            if key == "__proto__" {
                return Err("a prototype");
            }
            let value = self.item()?;
            map.insert(Value::Str(key), value);
            self.comma_or('}')?;
        }
        Ok(Value::Map(indices_first(map)))
    }

    fn key(&mut self) -> Literal<String> {
        match self.cursor.peek() {
            Some('"' | '\'') => string(&mut self.cursor),
            Some('.' | '0'..='9') if !self.cursor.rest().starts_with("..") => match whole_or_float(self.number()?)? {
                Value::Int(int) => Ok(int.to_string()),
                _ => Err("a fraction as a key"),
            },
            Some('[') => Err("a computed key"),
            _ => match self.cursor.word('$') {
                "" => Err(EXPRESSION),
                word => Ok(word.to_string()),
            },
        }
    }

    fn number(&mut self) -> Literal<f64> {
        let start = self.at();
        let base = self.cursor.base();
        let number = if base == 10 { self.decimal()? } else { self.whole(base)? };
        // A letter here means a `BigInt` or a malformed number.
        if self.cursor.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '$')) {
            return Err(if self.cursor.eat("n") { "a BigInt, which JSON cannot express" } else { MALFORMED });
        }
        if self.at() - start > limits::DIGITS {
            return Err("a number with too many digits");
        }
        Ok(number)
    }

    fn whole(&mut self, base: u32) -> Literal<f64> {
        self.cursor.bump();
        self.cursor.bump();
        let digits = self.cursor.digits(base).filter(|digits| digits.len() <= limits::DIGITS).ok_or(MALFORMED)?;
        let int = BigInt::parse_bytes(digits.as_bytes(), base).ok_or(MALFORMED)?;
        // Converts through decimal digits, because parsing them rounds as the language requires.
        int.to_string().parse().map_err(|_| MALFORMED)
    }

    fn decimal(&mut self) -> Literal<f64> {
        let digits = |cursor: &mut Cursor<'_>| match cursor.peek() {
            Some('0'..='9' | '_') => cursor.digits(10).ok_or(MALFORMED),
            _ => Ok(String::new()),
        };
        let whole = digits(&mut self.cursor)?;
        if whole.len() > 1 && whole.starts_with('0') {
            return Err(MALFORMED);
        }
        let fraction = if self.cursor.eat(".") { digits(&mut self.cursor)? } else { String::new() };
        if whole.is_empty() && fraction.is_empty() {
            return Err(EXPRESSION);
        }
        let mut text = format!("{whole}.{fraction}0");
        if self.cursor.eat("e") || self.cursor.eat("E") {
            let sign = self.cursor.eat_while(|c| matches!(c, '+' | '-'));
            let exponent = self.cursor.digits(10).filter(|_| sign.len() <= 1).ok_or(MALFORMED)?;
            text = format!("{text}e{sign}{exponent}");
        }
        text.parse().map_err(|_| MALFORMED)
    }
}

/// A number as JSON shows it: below 10²¹ and without a fraction, it is an integer, and so is minus zero.
fn whole_or_float(number: f64) -> Literal<Value> {
    if !number.is_finite() {
        return Err(UNBOUNDED);
    }
    if number.fract() != 0.0 || number.abs() >= 1e21 {
        return Ok(Value::Float(number));
    }
    // `to_string` writes the fewest digits that identify the number, then zeros.
    let int = BigInt::parse_bytes(number.abs().to_string().as_bytes(), 10).ok_or(UNBOUNDED)?;
    Ok(Value::Int(if number < 0.0 { -int } else { int }))
}

fn indices_first(mut map: Map) -> Map {
    let index = |key: &Value| -> Option<u32> {
        let text = key.as_str()?;
        let index: u32 = text.parse().ok().filter(|&index| index < u32::MAX)?;
        (index.to_string() == text).then_some(index)
    };
    if map.keys().any(|key| index(key).is_some()) {
        // The sort is stable; other keys follow all indices.
        map.sort_by_cached_key(|key, _| index(key).map_or(u64::MAX, u64::from));
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::value::to_python_json;

    fn read(text: &str) -> Literal<Value> {
        JavaScriptLiteralReader::new(text, 0).value()
    }

    #[test]
    fn literals_follow_javascript() {
        for (text, json) in [
            (
                "{ a: 1, 'b-c': [true, null,], \"d\": {}, $e_1: `x`, é: .5, }",
                r#"{"a": 1, "b-c": [true, null], "d": {}, "$e_1": "x", "é": 0.5}"#,
            ),
            ("{ // one\n a /* two */ : 'x' as const, b: ('y' satisfies Y<Z>) }", r#"{"a": "x", "b": "y"}"#),
            ("{b: 1, 2: 'x', 0x1: 'y', '01': 0, a: 2, b: 3}", r#"{"1": "y", "2": "x", "b": 3, "01": 0, "a": 2}"#),
            (
                "[1.0, 1e3, -0, +7, 0xff, 0o17, 0b11, 1_000, 5., 1e21, 1.5]",
                "[1, 1000, 0, 7, 255, 15, 3, 1000, 5, 1e+21, 1.5]",
            ),
            ("12345678901234567890", "12345678901234567000"),
            ("{a: 1} as const;", r#"{"a": 1}"#),
            ("{a: 1} satisfies A | B\nfoo()", r#"{"a": 1}"#),
            ("{a: 1}\nexport default 1", r#"{"a": 1}"#),
            ("{a: 1}\n++x", r#"{"a": 1}"#),
            ("'a', y = 2", r#""a""#),
        ] {
            assert_eq!(read(text).as_ref().map(to_python_json).as_deref(), Ok(json), "{text}");
        }
    }

    #[test]
    fn expressions_are_refused_with_a_reason() {
        for (text, reason) in [
            ("f({})", NAME),
            ("undefined", NAME),
            ("-Infinity", EXPRESSION),
            ("{a}", "a property without a value"),
            ("{a() {}}", "a property without a value"),
            ("{get a() {}}", "a property without a value"),
            ("{...x}", EXPRESSION),
            ("{['a']: 1}", "a computed key"),
            ("{__proto__: {}}", "a prototype"),
            ("{1.5: 1}", "a fraction as a key"),
            ("[1,,2]", "an array with holes"),
            ("[...x]", EXPRESSION),
            ("/x/", "a regular expression"),
            ("'a' + 'b'", EXPRESSION),
            ("`a${b}`", "a template with `${`"),
            ("{}.a", EXPRESSION),
            ("{}\n(a)", EXPRESSION),
            ("{}\n`a`", EXPRESSION),
            ("{}\ninstanceof A", EXPRESSION),
            ("{} as ", "a type that cannot be parsed"),
            ("10n", "a BigInt, which JSON cannot express"),
            ("017", MALFORMED),
            ("1_", MALFORMED),
            ("1e999", UNBOUNDED),
            ("3px", MALFORMED),
            ("", EXPRESSION),
        ] {
            assert_eq!(read(text), Err(reason), "{text}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(&nested(limits::LITERAL_LEVELS)).is_ok());
        assert_eq!(read(&nested(limits::LITERAL_LEVELS + 1)), Err("too many nested brackets"));
        assert_eq!(read(&"(".repeat(1_000_000)), Err("too many nested brackets"));
    }
}
