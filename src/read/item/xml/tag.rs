use std::ops::Range;

use super::fault::XmlFault;
use super::name;
use super::text::BLANKS;

pub(super) struct OpeningTag {
    pub name: Range<usize>,
    pub attributes: Vec<RawAttribute>,
    pub is_empty: bool,
    /// After its `>`.
    pub end: usize,
}

pub(super) struct RawAttribute {
    pub name: Range<usize>,
    pub value: Range<usize>,
}

/// Reads the opening or empty tag at `at`, up to its `>`.
pub(super) fn opening(document: &str, at: usize) -> Result<OpeningTag, XmlFault> {
    let length = name::qualified(&document[at + 1..]);
    if length == 0 {
        return Err(XmlFault::new("a `<` that does not begin a tag: write &lt;", at..at + 1));
    }
    let name = at + 1..at + 1 + length;
    let (attributes, end) = attributes(document, name.end)?;
    let is_empty = document[end..].starts_with('/');
    let close = end + usize::from(is_empty);
    if !document[close..].starts_with('>') {
        return Err(unended(document, at, close, "a space, `>` or `/>`"));
    }
    Ok(OpeningTag { name, attributes, is_empty, end: close + 1 })
}

/// Reads the closing tag at `at`, and returns its name and the offset after its `>`.
pub(super) fn closing(document: &str, at: usize) -> Result<(Range<usize>, usize), XmlFault> {
    let start = at + "</".len();
    let end = start + name::qualified(&document[start..]);
    if end == start {
        return Err(unended(document, at, start, "the name of an element"));
    }
    let close = skip_blanks(document, end);
    if !document[close..].starts_with('>') {
        return Err(unended(document, at, close, "`>`"));
    }
    Ok((start..end, close + 1))
}

/// Reads attributes, each after white space; also returns the offset after them and any trailing white space.
pub(super) fn attributes(document: &str, at: usize) -> Result<(Vec<RawAttribute>, usize), XmlFault> {
    let mut attributes = Vec::new();
    let mut at = at;
    loop {
        let start = skip_blanks(document, at);
        let length = if start > at { name::qualified(&document[start..]) } else { 0 };
        if length == 0 {
            return Ok((attributes, start));
        }
        let name = start..start + length;
        at = skip_blanks(document, name.end);
        if !document[at..].starts_with('=') {
            return Err(XmlFault::unexpected(document, at, "the `=` of an attribute"));
        }
        at = skip_blanks(document, at + 1);
        let Some(quote) = document[at..].chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return Err(XmlFault::unexpected(document, at, "the quote of an attribute"));
        };
        let open = at;
        at += 1;
        match document[at..].find([quote, '<']) {
            Some(length) if document[at + length..].starts_with(quote) => {
                attributes.push(RawAttribute { name, value: at..at + length });
                at += length + 1;
            }
            Some(length) => {
                let at = at + length;
                return Err(XmlFault::new(
                    "`<` in the value of an attribute: write &lt;, or close its quote",
                    at..at + 1,
                ));
            }
            None => return Err(XmlFault::new("the quote of an attribute is never closed", open..at)),
        }
    }
}

fn unended(document: &str, tag: usize, at: usize, expected: &str) -> XmlFault {
    if at == document.len() {
        return XmlFault::new("a tag is never closed with `>`", tag..tag + 1);
    }
    XmlFault::unexpected(document, at, expected)
}

pub(super) fn skip_blanks(document: &str, at: usize) -> usize {
    let blanks = document.as_bytes()[at..].iter().take_while(|byte| BLANKS.contains(&char::from(**byte)));
    at + blanks.count()
}
