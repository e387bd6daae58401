use super::super::Literal;
use crate::text::Cursor;

const NEVER_CLOSED: &str = "a string is never closed";

/// True for a raw string, false for another, `None` if no string follows. The error says why it is not text.
pub(super) fn string_ahead(text: &str) -> Option<Literal<bool>> {
    let quote = text.bytes().take(3).position(|byte| matches!(byte, b'"' | b'\''))?;
    match text[..quote].to_ascii_lowercase().as_str() {
        "" | "u" => Some(Ok(false)),
        "r" => Some(Ok(true)),
        "b" | "br" | "rb" => Some(Err("bytes, which JSON cannot express")),
        "f" | "fr" | "rf" => Some(Err("an f-string")),
        _ => None,
    }
}

fn open<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    let quotes = match cursor.rest() {
        rest if rest.starts_with("\"\"\"") || rest.starts_with("'''") => &rest[..3],
        // The caller has seen the quote, which is one byte.
        rest => &rest[..1],
    };
    cursor.eat(quotes);
    quotes
}

/// Skips a string from its opening quotes. A backslash escapes a quote even in a raw string.
pub(super) fn skip_string(cursor: &mut Cursor<'_>) -> Literal<()> {
    let quotes = open(cursor);
    while !cursor.eat(quotes) {
        match cursor.bump() {
            Some('\\') => {
                cursor.bump();
            }
            None => return Err(NEVER_CLOSED),
            Some('\n') if quotes.len() == 1 => return Err(NEVER_CLOSED),
            Some(_) => {}
        }
    }
    Ok(())
}

/// Reads a text string, prefix included, and appends its value.
pub(super) fn string(cursor: &mut Cursor<'_>, raw: bool, out: &mut String) -> Literal<()> {
    cursor.eat_while(|c| c.is_ascii_alphabetic());
    let start = cursor.at();
    let quotes = open(cursor);
    loop {
        if cursor.eat(quotes) {
            return Ok(());
        }
        match cursor.bump() {
            Some('\\') if raw => {
                out.push('\\');
                out.extend(cursor.bump());
            }
            Some('\\') => escape(cursor, out)?,
            Some('\n') | None if quotes.len() == 1 || cursor.is_done() => {
                cursor.move_to(start);
                return Err(NEVER_CLOSED);
            }
            c => out.extend(c),
        }
    }
}

/// An unknown escape stands for itself.
fn escape(cursor: &mut Cursor<'_>, out: &mut String) -> Literal<()> {
    let Some(c) = cursor.bump() else { return Ok(()) };
    let hex = |cursor: &mut Cursor<'_>, count| cursor.hex(count).ok_or("an escape with too few digits");
    let code = match c {
        '\n' => return Ok(()),
        '\\' | '\'' | '"' => u32::from(c),
        'a' => 7,
        'b' => 8,
        't' => 9,
        'n' => 10,
        'v' => 11,
        'f' => 12,
        'r' => 13,
        '0'..='7' => {
            let mut code = u32::from(c) - u32::from('0');
            for _ in 0..2 {
                let Some(digit) = cursor.peek().and_then(|c| c.to_digit(8)) else { break };
                cursor.bump();
                code = code * 8 + digit;
            }
            code
        }
        'x' => hex(cursor, 2)?,
        'u' => hex(cursor, 4)?,
        'U' => hex(cursor, 8)?,
        'N' => return Err("a named character"),
        c => {
            out.push('\\');
            out.push(c);
            return Ok(());
        }
    };
    out.push(char::from_u32(code).ok_or("an escape for an invalid character")?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Literal<String> {
        let mut out = String::new();
        let raw = string_ahead(text) == Some(Ok(true));
        string(&mut Cursor::new(text, 0), raw, &mut out).map(|()| out)
    }

    #[test]
    fn escapes_follow_python() {
        for (text, value) in [
            (r"'\a\b\t\n\v\f\r\\\'\0\12\1234\xe9\u00e9\U0001F600\d'", "\u{7}\u{8}\t\n\u{b}\u{c}\r\\'\0\nS4éé😀\\d"),
            ("'a\\\nb'", "ab"),
            (r#"u"\"""#, "\""),
            (r"r'\'\n'", r"\'\n"),
            ("R\"\"\"a\"\nb\"\"\"", "a\"\nb"),
            ("''", ""),
        ] {
            assert_eq!(read(text).as_deref(), Ok(value), "{text}");
        }
        for (text, reason) in [
            (r"'\ud800'", "an escape for an invalid character"),
            (r"'\x4'", "an escape with too few digits"),
            (r"'\N{DASH}'", "a named character"),
            ("'a\nb'", NEVER_CLOSED),
            ("'''a'", NEVER_CLOSED),
            ("'a\\", NEVER_CLOSED),
        ] {
            assert_eq!(read(text), Err(reason), "{text}");
        }
    }

    #[test]
    fn prefixes_follow_python() {
        assert_eq!(string_ahead("Rb'x'"), Some(Err("bytes, which JSON cannot express")));
        assert_eq!(string_ahead("fR'x'"), Some(Err("an f-string")));
        assert_eq!(string_ahead("ur'x'"), None);
        assert_eq!(string_ahead("abc'x'"), None);
    }
}
