use super::super::Literal;
use super::is_newline;
use crate::text::Cursor;

const NO_CHARACTER: &str = "an escape for an invalid character";
const MALFORMED: &str = "an escape that is not valid in a JavaScript module";

/// Reads a string, or a template without `${`, quotes included.
pub(super) fn string(cursor: &mut Cursor<'_>) -> Literal<String> {
    let mut out = String::new();
    let start = cursor.at();
    let quote = cursor.bump();
    loop {
        match cursor.bump() {
            c if c == quote => return Ok(out),
            Some('\\') => escape(cursor, &mut out)?,
            Some('$') if quote == Some('`') && cursor.eat("{") => return Err("a template with `${`"),
            Some('\n' | '\r') if quote != Some('`') => break,
            None => break,
            c => out.extend(c),
        }
    }
    cursor.move_to(start);
    Err("a string is never closed")
}

/// Reads an escape after its backslash. An unknown one stands for its character.
pub(crate) fn escape(cursor: &mut Cursor<'_>, out: &mut String) -> Literal<()> {
    let Some(c) = cursor.bump() else { return Ok(()) };
    out.push(match c {
        c if is_newline(c) => return Ok(()),
        'b' => '\u{8}',
        't' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        '0' if !cursor.peek().is_some_and(|c| c.is_ascii_digit()) => '\0',
        '0'..='9' => return Err(MALFORMED),
        'x' => cursor.hex(2).and_then(char::from_u32).ok_or(MALFORMED)?,
        'u' => match code_unit(cursor)? {
            // The first half of a surrogate pair; the second must be escaped too.
            high @ 0xd800..=0xdbff => match cursor.eat("\\u").then(|| code_unit(cursor)).transpose()? {
                Some(low @ 0xdc00..=0xdfff) => {
                    let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    char::from_u32(code).ok_or(NO_CHARACTER)?
                }
                _ => return Err(NO_CHARACTER),
            },
            code => char::from_u32(code).ok_or(NO_CHARACTER)?,
        },
        c => c,
    });
    Ok(())
}

fn code_unit(cursor: &mut Cursor<'_>) -> Literal<u32> {
    if !cursor.eat("{") {
        return cursor.hex(4).ok_or(MALFORMED);
    }
    let digits = cursor.eat_while(|c| c.is_ascii_hexdigit());
    if digits.is_empty() || !cursor.eat("}") {
        return Err(MALFORMED);
    }
    let significant = digits.trim_start_matches('0');
    u32::from_str_radix(if significant.is_empty() { "0" } else { significant }, 16).map_err(|_| NO_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_follow_javascript() {
        for (text, value) in [
            (r#"'\b\t\n\v\f\r\0\'\"\\\xe9\u00e9\u{1F600}\ud83d\ude00\d'"#, "\u{8}\t\n\u{b}\u{c}\r\0'\"\\éé😀😀d"),
            ("\"a\\\nb\"", "ab"),
            ("`a\n\\`$ $a`", "a\n`$ $a"),
            ("'a\u{2028}b'", "a\u{2028}b"),
            ("''", ""),
        ] {
            assert_eq!(string(&mut Cursor::new(text, 0)).as_deref(), Ok(value), "{text}");
        }
        for (text, reason) in [
            (r"'\ud800'", NO_CHARACTER),
            (r"'\udc00'", NO_CHARACTER),
            (r"'\ud800\u0041'", NO_CHARACTER),
            (r"'\u{110000}'", NO_CHARACTER),
            (r"'\u{}'", MALFORMED),
            (r"'\1'", MALFORMED),
            (r"'\x4'", MALFORMED),
            ("'a\nb'", "a string is never closed"),
            ("`a", "a string is never closed"),
            ("'a\\", "a string is never closed"),
        ] {
            assert_eq!(string(&mut Cursor::new(text, 0)), Err(reason), "{text}");
        }
    }
}
