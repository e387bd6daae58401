use super::cursor::PatternCursor;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// A code point. It may be a surrogate: Python has them, but text here does not.
    Char(u32),
    /// `d`, `D`, `s`, `S`, `w`, `W`
    Category(char),
    /// `A`, `Z`, `b`, `B`
    Anchor(char),
    Group(usize),
}

/// Reads the rest of an escape. Inside a class, `\b` is a backspace and there are no anchors or groups.
pub(super) fn read_escape(cursor: &mut PatternCursor<'_>, in_class: bool) -> Result<Escape, &'static str> {
    let c = cursor.next().ok_or("a backslash stands at the end")?;
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
        'N' => Err("characters cannot be written by name here"),
        '0' if !in_class => {
            let digits = cursor.eat_while(2, is_octal);
            read_octal(digits)
        }
        '0'..='9' => read_digits(cursor, c, in_class),
        c if c.is_ascii_alphabetic() => Err("unknown escape"),
        c => char(c),
    }
}

fn is_octal(c: char) -> bool {
    ('0'..='7').contains(&c)
}

/// At most three octal digits; no digits mean zero.
fn read_octal(digits: &str) -> Result<Escape, &'static str> {
    match digits.chars().fold(0, |value, digit| value * 8 + digit.to_digit(8).unwrap_or(0)) {
        value @ 0..=0o377 => Ok(Escape::Char(value)),
        _ => Err("an octal escape is over 377"),
    }
}

fn read_hex(cursor: &mut PatternCursor<'_>, length: usize) -> Result<Escape, &'static str> {
    let digits = cursor.eat_while(length, |c| c.is_ascii_hexdigit());
    if digits.len() != length {
        return Err("incomplete escape");
    }
    match u32::from_str_radix(digits, 16) {
        Ok(value @ 0..=0x10ffff) => Ok(Escape::Char(value)),
        _ => Err("there is no such character"),
    }
}

/// A group number, or an octal character: three digits outside a class, up to three inside.
fn read_digits(cursor: &mut PatternCursor<'_>, first: char, in_class: bool) -> Result<Escape, &'static str> {
    if in_class {
        if !is_octal(first) {
            return Err("unknown escape");
        }
        let more = cursor.eat_while(2, is_octal);
        return read_octal(&format!("{first}{more}"));
    }
    let mut digits = String::from(first);
    if let Some(second) = cursor.peek().filter(char::is_ascii_digit) {
        cursor.next();
        digits.push(second);
        if let Some(third) = cursor.peek().filter(|&third| is_octal(first) && is_octal(second) && is_octal(third)) {
            cursor.next();
            digits.push(third);
            return read_octal(&digits);
        }
    }
    digits.parse().map(Escape::Group).map_err(|_| "unknown group")
}
