//! Untrusted names, sentences and texts in Markdown as GitHub reads it: each in a code span or a fence that it cannot
//! end, where nothing is read as a mention, a link or HTML.

mod fold;
#[cfg(test)]
pub(crate) mod testing;

pub use fold::{Fold, Room};

use crate::text::visible::visible_line;

/// Text as a code span that holds in a cell of a table.
///
/// A table takes `\|` for a pipe even there. What comes out where a backslash stands before one is not the same
/// everywhere, so such a pipe is shown in another form.
pub fn code(text: &str) -> String {
    let text = visible_line(text).replace("\\|", "\\<U+007C>").replace('|', "\\|");
    if text.trim().is_empty() {
        return "(blank)".to_string();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    // A blank on either side is taken away again; it keeps the text's own ticks off the fence.
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ', '\\']) { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// The names and sentences of strangers get no longer than this, in characters, where they stand among others.
const LONGEST: usize = 200;

/// [`code`] of what may be long: its beginning.
pub fn brief(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => code(&format!("{}…", &text[..end])),
        None => code(text),
    }
}

/// [`brief`] where Markdown is not read: in the summary of what is folded away.
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

/// A sentence of ours that has code spans and no other Markdown: what else would be read as some is escaped.
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

/// Where the code span ends that a text begins with after so many ticks. Three ticks are words about a fence.
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

/// How long a text is for GitHub, counted in the way that gives most.
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
    fn prose_has_code_spans_and_nothing_else() {
        assert_eq!(prose("a `<b>*` and <c> or *"), "a `<b>*` and \\<c> or \\*");
        assert_eq!(prose("a line ```xml, and a line ```"), "a line \\`\\`\\`xml, and a line \\`\\`\\`");
        assert_eq!(prose("one ` alone\\"), "one \\` alone\\\\");
    }
}
