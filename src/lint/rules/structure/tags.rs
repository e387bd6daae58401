//! Elements in the body of a directive, which is prose with tags rather than XML. Tags and placeholders look alike, so
//! a name is only checked if each of its tags is at the edge of a line or closed on the same line.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memchr::{memchr, memchr3};

use crate::lint::rules::{Directive, Findings, LintFile, Project};
use crate::text::prefix_length;

/// Sections in directives of the documented system: one of these tags alone on a line is not a placeholder.
const SECTIONS: [&str; 9] =
    ["process", "steps", "step", "render", "instruction", "instructions", "success_criteria", "criterion", "tool_call"];

/// Whether an HTML element need not be closed.
fn is_void(name: &str) -> bool {
    matches!(name, "area" | "base" | "br" | "col" | "embed" | "hr" | "img" | "input" | "link" | "meta" | "param")
        || matches!(name, "source" | "track" | "wbr" | "p" | "li" | "td" | "tr" | "th" | "option")
}

/// Whether an element may contain arbitrary text.
fn is_verbatim(name: &str) -> bool {
    matches!(name, "template" | "example" | "raw" | "code" | "pre" | "script" | "style")
}

/// Longer text in angle brackets is not a tag.
const LONGEST: usize = 2_000;

/// Texts with more tags are probably generated, and are not checked.
const MOST_TAGS: usize = 100_000;

#[derive(Debug, PartialEq)]
struct BodyTag<'t> {
    pub name: &'t str,
    pub range: Range<usize>,
    pub is_closing: bool,
    has_attributes: bool,
}

/// The tags without a counterpart.
fn unbalanced(text: &str) -> Vec<BodyTag<'_>> {
    if memchr(b'<', text.as_bytes()).is_none() {
        return Vec::new();
    }
    let tags = tags(text);
    if tags.len() > MOST_TAGS || is_well_nested(&tags) {
        return Vec::new();
    }
    let closed: HashSet<&str> = tags.iter().filter(|tag| tag.is_closing).map(|tag| tag.name).collect();
    let tags = certain(text, tags);
    let is_element =
        |tag: &BodyTag<'_>| tag.has_attributes || closed.contains(tag.name) || SECTIONS.contains(&tag.name);
    let mut open: Vec<BodyTag<'_>> = Vec::new();
    // The number of open elements per name, so that a stray closing tag requires no search.
    let mut depth: HashMap<&str, usize> = HashMap::new();
    let mut found = Vec::new();
    for tag in tags {
        if !tag.is_closing {
            if is_element(&tag) {
                *depth.entry(tag.name).or_default() += 1;
                open.push(tag);
            }
            continue;
        }
        let Some(count) = depth.get_mut(tag.name).filter(|count| **count > 0) else {
            found.push(tag);
            continue;
        };
        *count -= 1;
        while let Some(last) = open.pop() {
            if last.name == tag.name {
                break;
            }
            depth.entry(last.name).and_modify(|count| *count -= 1);
            found.push(last);
        }
    }
    found.extend(open);
    found.sort_by_key(|tag| tag.range.start);
    found
}

fn is_well_nested(tags: &[BodyTag<'_>]) -> bool {
    let mut open = Vec::with_capacity(tags.len());
    tags.iter().all(|tag| match tag.is_closing {
        true => open.pop() == Some(tag.name),
        false => {
            open.push(tag.name);
            true
        }
    }) && open.is_empty()
}

/// The tags at the edge of their line, unless a tag of the same name is elsewhere in a line.
fn certain<'t>(text: &str, tags: Vec<BodyTag<'t>>) -> Vec<BodyTag<'t>> {
    let mut certain: Vec<BodyTag<'t>> = Vec::new();
    let mut doubtful: HashSet<&str> = HashSet::new();
    let mut rest = tags.into_iter().peekable();
    while let Some(first) = rest.next() {
        let start = text[..first.range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[first.range.end..].find('\n').map_or(text.len(), |at| first.range.end + at);
        let mut line = vec![first];
        while let Some(tag) = rest.next_if(|tag| tag.range.start < end) {
            line.push(tag);
        }
        // A tag with attributes may span lines.
        let end =
            line.last().map_or(end, |tag| text[tag.range.end..].find('\n').map_or(text.len(), |at| tag.range.end + at));
        let edges = (leading(text, start, &line), trailing(text, end, &line));
        for (index, tag) in unpaired(line) {
            let is_at_edge =
                if tag.is_closing { index == 0 && edges.0 > 0 || index >= edges.1 } else { index < edges.0 };
            if is_at_edge {
                certain.push(tag);
            } else {
                doubtful.insert(tag.name);
            }
        }
    }
    certain.retain(|tag| !doubtful.contains(tag.name));
    certain
}

