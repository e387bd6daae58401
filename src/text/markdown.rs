//! What a Markdown text says to a program, but not to a reader.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};
use regex::Regex;

use super::constant_pattern;

/// The characters with which structure begins, in one text: the parser keeps each in memory.
pub const MOST_MARKS: usize = 1_000_000;

const OPENS: &str = "<!--";

/// What HTML does not show: how it begins and ends.
const UNSEEN: [(&str, &str); 4] = [(OPENS, "-->"), ("<![CDATA[", "]]>"), ("<!", ">"), ("<?", "?>")];

/// Whether a text has more marks than are read.
pub fn is_too_much(text: &str) -> bool {
    let is_mark =
        |byte: &u8| matches!(byte, b'\n' | b'!' | b'&' | b'*' | b'<' | b'[' | b'\\' | b']' | b'_' | b'`' | b'|' | b'~');
    text.len() > MOST_MARKS && text.as_bytes().iter().filter(|byte| is_mark(byte)).count() > MOST_MARKS
}

/// Comments and definitions of links that nothing uses, in order. A comment without an end hides the rest of the text.
/// In a text with too much structure, all that looks like a comment is one.
pub fn unseen(text: &str) -> Vec<Range<usize>> {
    let has_comments = UNSEEN.iter().any(|(opens, _)| text.contains(opens));
    if !has_comments && !text.contains("]:") {
        return Vec::new();
    }
    if is_too_much(text) {
        return comments(text, std::iter::once(0..text.len()));
    }
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let (mut html, mut shown, mut used) = (Vec::new(), Vec::new(), HashSet::new());
    let mut starts = Vec::new();
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        if !matches!(event, Event::End(_)) {
            starts.push(range.start);
        }
        match event {
            Event::Html(_) | Event::InlineHtml(_) => html.push(range.clone()),
            Event::Start(Tag::Link { link_type, id, .. } | Tag::Image { link_type, id, .. }) => {
                if matches!(link_type, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut) {
                    used.insert(normal(&id));
                }
                continue;
            }
            Event::Text(_) | Event::Code(_) => {}
            _ => continue,
        }
        shown.push(range);
    }
    let mut found = comments(text, html.into_iter());
    found.extend(definitions(text, &shown, &starts, &used));
    found.sort_by_key(|range| range.start);
    found
}

/// Comments that begin in one of these ranges.
fn comments(text: &str, html: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for range in html {
        at = at.max(range.start);
        while let Some(start) = (at < range.end).then(|| text[at..range.end].find('<')).flatten() {
            at += start;
            match comment_end(&text[at..]) {
                Some(length) => {
                    found.push(at..at + length);
                    at += length;
                }
                None => at += 1,
            }
        }
    }
    found
}

/// The length of the comment at the start of a text. `<!-->` and `<!--->` are comments.
fn comment_end(text: &str) -> Option<usize> {
    let (opens, closes) = UNSEEN.iter().find(|(opens, _)| text.starts_with(opens))?;
    let rest = &text[opens.len()..];
    let short = [">", "->"].into_iter().find(|short| *opens == OPENS && rest.starts_with(short)).map(str::len);
    let end = short.or_else(|| Some(rest.find(closes)? + closes.len()));
    Some(end.map_or(text.len(), |end| opens.len() + end))
}

/// Definitions of links that nothing uses, each up to what follows it. `shown` are the ranges of texts, in order, and
/// `starts` the places at which anything begins. The parser itself keeps only the first definition of a label.
fn definitions<'t>(
    text: &'t str,
    shown: &'t [Range<usize>],
    starts: &'t [usize],
    used: &'t HashSet<String>,
) -> impl Iterator<Item = Range<usize>> + 't {
    static LABEL: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"(?m)^[ \t>*+\-]*\[((?:[^\[\]\\]|\\.)+)\]:"));
    let shown_from = |at: usize| &shown[shown.partition_point(|range| range.end <= at)..];
    let next_start = |at: usize| starts.get(starts.partition_point(|start| *start <= at)).copied();
    let mut labels = LABEL.captures_iter(text).filter_map(|found| Some((found.get(0)?, found.get(1)?))).peekable();
    std::iter::from_fn(move || {
        let (_, label) = labels.next()?;
        let end = labels.peek().map_or(text.len(), |(next, _)| next.start());
        let start = label.start() - 1;
        let is_shown = shown_from(label.start()).first().is_some_and(|next| next.start <= label.start());
        let is_unseen = !is_shown && !used.contains(&normal(label.as_str()));
        let end = next_start(start).map_or(end, |next| next.min(end));
        Some(is_unseen.then(|| start..start + text[start..end].trim_end().len()))
    })
    .flatten()
}

/// A label as labels are compared.
fn normal(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        unseen(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn what_a_page_does_not_show_is_found() {
        for (text, expected) in [
            ("a <!-- b --> c <!-- d\ne -->", vec!["<!-- b -->", "<!-- d\ne -->"]),
            ("<div>\n<!-- a\n\nb --></div>", vec!["<!-- a\n\nb -->"]),
            ("a\n\n<!-- b\n\nc", vec!["<!-- b\n\nc"]),
            ("`a`<!-- b -->", vec!["<!-- b -->"]),
            ("<!-->\na -->", vec!["<!-->"]),
            ("a <?b?> <!C> <![CDATA[d]]>", vec!["<?b?>", "<!C>", "<![CDATA[d]]>"]),
            ("[a\nb]: <> \"c\"\n\n[c]: <> \"\nd\"\n", vec!["[a\nb]: <> \"c\"", "[c]: <> \"\nd\""]),
            ("[a]: <> \"b\"\nc", vec!["[a]: <> \"b\""]),
            ("[//]: # (a)\n[//]: # (b)\n\n> [c]: <> \"d\"\n", vec!["[//]: # (a)", "[//]: # (b)", "[c]: <> \"d\""]),
        ] {
            assert_eq!(found(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_a_page_shows_is_not_found() {
        for text in [
            "`<!-- a -->`",
            "```\n<!-- a -->\n[b]: c\n```",
            "    <!-- a -->",
            "\\<!-- a -->",
            "a <!-- b\n\nc",
            "a\n[b]: c",
            "[a][B] ![c] [d][]\n\n[b]: e\n[c]: f\n[d]: g",
            "- [ ]: a",
            "a < b <b>c</b>",
        ] {
            assert_eq!(found(text), [] as [&str; 0], "{text:?}");
        }
    }

    #[test]
    fn too_much_structure_is_searched_as_it_is() {
        let text = format!("{}`<!-- a -->`", "*\n".repeat(MOST_MARKS));
        assert_eq!(found(&text), ["<!-- a -->"]);
    }
}
