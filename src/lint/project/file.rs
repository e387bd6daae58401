use std::sync::{Arc, OnceLock};

use crate::diagnostic::{Diagnostic, Location};
use crate::lint::folders::AgentFile;
use crate::read::item::{Directive, ItemField, Knowledge, TextPlace};
use crate::read::store::{ItemKind, last_segment};
use crate::read::tool::{ToolFile, read_tool};
use crate::read::trust::Trust;
use crate::read::value::Value;
use crate::read::yaml::YamlNode;
use crate::text::characters::{self, CharacterClass};
use crate::text::{Origin, Source, Span, Traced};

#[derive(Debug, Clone)]
pub struct LintFile {
    /// Its index in the list of tiers.
    pub tier: usize,
    pub kind: FileKind,
    /// The id of an item or the name of a skill; for configuration, the path below `.ai/config` without extension;
    /// for other agent files, the path.
    pub id: String,
    /// Relative to the folder that holds `.ai/`.
    pub path: String,
    /// Whether its findings are reported: a file of the project that is in scope and not ignored.
    pub is_linted: bool,
    /// Whether git ignores it, so that others do not have it. Known of files that would be checked.
    pub is_private: bool,
    /// None if it could not be read, which a diagnostic reports.
    pub source: Option<Arc<Source>>,
    pub content: FileContent,
    pub diagnostics: Vec<Diagnostic>,
    /// Computed on first use, like the fields below.
    pub(super) trust: OnceLock<Trust>,
    pub(super) invisible: OnceLock<Arc<[InvisibleText]>>,
    /// An upper bound on the size of its directive's prompt.
    pub(in crate::lint) most_bytes: OnceLock<usize>,
    pub(in crate::lint) tokens: OnceLock<usize>,
}

#[derive(Debug, Clone)]
pub struct InvisibleText {
    pub class: CharacterClass,
    /// The characters, or the escapes that produce them.
    pub span: Span,
    pub characters: String,
    /// The number of further runs of the class, which are not reported.
    pub more: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    Item(ItemKind),
    /// A YAML or TOML file below `.ai/config`, or the settings of an agent's working folder.
    Configuration,
    Agents(AgentFile),
}

impl LintFile {
    /// The codes of its diagnostics, each with its path.
    pub(in crate::lint) fn problems(&self) -> impl Iterator<Item = (&str, &str)> {
        self.diagnostics.iter().map(|diagnostic| (diagnostic.code(), self.path.as_str()))
    }
}

impl FileKind {
    pub fn item(self) -> Option<ItemKind> {
        match self {
            Self::Item(kind) => Some(kind),
            Self::Configuration | Self::Agents(_) => None,
        }
    }
}

#[derive(Debug, Clone)]
pub enum FileContent {
    Directive(Arc<Directive>),
    /// A directive that can be read but not rendered; a diagnostic says why.
    Refused(Arc<Directive>),
    Knowledge(Arc<Knowledge>),
    Tool,
    Configuration(YamlNode),
    Markdown,
    /// A file that is unusable, which a diagnostic reports, or not parsed, such as TOML.
    Nothing,
}

impl LintFile {
    pub(in crate::lint) fn new(tier: usize, kind: FileKind, id: String, path: String) -> Self {
        Self {
            tier,
            kind,
            id,
            path,
            is_linted: false,
            is_private: false,
            source: None,
            content: FileContent::Nothing,
            diagnostics: Vec::new(),
            trust: OnceLock::new(),
            invisible: OnceLock::new(),
            most_bytes: OnceLock::new(),
            tokens: OnceLock::new(),
        }
    }

    /// Drops what depends on other files.
    pub(super) fn forget(&mut self, is_linted: bool) {
        (self.is_linted, self.is_private) = (is_linted, false);
        (self.trust, self.most_bytes, self.tokens) = Default::default();
    }

    pub fn directive(&self) -> Option<&Directive> {
        match &self.content {
            FileContent::Directive(directive) => Some(directive),
            _ => None,
        }
    }

    /// The directive, even one that cannot be rendered.
    pub fn readable(&self) -> Option<&Directive> {
        match &self.content {
            FileContent::Directive(directive) | FileContent::Refused(directive) => Some(directive),
            _ => None,
        }
    }

    pub fn knowledge(&self) -> Option<&Knowledge> {
        match &self.content {
            FileContent::Knowledge(knowledge) => Some(knowledge),
            _ => None,
        }
    }

    /// The location of the whole file, with its text if it could be read.
    pub fn location(&self, tier: &Arc<str>) -> Location {
        match &self.source {
            Some(source) => Location::Span(source.span(0..0)),
            None => Location::file(Arc::clone(tier), &self.path),
        }
    }

    pub fn stem(&self) -> &str {
        last_segment(&self.id)
    }

    /// Invisible characters, literal or written as references or escapes, in text that a prompt may show.
    pub fn invisible_characters(&self) -> &[InvisibleText] {
        self.invisible.get_or_init(|| self.find_invisible().into())
    }

