//! The sections of a Markdown text.

use std::ops::Range;

use serde_json::{Value, json};

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::about::About;
use super::position::Lines;
use crate::text::Span;

/// A heading and the text up to the next one of its level or above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub title: String,
    /// 1 to 6.
    pub level: usize,
    /// The heading.
    pub heading: Range<usize>,
    pub range: Range<usize>,
}

/// The sections in their order. Front matter is none.
fn sections_of(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    // The indices of those that go on, each of a higher level than the next.
    let mut unfinished: Vec<usize> = Vec::new();
    let mut open: Option<(HeadingLevel, Range<usize>, String)> = None;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_YAML_STYLE_METADATA_BLOCKS).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => open = Some((level, range, String::new())),
            Event::End(TagEnd::Heading(_)) => {
                if let Some((level, heading, title)) = open.take() {
                    let level = level as usize;
                    while let Some(last) = unfinished.pop_if(|last| sections[*last].level >= level) {
                        sections[last].range.end = heading.start;
                    }
                    unfinished.push(sections.len());
                    let range = heading.start..text.len();
                    let title = if title.is_empty() { "(no title)".to_string() } else { title };
                    sections.push(Section { title, level, heading, range });
                }
            }
            Event::Text(part) | Event::Code(part) => {
                if let Some((.., title)) = &mut open {
                    title.push_str(&part);
                }
            }
            _ => {}
        }
    }
    sections
}

impl About<'_> {
    /// The sections of a Markdown document.
    pub fn sections(&self) -> Vec<Section> {
        if self.path.ends_with(".md") { sections_of(self.read_text()) } else { Vec::new() }
    }

    /// The sections of the document, and what a directive declares.
    pub fn symbols(&self) -> Vec<Value> {
        let lines = Lines::new(self.read_text());
        let range = |range: Range<usize>| {
            let [start, end] = [range.start, range.end].map(|at| lines.position(self.encoding, at));
            json!({ "start": start, "end": end })
        };
        let of_section = |section: Section| {
            let heading = range(section.heading);
            json!({ "name": section.title, "kind": 15, "range": range(section.range), "selectionRange": heading })
        };
        let declared = |name: &str, kind: u32, span: &Span| {
            let range = self.encoding.span(span);
            json!({ "name": name, "kind": kind, "range": range, "selectionRange": range })
        };
        let mut symbols = Vec::new();
        if let Some(directive) = self.file().and_then(|file| file.readable()) {
            // Kinds of the protocol: variable, property and event.
            symbols.extend(directive.inputs.iter().map(|it| declared(it.name.as_str(), 13, &it.span)));
            let outputs = directive.outputs.iter().filter_map(|it| Some((it.name.as_ref()?.as_str(), &it.span)));
            symbols.extend(outputs.map(|(name, span)| declared(name, 7, span)));
            let hooks = directive.hooks.iter().filter_map(|it| Some((it.id.as_deref()?, it.span.as_ref()?)));
            symbols.extend(hooks.map(|(id, span)| declared(id, 24, span)));
            symbols.retain(|symbol| symbol["name"] != "");
        }
        symbols.extend(self.sections().into_iter().map(of_section));
        symbols
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_at_the_next_one_of_its_level() {
        let text = "---\nname: x\n---\nBefore.\n# A `b`\nOne.\n## C\nTwo.\n# D\n```\n# no heading\n```\n";
        let found: Vec<_> = sections_of(text).into_iter().map(|it| (it.title, it.level, &text[it.range])).collect();
        let expected = [
            ("A b", 1, "# A `b`\nOne.\n## C\nTwo.\n"),
            ("C", 2, "## C\nTwo.\n"),
            ("D", 1, "# D\n```\n# no heading\n```\n"),
        ];
        assert_eq!(found, expected.map(|(title, level, text)| (title.to_string(), level, text)));
    }
}
