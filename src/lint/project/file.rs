use std::sync::{Arc, OnceLock};

use crate::diagnostic::{Diagnostic, Location};
use crate::item::{Directive, Field, Knowledge, TextPlace};
use crate::lint::characters::{self, Class};
use crate::lint::folders::AgentFile;
use crate::store::{ItemKind, last_segment};
use crate::text::{Origin, Source, Span, Traced};
use crate::tool::{ToolFile, read_tool};
use crate::trust::Trust;
use crate::value::Value;
use crate::yaml::Node;

/// A file of a tier that was read.
#[derive(Debug, Clone)]
pub struct File {
    /// Index of its tier.
    pub tier: usize,
    /// What it is.
    pub kind: FileKind,
    /// The id of an item, the name of a skill; of configuration the path below `.ai/config` without the extension, of other
    /// files of agents their path.
    pub id: String,
    /// Relative to the folder that holds `.ai/`.
    pub path: String,
    /// Whether findings in it are reported: a file of the project that is neither ignored nor beside the question.
    pub is_linted: bool,
    /// Its text; none if it could not be read, which a diagnostic then says.
    pub source: Option<Arc<Source>>,
    /// What it holds.
    pub content: Content,
    /// What was found where it was read and parsed.
    pub diagnostics: Vec<Diagnostic>,
    /// What is known of where it comes from, once somebody has asked.
    pub(super) trust: OnceLock<Trust>,
    /// What readers do not see in it, once that was asked.
    pub(super) odd: OnceLock<Arc<[OddPlace]>>,
    /// How large the prompt of its directive can be, once that was asked.
    pub(in crate::lint) most_bytes: OnceLock<usize>,
    /// How many tokens it has, once that was asked.
    pub(in crate::lint) tokens: OnceLock<usize>,
}

/// A run of characters in a file that readers do not see.
#[derive(Debug, Clone)]
pub struct OddPlace {
    /// What they do.
    pub class: Class,
    /// Where they stand, or what is written in their stead.
    pub span: Span,
    /// The characters.
    pub characters: String,
    /// How many more there are of the class that are not told.
    pub more: usize,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// An item.
    Item(ItemKind),
    /// A YAML or TOML file below `.ai/config`, or the settings of a folder of agents.
    Configuration,
    /// What agents read in a folder.
    Agents(AgentFile),
}

impl FileKind {
    /// The kind of an item, if it is one.
    pub fn item(self) -> Option<ItemKind> {
        match self {
            Self::Item(kind) => Some(kind),
            Self::Configuration | Self::Agents(_) => None,
        }
    }
}

/// What a file holds.
#[derive(Debug, Clone)]
pub enum Content {
    /// A directive.
    Directive(Arc<Directive>),
    /// A directive that no prompt can be made of, and that can be read all the same; a diagnostic says why.
    Refused(Arc<Directive>),
    /// A knowledge item.
    Knowledge(Arc<Knowledge>),
    /// A tool.
    Tool,
    /// A YAML file of the configuration.
    Configuration(Node),
    /// What agents read.
    Markdown,
    /// Nothing that can be used; a diagnostic says why. Or a file of another kind below `.ai/config`.
    Nothing,
}

impl File {
    /// A file that nobody has read yet, and in which no findings are reported.
    pub(in crate::lint) fn new(tier: usize, kind: FileKind, id: String, path: String) -> Self {
        Self {
            tier,
            kind,
            id,
            path,
            is_linted: false,
            source: None,
            content: Content::Nothing,
            diagnostics: Vec::new(),
            trust: OnceLock::new(),
            odd: OnceLock::new(),
            most_bytes: OnceLock::new(),
            tokens: OnceLock::new(),
        }
    }

    /// The directive, if it is one that can be used.
    pub fn directive(&self) -> Option<&Directive> {
        match &self.content {
            Content::Directive(directive) => Some(directive),
            _ => None,
        }
    }

    /// The directive, if it can be read: one that is refused included, which is wrong in more ways than one perhaps.
    pub fn readable(&self) -> Option<&Directive> {
        match &self.content {
            Content::Directive(directive) | Content::Refused(directive) => Some(directive),
            _ => None,
        }
    }

    /// The knowledge item, if it is one that can be used.
    pub fn knowledge(&self) -> Option<&Knowledge> {
        match &self.content {
            Content::Knowledge(knowledge) => Some(knowledge),
            _ => None,
        }
    }

    /// The file without a place in it; its whole text where that could be read.
    pub fn location(&self, tier: &Arc<str>) -> Location {
        match &self.source {
            Some(source) => Location::Span(source.span(0..0)),
            None => Location::File { tier: Arc::clone(tier), path: self.path.clone(), revision: None, position: None },
        }
    }

    /// Its name without folder and extension.
    pub fn stem(&self) -> &str {
        last_segment(&self.id)
    }

