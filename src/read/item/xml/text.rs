use std::ops::Range;

use super::fault::XmlFault;
use crate::text::{Origin, Span, Traced};

pub(super) const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// The value of an attribute: references decoded, line ends and tabs replaced by spaces. `document` is the text to
/// read, `content` the file's own text at the same offsets, `range` the value without its quotes.
pub(super) fn attribute_value(document: &str, content: &Span, range: Range<usize>) -> Result<Traced, XmlFault> {
    let mut value = Traced::new();
    let mut at = range.start;
    while at < range.end {
        let rest = &document[at..range.end];
        let plain = rest.find(['&', '\n', '\t', '<']).unwrap_or(rest.len());
        value.push_file(&content.slice(at..at + plain));
        at += plain;
        match rest[plain..].chars().next() {
            None => {}
            Some('&') => {
                let end = reference_end(document, at)?;
                push_reference(&mut value, document, content, at..end)?;
                at = end;
            }
            Some('<') => return Err(XmlFault::new("`<` in the value of an attribute: write &lt;", at..at + 1)),
            Some(_) => {
                value.push_str(" ", Origin::Derived(content.slice(at..at + 1)));
                at += 1;
            }
        }
    }
    Ok(value)
}

pub(super) fn reference_end(document: &str, at: usize) -> Result<usize, XmlFault> {
    let rest = &document[at + 1..];
    let length = rest.find(|c: char| BLANKS.contains(&c) || matches!(c, ';' | '&' | '<' | '"' | '\''));
    match length {
        Some(length) if length > 0 && rest[length..].starts_with(';') => Ok(at + 1 + length + 1),
        _ => Err(XmlFault::new("a lone `&`: write &amp;", at..at + 1)),
    }
}

/// Appends the character of a reference; `range` includes `&` and `;`.
pub(super) fn push_reference(
    text: &mut Traced,
    document: &str,
    content: &Span,
    range: Range<usize>,
) -> Result<(), XmlFault> {
    let name = &document[range.start + 1..range.end - 1];
    let mut buffer = [0; 4];
    let decoded = match name.strip_prefix('#') {
        Some(number) => character(number)
            .map(|c| &*c.encode_utf8(&mut buffer))
            .ok_or_else(|| format!("`&{name};` is not a valid XML character")),
        None => predefined(name).ok_or_else(|| format!("unknown entity `&{name};`")),
    };
    let decoded = decoded.map_err(|reason| XmlFault::new(reason, range.clone()))?;
    text.push_str(decoded, Origin::Derived(content.slice(range)));
    Ok(())
}

fn predefined(entity: &str) -> Option<&'static str> {
    Some(match entity {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "apos" => "'",
        "quot" => "\"",
        _ => return None,
    })
}

fn character(number: &str) -> Option<char> {
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    char::from_u32(u32::from_str_radix(digits, radix).ok()?).filter(|&c| is_allowed(c))
}

fn is_allowed(c: char) -> bool {
    !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

pub(super) fn first_forbidden(document: &str) -> Option<XmlFault> {
    // Most documents are ASCII, and a byte loop without an early exit is compiled to vector instructions.
    let is_plain = |byte: u8| byte.is_ascii() && is_allowed(byte.into());
    if document.bytes().fold(true, |plain, byte| plain & is_plain(byte)) {
        return None;
    }
    let at = document.find(|c| !is_allowed(c))?;
    let c = document[at..].chars().next()?;
    Some(XmlFault::new(
        format!("the character U+{:04X}, which XML does not allow", u32::from(c)),
        at..at + c.len_utf8(),
    ))
}