/// Counts the tags of a line that follow only white space, a list marker and other tags.
fn leading(text: &str, start: usize, line: &[BodyTag<'_>]) -> usize {
    let mut at = start;
    let gaps = line.iter().enumerate().take_while(|(index, tag)| {
        let gap = text[at..tag.range.start].trim();
        at = tag.range.end;
        gap.is_empty() || *index == 0 && is_list_marker(gap)
    });
    gaps.count()
}

/// The index of the first tag of a line that only white space and other tags follow.
fn trailing(text: &str, end: usize, line: &[BodyTag<'_>]) -> usize {
    let mut at = end;
    let gaps = line.iter().rev().take_while(|tag| {
        let gap = text[tag.range.end..at.max(tag.range.end)].trim();
        at = tag.range.start;
        gap.is_empty()
    });
    line.len() - gaps.count()
}

fn is_list_marker(text: &str) -> bool {
    matches!(text, "-" | "*" | "+") || text.strip_suffix(['.', ')']).is_some_and(|it| it.parse::<u32>().is_ok())
}

/// The tags of a line that are not opened and closed on it, each with its index.
fn unpaired(line: Vec<BodyTag<'_>>) -> Vec<(usize, BodyTag<'_>)> {
    let mut left: Vec<(usize, BodyTag<'_>)> = Vec::new();
    for (index, tag) in line.into_iter().enumerate() {
        match left.last() {
            Some((_, last)) if tag.is_closing && !last.is_closing && last.name == tag.name => drop(left.pop()),
            _ => left.push((index, tag)),
        }
    }
    left
}

/// The tags outside of code, comments and verbatim elements.
fn tags(text: &str) -> Vec<BodyTag<'_>> {
    let mut tags = Vec::new();
    // Verbatim elements without a closing tag in the rest of the text.
    let mut unclosed: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr3(b'<', b'`', b'~', &text.as_bytes()[at..]).filter(|_| tags.len() <= MOST_TAGS) {
        let start = at + found;
        let rest = &text[start..];
        at = match rest.as_bytes()[0] {
            b'<' if rest.starts_with("<!--") => rest.find("-->").map_or(text.len(), |end| start + end + "-->".len()),
            b'<' => match tag(text, start) {
                Some(tag) => {
                    let end = tag.range.end;
                    if text[..end].ends_with("/>") || is_void(tag.name) {
                        end
                    } else if !is_verbatim(tag.name) {
                        tags.push(tag);
                        end
                    } else if tag.is_closing || unclosed.contains(&tag.name) {
                        end
                    } else {
                        let closing = format!("</{}>", tag.name);
                        let found = text[end..].find(&closing);
                        if found.is_none() {
                            unclosed.push(tag.name);
                        }
                        found.map_or(end, |found| end + found + closing.len())
                    }
                }
                None => start + 1,
            },
            ticks => code_end(text, start, ticks),
        };
    }
    tags
}

fn tag(text: &str, start: usize) -> Option<BodyTag<'_>> {
    let rest = &text[start + 1..];
    let is_closing = rest.starts_with('/');
    let from = start + 1 + usize::from(is_closing);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let rest = &text[from..];
    let length = prefix_length(rest, is_part);
    let name = &rest[..length];
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let after = from + length;
    // Most tags end here, and a body may have thousands.
    if text.as_bytes().get(after) == Some(&b'>') {
        return Some(BodyTag { name, range: start..after + 1, is_closing, has_attributes: false });
    }
    let end = attributes_end(text, after)?;
    let between = text[after..end - 1].trim_end_matches('/');
    let has_attributes = !between.trim().is_empty();
    let is_tag = !has_attributes || !is_closing && between.starts_with(char::is_whitespace);
    is_tag.then_some(BodyTag { name, range: start..end, is_closing, has_attributes })
}

/// The end of a tag if only attributes with values follow its name.
fn attributes_end(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        if at - from > LONGEST {
            return None;
        }
        if let Some(end) = [">", "/>"].into_iter().find(|end| rest.starts_with(end)) {
            return Some(at + end.len());
        }
        let name = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | ':'))?;
        let quote = rest[name..].strip_prefix('=').and_then(|value| value.chars().next())?;
        if name == 0 || !matches!(quote, '"' | '\'') {
            return None;
        }
        let value = at + name + 2;
        at = value + text[value..].find(quote)? + 1;
    }
}