    /// What readers do not see in it: as characters, and as references and escapes in what a prompt may show.
    pub fn odd_characters(&self) -> &[OddPlace] {
        self.odd.get_or_init(|| self.find_odd().into())
    }

    fn find_odd(&self) -> Vec<OddPlace> {
        let Some(source) = &self.source else { return Vec::new() };
        let text = source.text();
        let place = |odd: characters::Odd| {
            let span = source.span(odd.range);
            OddPlace { class: odd.class, characters: span.text().to_string(), span, more: odd.more }
        };
        let mut found: Vec<OddPlace> = characters::find(text).into_iter().map(place).collect();
        match &self.content {
            Content::Directive(directive) | Content::Refused(directive) if text.contains("&#") => {
                shown_fields(directive).for_each(|field| decoded(&field.text, &mut found));
            }
            Content::Knowledge(knowledge) if text.contains('\\') => {
                let keys = ["name", "content"].into_iter().filter_map(|key| knowledge.metadata.get(key));
                keys.for_each(|node| decoded(&node.traced(), &mut found));
                if matches!(knowledge.place, TextPlace::Key(_)) {
                    decoded(&knowledge.text(), &mut found);
                }
            }
            Content::Tool if ESCAPES.iter().any(|escape| text.contains(escape)) => escaped_in_tool(source, &mut found),
            _ => {}
        }
        found
    }
}

/// How escapes begin that may stand for a character that is not seen.
const ESCAPES: [&str; 5] = ["\\u", "\\U", "\\x", "\\N", "\\e"];

/// The odd characters that a tool writes as escapes in what a prompt shows of it.
fn escaped_in_tool(source: &Arc<Source>, found: &mut Vec<OddPlace>) {
    let Ok(ToolFile { schema, description, schema_span, description_span }) = read_tool(source) else { return };
    let mut add = |text: &str, span: &Span| {
        let odd = characters::find(text).into_iter().map(|odd| (odd.class, &text[odd.range]));
        let escaped = odd.filter(|(_, characters)| !span.text().contains(characters));
        let place = |(class, characters): (Class, &str)| OddPlace {
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

/// Every text of a value, keys included.
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

/// What a prompt may show of a directive besides its body.
fn shown_fields(directive: &Directive) -> impl Iterator<Item = &Field> {
    let outputs = directive.outputs.iter().flat_map(|output| {
        [&output.name, &output.output_type, &output.description].into_iter().filter_map(Option::as_ref)
    });
    [&directive.name, &directive.description].into_iter().filter_map(Option::as_ref).chain(outputs)
}

/// The odd characters that a file writes as references or escapes.
fn decoded(text: &Traced, found: &mut Vec<OddPlace>) {
    let odd = characters::find(text.text());
    for segment in text.segments() {
        let Origin::Derived(span) = segment.origin else { continue };
        let range = segment.at..segment.at + segment.text.len();
        let first = odd.partition_point(|it| it.range.end <= range.start);
        if let Some(it) = odd.get(first).filter(|it| it.range.start < range.end) {
            found.push(OddPlace { class: it.class, characters: segment.text.to_string(), span: span.clone(), more: 0 });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::testing::Example;
    use crate::lint::{Options, testing};

    fn told(example: &'static str) -> Vec<(&'static str, String)> {
        let found = testing::found(Example(example), &Options::default());
        let of_characters = found.into_iter().filter(|it| ("RR611".."RR615").contains(&it.rule.code));
        of_characters.map(|finding| (finding.rule.code, finding.message)).collect()
    }

    /// What a prompt shows decoded is looked at as the model reads it.
    #[test]
    fn references_and_escapes_are_read() {
        let directive = "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
                         <description>A&#x202e;b&#233;</description></metadata></directive>\n```\nA.\n";
        let turns = "U+202E changes the direction of the rest of its line".to_string();
        assert_eq!(told(directive), [("RR612", turns)]);
        let hidden = "U+200B cannot be seen".to_string();
        for tool in [
            "=== .ai/tools/a.py\n__tool_description__ = 'a\\u200bb'\nCONFIG_SCHEMA = {'type': 'object'}\n",
            "=== .ai/tools/a.py\nCONFIG_SCHEMA = {'a': {'description': ['\\u200b']}}\n",
            "=== .ai/tools/a.yaml\ndescription: \"\\u200b\"\nconfig_schema: {type: object}\n",
            "=== .ai/knowledge/a.yaml\nname: a\nbody: \"a\\u200bb\"\n",
        ] {
            assert_eq!(told(tool), [("RR611", hidden.clone())], "{tool}");
        }
        assert_eq!(told("=== .ai/tools/a.py\nRED = '\\x1b[31m'\nCONFIG_SCHEMA = {'type': 'object'}\n"), []);
    }
}
