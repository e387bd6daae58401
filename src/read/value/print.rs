//! Python's `str()` and `repr()` (Directives, "Inputs and interpolation").

use std::fmt::Write;
use std::sync::LazyLock;

use regex::Regex;

use super::Value;
use crate::text::constant_pattern;

pub fn python_str(value: &Value) -> String {
    match value {
        Value::Str(text) => text.clone(),
        Value::Time(time) => time.text.clone(),
        _ => python_repr(value),
    }
}

pub fn python_repr(value: &Value) -> String {
    let mut out = String::new();
    write_repr(&mut out, value);
    out
}

fn write_repr(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Int(value) => out.push_str(&value.to_string()),
        Value::Float(value) => out.push_str(&float(*value)),
        Value::Str(text) => write_quoted(out, text.chars(), is_printable),
        Value::Time(time) => out.push_str(&time.repr),
        Value::Bytes(bytes) => {
            out.push('b');
            write_quoted(out, bytes.iter().copied().map(char::from), |c| (' '..='~').contains(&c));
        }
        Value::List(list) => write_items(out, ['[', ']'], list, write_repr),
        Value::Map(map) => write_items(out, ['{', '}'], map, |out, (key, value)| {
            write_repr(out, key);
            out.push_str(": ");
            write_repr(out, value);
        }),
    }
}

/// The shortest text that reads back as the same number, in scientific notation for exponents below -4 and from 16 on.
pub(super) fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_string();
    }
    let scientific = format!("{value:e}");
    // `{:e}` writes digits, an `e` and a decimal exponent for every finite float.
    let (digits, exponent) = scientific.split_once('e').expect("{:e} always writes an exponent");
    let exponent: i32 = exponent.parse().expect("{:e} writes a decimal exponent");
    if value != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    let plain = format!("{value}");
    if plain.contains('.') { plain } else { plain + ".0" }
}

pub(crate) fn write_items<T>(
    out: &mut String,
    [opening, closing]: [char; 2],
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    out.push(opening);
    for (index, item) in items.into_iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        write(out, item);
    }
    out.push(closing);
}

fn write_quoted(out: &mut String, chars: impl Iterator<Item = char> + Clone, is_printable: fn(char) -> bool) {
    let has = |quote| chars.clone().any(|c| c == quote);
    let quote = if has('\'') && !has('"') { '"' } else { '\'' };
    out.push(quote);
    for c in chars {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if is_printable(c) => out.push(c),
            c => {
                let code = u32::from(c);
                let written = match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
                written.expect("writing to a String cannot fail");
            }
        }
    }
    out.push(quote);
}

/// Python's `str.isprintable()`: no separators except the space, and nothing in the "other" categories.
fn is_printable(c: char) -> bool {
    static HIDDEN: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"^[\p{C}\p{Z}]$"));
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    !HIDDEN.is_match(c.encode_utf8(&mut [0; 4]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_in_python() {
        for (value, text) in [
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (-0.0, "-0.0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1.5e300, "1.5e+300"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "nan"),
        ] {
            assert_eq!(float(value), text);
        }
    }

    #[test]
    fn text_is_quoted_as_in_python() {
        for (text, repr) in [
            ("it's", "\"it's\""),
            ("both'\"", "'both\\'\"'"),
            ("\u{7f}\u{a0}\u{ad}\u{200b}\u{10ffff}é", "'\\x7f\\xa0\\xad\\u200b\\U0010ffffé'"),
        ] {
            assert_eq!(python_repr(&Value::from(text)), repr);
        }
        assert_eq!(python_repr(&Value::Bytes(b"a'\xff".to_vec())), "b\"a'\\xff\"");
    }
}
