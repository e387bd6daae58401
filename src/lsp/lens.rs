//! What a document costs, above its first line and behind its headings; its sections; and the prompts themselves.

use std::ops::Range;

use gen_lsp_types::Position;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use super::about::About;
use super::position::Lines;
use crate::answer::agents::AgentMatrix;
use crate::answer::render::{self, RenderFormat, RenderView};
use crate::prompt::{DecisionOutcome, FileState, Prompt};
use crate::read::address::{path_of, url_of};
use crate::system;
use crate::text::Span;
use crate::text::numbers::{count, thousands};
use crate::text::tokens::Tokenizer;
use crate::write::screen::Screen;

/// The scheme of prompts as documents.
pub const SCHEME: &str = "rye-render";

/// What opens one.
pub const COMMAND: &str = "rye-render.prompt";

/// The address of the prompt of a directive or of an agent. Editors may leave out an empty host and an empty query.
pub struct PromptAddress {
    /// The `file:` URL.
    pub file: String,
    /// Empty for a directive.
    pub agent: String,
}

impl PromptAddress {
    pub fn parse(url: &str) -> Option<Self> {
        let rest = url.strip_prefix(SCHEME)?.strip_prefix(':')?;
        let (path, agent) = rest.split_once('?').unwrap_or((rest, ""));
        let file = format!("file://{}", path.strip_prefix("//").unwrap_or(path));
        path_of(&file)?;
        Some(Self { file, agent: percent_decode_str(agent).decode_utf8().ok()?.into_owned() })
    }
}

impl About<'_> {
    fn address(&self, agent: &str) -> String {
        let file = url_of(&self.root.join(self.path)).replacen("file", SCHEME, 1);
        format!("{file}?{}", utf8_percent_encode(agent, NON_ALPHANUMERIC))
    }

    /// One line above the document for each prompt that it is the file of.
    pub fn lenses(&self) -> Vec<Value> {
        let at = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
        let lens = |title: String, agent: &str| {
            let command = json!({ "title": title, "command": COMMAND, "arguments": [self.address(agent)] });
            json!({ "range": at, "command": command })
        };
        if self.reading.project.folders.is_some() {
            let matrix = self.matrix();
            let title = |it: &crate::answer::agents::AgentColumn| {
                let whole = self.root.join(self.path);
                let file = it.files.iter().find(|file| whole == *file.outcome.path)?;
                let tokens = file.tokens.map(|tokens| format!(", {}", count(tokens, "token"))).unwrap_or_default();
                let title = format!("{}: {}{tokens}; prompt: {}", it.agent.name, file.phrase(), it.tokens_shown());
                Some(lens(title, it.agent.name))
            };
            return matrix.agents.iter().filter_map(title).collect();
        }
        let Some(file) = self.file().filter(|file| file.directive().is_some()) else { return Vec::new() };
        let Some(prompt) = self.prompt(&file.id) else { return Vec::new() };
        let tokens: usize = prompt.messages.iter().map(|message| Tokenizer::default().count(message.text())).sum();
        let left_out = prompt.decisions.iter().filter(|it| it.outcome != DecisionOutcome::Included).count();
        let left_out = if left_out == 0 { String::new() } else { format!(", {} left out", thousands(left_out)) };
        vec![lens(format!("{}: {}{left_out}", file.id, count(tokens, "token")), "")]
    }

    fn matrix(&self) -> AgentMatrix {
        let prompts = self.prompts().rendered.into_iter().map(|(_, prompt)| (prompt, [].as_slice())).collect();
        AgentMatrix::new(&system::text(self.root), prompts, Tokenizer::default())
    }

    /// The prompt of the document's directive, or of an agent, as `render` prints it.
    pub fn rendered(&self, agent: &str) -> Option<String> {
        let prompts = self.prompts().rendered;
        let own = self.file().map(|file| file.id.as_str());
        let is_meant = |name: &str| if agent.is_empty() { Some(name) == own } else { name == agent };
        let (_, prompt) = prompts.iter().find(|(name, _)| is_meant(name))?;
        text_of(prompt)
    }

    /// The tokens of each section, and where agents cut the document.
    pub fn hints(&self) -> Vec<Value> {
        let hint = |position: Position, label: String, is_left: bool| json!({ "position": position, "label": label, "paddingLeft": is_left, "paddingRight": !is_left });
        let text = self.read_text();
        let lines = Lines::new(text);
        let of_section = |section: &Section| {
            let end = section.heading.start + text[section.heading.clone()].trim_end().len();
            let tokens = count(Tokenizer::default().count(&text[section.range.clone()]), "token");
            hint(lines.position(self.encoding, end), tokens, true)
        };
        let mut hints: Vec<Value> = self.sections().iter().map(of_section).collect();
        let whole = self.root.join(self.path);
        for prompt in self.reading.project.folders.iter().flat_map(|folders| &folders.prompts) {
            let name = prompt.agent.as_ref().map_or("", |agent| agent.name);
            for file in prompt.files.iter().filter(|file| whole == *file.path) {
                if let FileState::Cut(at) = file.state {
                    // Bytes of the file as it is.
                    let at = self.encoding.position_in(self.text, self.text.floor_char_boundary(at));
                    hints.push(hint(at, format!("cut here for {name}"), false));
                }
            }
        }
        hints
    }
}

fn text_of(prompt: &Prompt) -> Option<String> {
    let view = RenderView {
        format: RenderFormat::Text,
        role: None,
        tokenizer: Tokenizer::default(),
        screen: Screen::plain(100),
    };
    let mut text = Vec::new();
    render::write(prompt, &view, &mut text).ok()?;
    String::from_utf8(text).ok()
}

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
mod outline_tests {
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
