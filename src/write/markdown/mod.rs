//! Untrusted names, sentences and texts in GitHub Markdown: each in a code span or a fence that it cannot end, where
//! nothing is interpreted as a mention, a link or HTML.

mod fold;
#[cfg(test)]
pub(crate) mod testing;

pub use fold::{CommentRoom, Fold};

use crate::text::visible::visible_line;

/// Text as a code span for a cell of a table.
///
/// A cell needs `\|` for a pipe. Renderers disagree about a pipe after a backslash, so such a pipe is escaped.
pub fn code(text: &str) -> String {
    let text = visible_line(text).replace("\\|", "\\<U+007C>").replace('|', "\\|");
    if text.trim().is_empty() {
        return "(blank)".to_string();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    // Renderers strip one space on either side; it separates the text's own backticks from the delimiters.
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ', '\\']) { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// The longest untrusted name or sentence within other text, in characters.
const LONGEST: usize = 200;

/// [`code`] of the beginning of a text.
pub fn brief(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => code(&format!("{}…", &text[..end])),
        None => code(text),
    }
}

/// [`brief`] as HTML, for summaries, where Markdown is not interpreted.
pub fn code_in_html(text: &str) -> String {
    let mut out = String::from("<code>");
    for c in visible_line(text).chars().take(LONGEST) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
    out + "</code>"
}

/// Escapes all Markdown in a message of the program, except its code spans.
pub fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = rest.find(['`', '<', '*', '\\']) {
        let (before, special) = rest.split_at(at);
        let ticks = ticks(special);
        let span = end_of_span(special, ticks);
        let (taken, after) = special.split_at(span.unwrap_or(ticks.max(1)));
        out += before;
        match span {
            Some(_) => out += taken,
            None => taken.chars().for_each(|c| out.extend(['\\', c])),
        }
        rest = after;
    }
    out + rest
}

fn ticks(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}

/// The end of the code span at the start of a text. Three backticks are not a span but a mention of a fence.
fn end_of_span(text: &str, fence: usize) -> Option<usize> {
    let mut at = fence;
    while let Some(found) = text[at..].find('`').filter(|_| matches!(fence, 1 | 2)) {
        let run = ticks(&text[at + found..]);
        at += found + run;
        if run == fence {
            return Some(at);
        }
    }
    None
}

pub fn fence(text: &str) -> String {
    "`".repeat(longest_run(text).max(2) + 1)
}

/// The length in UTF-16 units, the largest count that GitHub may use.
pub fn length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_keeps_only_code_spans() {
        assert_eq!(prose("a `<b>*` and <c> or *"), "a `<b>*` and \\<c> or \\*");
        assert_eq!(prose("a line ```xml, and a line ```"), "a line \\`\\`\\`xml, and a line \\`\\`\\`");
        assert_eq!(prose("one ` alone\\"), "one \\` alone\\\\");
    }
}
