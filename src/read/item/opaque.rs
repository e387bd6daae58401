use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr_iter;

use crate::diagnostic::{Diagnostic, Problem};
use crate::text::Span;

/// The elements whose content is not read as XML.
pub(super) const SECTIONS: [&str; 3] = ["template", "example", "raw"];

/// Replaces every opaque section of an `xml` block with an empty element of the same byte length, so that offsets stay
/// valid (Directives, "Reading a directive"). A section runs from `<template` to the first `</template>` after the next
/// `>`, whatever is in between; sections are matched leftmost first.
pub(super) fn blank<'c>(content: &'c Span, diagnostics: &mut Vec<Diagnostic>) -> Cow<'c, str> {
    let text = content.text();
    let sections = sections(text);
    if sections.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for section in sections {
        let element = &text[section.range.start + 1..section.tag_end];
        let element = &element[..element.find([' ', '\t', '\n', '/']).unwrap_or(element.len())];
        let at = content.slice(section.range.start..section.tag_end + 1);
        if element != section.name {
            let element = element.to_string();
            diagnostics.push(Diagnostic::at(Problem::OpaqueByPrefix { element, section: section.name }, &at));
        }
        if text[..section.tag_end].ends_with('/') {
            diagnostics.push(Diagnostic::at(Problem::OpaqueSelfClosing { section: section.name }, &at));
        }
        out.push_str(&text[out.len()..section.range.start]);
        out.push('<');
        out.push_str(section.name);
        out.extend(std::iter::repeat_n(' ', section.range.len() - section.name.len() - "</>".len()));
        out.push_str("/>");
    }
    out.push_str(&text[out.len()..]);
    Cow::Owned(out)
}

struct OpaqueSection {
    name: &'static str,
    range: Range<usize>,
    tag_end: usize,
}

fn sections(text: &str) -> Vec<OpaqueSection> {
    let mut found = Vec::new();
    // Names without a closing tag in the rest of the text.
    let mut unclosed = Vec::new();
    let mut at = 0;
    for start in memchr_iter(b'<', text.as_bytes()) {
        let rest = &text[start + 1..];
        // Most tags are no section, and their first letter shows it.
        if start < at || !matches!(rest.as_bytes(), [b't' | b'e' | b'r', ..]) {
            continue;
        }
        let named = SECTIONS.into_iter().find(|name| rest.starts_with(name) && !unclosed.contains(name));
        let Some(name) = named else { continue };
        let Some(tag_end) = rest.find('>').map(|found| start + 1 + found) else { break };
        let closing = format!("</{name}>");
        match text[tag_end + 1..].find(&closing) {
            Some(found_at) => {
                at = tag_end + 1 + found_at + closing.len();
                found.push(OpaqueSection { name, range: start..at, tag_end });
            }
            None => unclosed.push(name),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::text::Source;

    fn source(text: &str) -> Arc<Source> {
        Source::read("project".into(), "x.md", text.as_bytes().to_vec()).unwrap()
    }

    fn blanked(text: &str) -> (String, Vec<&'static str>) {
        let mut diagnostics = Vec::new();
        let out = blank(&source(text).whole(), &mut diagnostics).into_owned();
        (out, diagnostics.iter().map(Diagnostic::code).collect())
    }

    #[test]
    fn sections_become_empty_elements() {
        assert_eq!(blanked("<d><raw>é&<</raw>x</d>"), ("<d><raw         />x</d>".into(), vec![]));
        assert_eq!(blanked("<raw></raw>"), ("<raw     />".into(), vec![]));
    }

    #[test]
    fn leftmost_first_each_to_its_own_closing_tag() {
        assert_eq!(blanked("<raw><template></raw></template>").0, "<raw               /></template>");
        assert_eq!(blanked("<!-- <example a='b'> --></example>").0, "<!-- <example                   />");
    }

    #[test]
    fn the_name_matches_by_prefix() {
        assert_eq!(
            blanked("<templates a='1'>&</template>"),
            (format!("<template{}/>", " ".repeat(18)), vec!["opaque_by_prefix"])
        );
    }

    #[test]
    fn a_self_closing_section_extends_to_the_next_closing_tag() {
        assert_eq!(
            blanked("<raw/><a/><raw>x</raw><b/>"),
            ("<raw                /><b/>".into(), vec!["opaque_self_closing"])
        );
        assert_eq!(blanked("<raw/><a/>"), ("<raw/><a/>".into(), vec![]));
    }

    proptest! {
        #[test]
        fn offsets_stay_valid(
            parts in prop::collection::vec(
                prop::sample::select(vec!["<raw", "</raw>", "<template", "</template>", ">", "/", "é", "<x", " "]),
                0..12,
            ),
        ) {
            let text = parts.concat();
            let (out, _) = blanked(&text);
            prop_assert_eq!(out.len(), text.len());
            let again = blanked(&out).0;
            prop_assert_eq!(again.len(), out.len());
        }
    }
}