    fn find_invisible(&self) -> Vec<InvisibleText> {
        let Some(source) = &self.source else { return Vec::new() };
        let text = source.text();
        let place = |run: characters::InvisibleRun| {
            let span = source.span(run.range);
            InvisibleText { class: run.class, characters: span.text().to_string(), span, more: run.more }
        };
        let mut found: Vec<InvisibleText> = characters::find(text).into_iter().map(place).collect();
        match &self.content {
            FileContent::Directive(directive) | FileContent::Refused(directive) if text.contains("&#") => {
                shown_fields(directive).for_each(|field| decoded(&field.text, &mut found));
            }
            FileContent::Knowledge(knowledge) if text.contains('\\') => {
                let keys = ["name", "content"].into_iter().filter_map(|key| knowledge.metadata.get(key));
                keys.for_each(|node| decoded(&node.traced(), &mut found));
                if matches!(knowledge.place, TextPlace::Key(_)) {
                    decoded(&knowledge.text(), &mut found);
                }
            }
            FileContent::Tool if ESCAPES.iter().any(|escape| text.contains(escape)) => {
                escaped_in_tool(source, &mut found)
            }
            _ => {}
        }
        found
    }
}

/// The prefixes of escapes that may produce an invisible character.
const ESCAPES: [&str; 5] = ["\\u", "\\U", "\\x", "\\N", "\\e"];

/// Invisible characters that a tool escapes in its schema or description.
fn escaped_in_tool(source: &Arc<Source>, found: &mut Vec<InvisibleText>) {
    let Ok(ToolFile { schema, description, schema_span, description_span }) = read_tool(source) else { return };
    let mut add = |text: &str, span: &Span| {
        let runs = characters::find(text).into_iter().map(|run| (run.class, &text[run.range]));
        let escaped = runs.filter(|(_, characters)| !span.text().contains(characters));
        let place = |(class, characters): (CharacterClass, &str)| InvisibleText {
            class,
            span: span.clone(),
            characters: characters.into(),
            more: 0,
        };
        found.extend(escaped.map(place));
    };
    if let Some(span) = &description_span {
        add(&description, span);
    }
    texts_of(&schema, &mut |text| add(text, &schema_span));
}

fn texts_of(value: &Value, each: &mut impl FnMut(&str)) {
    match value {
        Value::Str(text) => each(text),
        Value::List(list) => list.iter().for_each(|item| texts_of(item, each)),
        Value::Map(map) => map.iter().for_each(|(key, item)| {
            texts_of(key, each);
            texts_of(item, each);
        }),
        _ => {}
    }
}

/// The fields of a directive that a prompt may show besides its body.
fn shown_fields(directive: &Directive) -> impl Iterator<Item = &ItemField> {
    let outputs = directive.outputs.iter().flat_map(|output| {
        [&output.name, &output.output_type, &output.description].into_iter().filter_map(Option::as_ref)
    });
    [&directive.name, &directive.description].into_iter().filter_map(Option::as_ref).chain(outputs)
}

/// Invisible characters that a file writes as references or escapes.
fn decoded(text: &Traced, found: &mut Vec<InvisibleText>) {
    let invisible = characters::find(text.text());
    for segment in text.segments() {
        let Origin::Derived(span) = segment.origin else { continue };
        let range = segment.at..segment.at + segment.text.len();
        let first = invisible.partition_point(|it| it.range.end <= range.start);
        if let Some(it) = invisible.get(first).filter(|it| it.range.start < range.end) {
            found.push(InvisibleText {
                class: it.class,
                characters: segment.text.to_string(),
                span: span.clone(),
                more: 0,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::testing::Example;
    use crate::lint::{LintOptions, testing};

    fn findings_of(example: &'static str) -> Vec<(&'static str, String)> {
        let found = testing::found(Example(example), &LintOptions::default());
        let of_characters = found.into_iter().filter(|it| ("RR611".."RR615").contains(&it.rule.code));
        of_characters.map(|finding| (finding.rule.code, finding.message)).collect()
    }

    /// Text that a prompt shows decoded is checked as the model reads it.
    #[test]
    fn references_and_escapes_are_read() {
        let directive = "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
                         <description>A&#x202e;b&#233;</description></metadata></directive>\n```\nA.\n";
        let turns = "U+202E changes the direction of the rest of its line".to_string();
        assert_eq!(findings_of(directive), [("RR612", turns)]);
        let hidden = "U+200B cannot be seen".to_string();
        for tool in [
            "=== .ai/tools/a.py\n__tool_description__ = 'a\\u200bb'\nCONFIG_SCHEMA = {'type': 'object'}\n",
            "=== .ai/tools/a.py\nCONFIG_SCHEMA = {'a': {'description': ['\\u200b']}}\n",
            "=== .ai/tools/a.yaml\ndescription: \"\\u200b\"\nconfig_schema: {type: object}\n",
            "=== .ai/knowledge/a.yaml\nname: a\nbody: \"a\\u200bb\"\n",
        ] {
            assert_eq!(findings_of(tool), [("RR611", hidden.clone())], "{tool}");
        }
        assert_eq!(findings_of("=== .ai/tools/a.py\nRED = '\\x1b[31m'\nCONFIG_SCHEMA = {'type': 'object'}\n"), []);
    }
}