/// The end of the code that starts with a row of backticks or tildes; if none does, the end of the row.
fn code_end(text: &str, start: usize, tick: u8) -> usize {
    let is_tick = |c: char| c == char::from(tick);
    let count = |text: &str| text.len() - text.trim_start_matches(is_tick).len();
    let ticks = count(&text[start..]);
    if ticks >= 3 && begins_line(&text[..start]) {
        let mut at = start;
        while let Some(next) = text[at..].find('\n').map(|found| at + found + 1) {
            let row = text[next..].trim_start_matches([' ', '\t']);
            let closing = count(row);
            let is_closed = closing >= ticks && row[closing..].lines().next().is_none_or(|rest| rest.trim().is_empty());
            at = text.len() - row.len() + closing;
            if is_closed {
                return at;
            }
        }
        return text.len();
    }
    if tick == b'~' {
        return start + ticks;
    }
    // Inline code may span lines, up to the next row of the same length.
    let mut at = start + ticks;
    while let Some(found) = text[at..].find('`').map(|found| at + found) {
        let closing = count(&text[found..]);
        at = found + closing;
        if closing == ticks {
            return at;
        }
    }
    start + ticks
}

/// Whether a line begins here, after any white space and list marker.
fn begins_line(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t']);
    let unmarked = before.trim_end_matches(['-', '*', '+', '.', ')']).trim_end_matches(|c: char| c.is_ascii_digit());
    let is_start = |text: &str| text.is_empty() || text.ends_with('\n');
    is_start(before) || is_start(unmarked.trim_end_matches([' ', '\t']))
}

pub fn body_tags_unbalanced(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for tag in unbalanced(directive.body.text()) {
        let message = match tag.is_closing {
            true => format!("</{}> closes nothing", tag.name),
            false => format!("<{}> is never closed", tag.name),
        };
        found.at(directive.body.slice(tag.range), message);
    }
}

#[cfg(test)]
mod tags_tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<String> {
        unbalanced(text)
            .iter()
            .map(|tag| {
                assert_eq!(&text[tag.range.clone()][1..2] == "/", tag.is_closing);
                text[tag.range.clone()].to_string()
            })
            .collect()
    }

    #[test]
    fn opening_and_closing_tags_must_match() {
        assert_eq!(found("<process>\n<step name=\"a\">\nDo it.\n</step>\n</process>"), [""; 0]);
        assert_eq!(found("<process>\n<step name=\"a\">\nDo it.\n</process>"), ["<step name=\"a\">"]);
        assert_eq!(found("<process>\nDo it.\n</step>\n</process>"), ["</step>"]);
        assert_eq!(found("<process>\nDo it.\n"), ["<process>"]);
        assert_eq!(found("- <rule>one</rule>\n- <rule>two\n"), ["<rule>"]);
        assert_eq!(found("<a>\n<b>\n</a>\n</b>"), ["<b>", "</b>"]);
    }

    #[test]
    fn placeholders_are_not_elements() {
        let prose = [
            "Write to <path> and <name>.",
            "<summary>\n",
            "Return Vec<T> and Map<K, V> if a < b and c > d.",
            "<first node from {input:nodes}>",
            "See <https://example.org> or <me@example.org>.",
            "Say <name>, then close with </name> elsewhere",
        ];
        for text in prose {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn code_comments_and_examples_may_contain_anything() {
        let texts = [
            "Close the `<process>` element with `</step>`.\n",
            "  ```xml\n  <process>\n  ```\n",
            "~~~\n</step>\n~~~\n",
            "`` a ` <step name=\"x\"> ``\n",
            "`one\n<step name=\"x\">\ntwo`\n",
            "<!-- <process> -->\n",
            "<example>\n<process>\n</example>\n",
            "<br>\n<img src=\"a\">\n<step name=\"x\"/>\n",
            "````\n```\n<process>\n````",
        ];
        for text in texts {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_name_with_a_doubtful_tag_is_not_checked() {
        assert_eq!(found("The <process> tag opens it.\n<process>\nDo.\n</process>"), [""; 0]);
        assert_eq!(found("Until </step> comes.\n<step name=\"a\">\nx\n</step>\n"), [""; 0]);
        assert_eq!(found("See <note>this\none</note> and that"), [""; 0]);
        assert_eq!(found("a <b>word</b> and\n<step name=\"a\">\n"), ["<step name=\"a\">"]);
    }

    #[test]
    fn tags_may_span_lines_and_contain_angle_brackets() {
        assert_eq!(found("<step name=\"a > b\"\n  if='x'>\nDo.\n</step>"), [""; 0]);
    }

    proptest! {
        #[test]
        fn no_text_causes_a_panic(text in "[<>/a`~\"=\n -]{0,60}") {
            let _ = unbalanced(&text);
        }

        #[test]
        fn nested_elements_are_balanced(names in prop::collection::vec("[a-d]x", 0..8)) {
            let open: String = names.iter().map(|name| format!("<{name}>\n")).collect();
            let close: String = names.iter().rev().map(|name| format!("</{name}>\n")).collect();
            let text = format!("{open}text\n{close}");
            prop_assert_eq!(unbalanced(&text), vec![]);
        }
    }
}
