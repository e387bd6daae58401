use crate::text::Cursor;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// A code point. It may be a surrogate: Python strings can hold them, but text here cannot.
    Char(u32),
    /// `d`, `D`, `s`, `S`, `w`, `W`
    Category(char),
    /// `A`, `Z`, `b`, `B`
    Anchor(char),
    Group(usize),
}

/// Reads the rest of an escape. Inside a class, `\b` is a backspace and there are no anchors or groups.
pub(super) fn read_escape(cursor: &mut Cursor<'_>, in_class: bool) -> Result<Escape, &'static str> {
    let c = cursor.bump().ok_or("the pattern ends with a backslash")?;
    let char = |c: char| Ok(Escape::Char(u32::from(c)));
    match c {
        'd' | 'D' | 's' | 'S' | 'w' | 'W' => Ok(Escape::Category(c)),
        'b' if in_class => char('\u{8}'),
        'A' | 'Z' | 'b' | 'B' if !in_class => Ok(Escape::Anchor(c)),
        'a' => char('\u{7}'),
        'f' => char('\u{c}'),
        'n' => char('\n'),
        'r' => char('\r'),
        't' => char('\t'),
        'v' => char('\u{b}'),
        'x' => read_hex(cursor, 2),
        'u' => read_hex(cursor, 4),
        'U' => read_hex(cursor, 8),
        'N' => Err("character names are not supported"),
        '0' => read_octal(cursor, c),
        '1'..='9' if in_class => read_octal(cursor, c),
        '1'..='9' => read_group(cursor, c),
        c if c.is_ascii_alphabetic() => Err("unknown escape"),
        c => char(c),
    }
}

/// Reads at most three octal digits.
fn read_octal(cursor: &mut Cursor<'_>, first: char) -> Result<Escape, &'static str> {
    let mut value = first.to_digit(8).ok_or("unknown escape")?;
    for _ in 0..2 {
        let Some(digit) = cursor.peek().and_then(|c| c.to_digit(8)) else { break };
        cursor.bump();
        value = value * 8 + digit;
    }
    if value <= 0o377 { Ok(Escape::Char(value)) } else { Err("an octal escape is over 377") }
}

fn read_hex(cursor: &mut Cursor<'_>, length: usize) -> Result<Escape, &'static str> {
    match cursor.hex(length).ok_or("incomplete escape")? {
        value @ 0..=0x10ffff => Ok(Escape::Char(value)),
        _ => Err("there is no such character"),
    }
}

/// Reads a group number of one or two digits; three octal digits are a character.
fn read_group(cursor: &mut Cursor<'_>, first: char) -> Result<Escape, &'static str> {
    if first.is_digit(8) && matches!(cursor.rest().as_bytes(), [b'0'..=b'7', b'0'..=b'7', ..]) {
        return read_octal(cursor, first);
    }
    let second = cursor.number(0, 1).unwrap_or_default();
    format!("{first}{second}").parse().map(Escape::Group).map_err(|_| "unknown group")
}
