//! Details that the parser does not report: where a node is written, and what PyYAML refuses although YAML 1.2 allows
//! it.

use std::ops::Range;

use super::document::Refusal;

/// Refuses characters that PyYAML's reader does not consider printable.
pub(super) fn check_printable(text: &str) -> Result<(), Refusal> {
    // Most files are ASCII, which is faster to check by bytes.
    if text.bytes().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')) {
        return Ok(());
    }
    let printable =
        |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..);
    text.char_indices().find(|&(_, c)| !printable(c)).map_or(Ok(()), |(at, c)| {
        Err(Refusal::new(at..at + c.len_utf8(), "a control character; write it as an escape in double quotes"))
    })
}

/// Refuses `...` before any document.
pub(super) fn check_start(text: &str) -> Result<(), Refusal> {
    let start = skip_blank(text, 0);
    let begins_line = text[..start].is_empty() || text[..start].ends_with('\n');
    let behind = text[start..].strip_prefix("...").filter(|_| begins_line);
    if behind.is_some_and(|behind| behind.is_empty() || behind.starts_with([' ', '\n'])) {
        return Err(Refusal::new(start..start + 3, "`...` ends a document before one has begun"));
    }
    Ok(())
}

/// Refuses tabs and, between brackets, indicators in plain scalars, as PyYAML does.
pub(super) fn check_plain(text: &str, range: Range<usize>, in_brackets: bool) -> Result<(), Refusal> {
    let refused = |(at, c): (usize, char)| match c {
        '\t' => Some((at, "a tab in text without quotes")),
        '?' if in_brackets => Some((at, "a `?` between brackets in text without quotes")),
        '|' | '>' | ':' if in_brackets && at == 0 => Some((at, "text in brackets cannot begin with this; quote it")),
        _ => None,
    };
    let found = text[range.clone()].char_indices().find_map(refused);
    found.map_or(Ok(()), |(at, reason)| Err(Refusal::new(range.start + at..range.start + at + 1, reason)))
}

/// Refuses a tab between two nodes; PyYAML allows it in comments only.
pub(super) fn check_tabs(text: &str, between: Range<usize>) -> Result<(), Refusal> {
    if !text.as_bytes()[between.clone()].contains(&b'\t') {
        return Ok(());
    }
    let mut at = between.start;
    for line in text[between].split_inclusive('\n') {
        if let Some(tab) = line.find('\t').filter(|&tab| comment(line).is_none_or(|comment| tab < comment)) {
            return Err(Refusal::new(at + tab..at + tab + 1, "a tab; only spaces may separate values"));
        }
        at += line.len();
    }
    Ok(())
}

/// Refuses a tab that indents a node, as YAML 1.2 does.
pub(super) fn check_indentation(text: &str, between: Range<usize>) -> Result<(), Refusal> {
    let line = text[..between.end].rfind('\n').map_or(0, |end| end + 1);
    let indentation = &text[line..between.end];
    let is_node = between.end < text.len() && line >= between.start;
    if is_node && indentation.starts_with('\t') && indentation.trim_start_matches([' ', '\t']).is_empty() {
        return Err(Refusal::new(line..line + 1, "a tab; only spaces may indent"));
    }
    Ok(())
}

/// Refuses a tab that starts a continuation line of a scalar.
pub(super) fn check_lines(text: &str, range: Range<usize>) -> Result<(), Refusal> {
    let tab = text[range.clone()].find("\n\t").map(|end| range.start + end + 1);
    tab.map_or(Ok(()), |tab| Err(Refusal::new(tab..tab + 1, "a tab; only spaces may indent")))
}

/// The start of a comment in a line without scalars.
fn comment(line: &str) -> Option<usize> {
    line.match_indices('#').map(|(at, _)| at).find(|&at| at == 0 || line[..at].ends_with([' ', '\t']))
}

/// Skips the tag and the anchor at `at`; returns the range of the anchor with `&`, and where the node begins.
pub(super) fn properties(text: &str, mut at: usize) -> (Option<Range<usize>>, usize) {
    let mut anchor = None;
    loop {
        at = skip_blank(text, at);
        let rest = &text[at..];
        let length = match rest.as_bytes().first() {
            Some(b'!') if rest.starts_with("!<") => rest.find('>').map_or(rest.len(), |end| end + 1),
            Some(b'!' | b'&') => rest.find([' ', '\t', '\n', ',', '[', ']', '{', '}']).unwrap_or(rest.len()),
            _ => return (anchor, at),
        };
        if rest.starts_with('&') {
            anchor = Some(at..at + length);
        }
        at += length;
    }
}

/// Skips white space and comments.
fn skip_blank(text: &str, mut at: usize) -> usize {
    loop {
        at = text.len() - text[at..].trim_start_matches([' ', '\t', '\n']).len();
        if !text[at..].starts_with('#') {
            return at;
        }
        at = line_end(text, at);
    }
}

pub(super) fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end)
}

/// The offset of the `|` or `>` of the block scalar that is the next node.
pub(super) fn block_start(text: &str, mut at: usize) -> usize {
    loop {
        at = properties(text, at).1;
        match text.as_bytes().get(at) {
            Some(b'-' | b'?' | b':' | b'.') => at += 1,
            Some(b'%') => at = line_end(text, at),
            _ => return at,
        }
    }
}

/// The end of a block scalar: its last line of text and the line feeds that belong to the value. Refuses text without
/// indentation, which PyYAML does not accept even at the top level.
pub(super) fn block_end(text: &str, lines: Range<usize>, value: &str) -> Result<usize, Refusal> {
    let lines = lines.start..lines.end.max(lines.start);
    let written = text[lines.clone()].trim_end_matches([' ', '\n']);
    let first = lines.start + written.len() - written.trim_start_matches('\n').len();
    if !written.is_empty() && !value.trim_end_matches('\n').is_empty() && !text[first..].starts_with(' ') {
        return Err(Refusal::new(first..line_end(text, first), "a block scalar must be indented"));
    }
    let mut end = line_end(text, lines.start + written.len());
    for _ in 0..value.len() - value.trim_end_matches('\n').len() {
        end = (line_end(text, end) + 1).min(text.len());
    }
    Ok(end)
}

pub(super) fn quoted_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let Some(&quote @ (b'"' | b'\'')) = bytes.get(at) else { return at };
    let mut end = at + 1;
    while end < bytes.len() {
        match bytes[end] {
            b'\\' if quote == b'"' => end += 1,
            b'\'' if quote == b'\'' && bytes.get(end + 1) == Some(&b'\'') => end += 1,
            byte if byte == quote => return end + 1,
            _ => {}
        }
        end += 1;
    }
    bytes.len()
}
