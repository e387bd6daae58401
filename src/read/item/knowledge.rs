use std::ops::Range;
use std::sync::Arc;

use super::{Parsed, fence};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::value::Value;
use crate::read::yaml::{DocumentKey, Loaded, YamlData, YamlNode, load};
use crate::text::python::is_blank;
use crate::text::{Source, Span, Traced};

/// A knowledge item (Directives, "Knowledge").
#[derive(Debug, Clone)]
pub struct Knowledge {
    pub source: Arc<Source>,
    /// The `yaml` block, or the whole of a pure YAML file; null if absent or not a map.
    pub metadata: YamlNode,
    pub declarations: Vec<Declaration>,
    pub place: TextPlace,
}

#[derive(Debug, Clone)]
pub struct Declaration {
    pub kind: DeclarationKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeclarationKind {
    /// A `yaml` block, fence included.
    Block,
    FrontMatter,
    /// A key of a pure YAML file, with its value.
    Key(Value),
}

#[derive(Debug, Clone)]
pub enum TextPlace {
    /// After the `yaml` block, trimmed.
    Block(Span),
    /// The key `body` of a pure YAML file.
    Key(YamlNode),
    Nowhere(NoText),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoText {
    NoBlock,
    /// Metadata between `---` lines, which is ignored; also at the start of a YAML file.
    FrontMatter,
    NoBodyKey,
    NotYaml,
}

impl Knowledge {
    /// The trimmed text with origins. The `body` of a YAML file is printed as a value; false, zero and null are empty.
    pub fn text(&self) -> Traced {
        match &self.place {
            TextPlace::Block(span) => Traced::file(span),
            TextPlace::Key(node) if node.value().is_true() => node.traced().trim(),
            TextPlace::Key(_) | TextPlace::Nowhere(_) => Traced::new(),
        }
    }

    /// Whether [`Knowledge::text`] holds anything, without building it.
    pub fn has_text(&self) -> bool {
        match &self.place {
            TextPlace::Block(span) => !span.range().is_empty(),
            TextPlace::Key(_) => !self.text().is_empty(),
            TextPlace::Nowhere(_) => false,
        }
    }

    pub fn why_no_text(&self) -> &'static str {
        match self.place {
            TextPlace::Block(_) => "nothing follows its yaml block",
            TextPlace::Key(_) => "its `body` is empty",
            TextPlace::Nowhere(NoText::NoBlock) => "it has no yaml block, and only text after one is used",
            TextPlace::Nowhere(NoText::FrontMatter) => {
                "its metadata is between `---` lines, and only text after a yaml block is used"
            }
            TextPlace::Nowhere(NoText::NoBodyKey) => "it is a YAML file without the key `body`",
            TextPlace::Nowhere(NoText::NotYaml) => "it is not valid YAML",
        }
    }

    /// Why the whole file is sent, for an item that has no other text.
    pub fn why_whole_file(&self) -> &'static str {
        match self.place {
            TextPlace::Nowhere(NoText::NoBlock) => "it has no yaml block",
            TextPlace::Nowhere(NoText::FrontMatter) => "its metadata is between `---` lines",
            _ => self.why_no_text(),
        }
    }

    /// The whole file, whatever its extension; null if it is not valid YAML.
    ///
    /// # Errors
    ///
    /// It exceeds a limit.
    pub fn as_yaml(&self) -> Result<YamlNode, Diagnostic> {
        match load(&self.source.span(document(self.source.text()))) {
            Ok(loaded) => Ok(loaded.node),
            Err(error) if error.problem.is_limit() => Err(error),
            Err(_) => Ok(YamlNode::of(&Value::Null)),
        }
    }
}

/// Reads a knowledge item; a `.yaml` or `.yml` file without a block is parsed as YAML. If that
/// fails, the item has no text, as in the documented system; a broken `yaml` block is an error.
pub fn parse_knowledge(source: &Arc<Source>) -> Result<Parsed<Knowledge>, Diagnostic> {
    let mut diagnostics = Vec::new();
    let text = source.text();
    let mut declarations = Vec::new();
    let (metadata, place) = match fence::split(source, "yaml", &mut diagnostics) {
        Ok(fence) => {
            let Loaded { node, diagnostics: keys, .. } = load(&fence.content)?;
            diagnostics.extend(keys);
            declarations.push(Declaration { kind: DeclarationKind::Block, span: fence.block });
            (node, TextPlace::Block(fence.body))
        }
        Err(_) if metadata_start(text).starts_with("---") => {
            let dashes = text.len() - metadata_start(text).len();
            let span = source.span(dashes..dashes + "---".len());
            declarations.push(Declaration { kind: DeclarationKind::FrontMatter, span });
            (null(), TextPlace::Nowhere(NoText::FrontMatter))
        }
        Err(_) if is_yaml(source.path()) => match load(&source.span(document(text))) {
            Ok(Loaded { node, keys, diagnostics: repeated }) => {
                diagnostics.extend(repeated);
                let body = node.get("body").cloned();
                let place = body.map_or(TextPlace::Nowhere(NoText::NoBodyKey), TextPlace::Key);
                let declared = |DocumentKey { name, span }| Declaration { kind: DeclarationKind::Key(name), span };
                declarations.extend(keys.into_iter().map(declared));
                (node, place)
            }
            Err(error) if error.problem.is_limit() => return Err(error),
            Err(_) => (null(), TextPlace::Nowhere(NoText::NotYaml)),
        },
        Err(_) => {
            if text.starts_with('\u{feff}') {
                diagnostics.push(Diagnostic::at(Problem::ByteOrderMark, source.span(0..'\u{feff}'.len_utf8())));
            }
            (null(), TextPlace::Nowhere(NoText::NoBlock))
        }
    };
    let metadata = if matches!(metadata.data, YamlData::Map(_)) { metadata } else { null() };
    Ok(Parsed { item: Knowledge { source: Arc::clone(source), metadata, declarations, place }, diagnostics })
}

fn null() -> YamlNode {
    YamlNode::of(&Value::Null)
}

pub(crate) fn is_yaml(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}

fn metadata_start(text: &str) -> &str {
    after_comment(text.trim_start_matches(is_blank)).trim_start_matches(is_blank)
}

/// Skips the comment that may hold the signature.
fn document(text: &str) -> Range<usize> {
    text.len() - after_comment(text).len()..text.len()
}

fn after_comment(text: &str) -> &str {
    let comment = text.strip_prefix("<!--").and_then(|rest| rest.split_once("-->"));
    comment.map_or(text, |(_, after)| after)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read::value::python_repr;
    use crate::text::Origin;

    fn parse(path: &str, text: &str) -> Result<Parsed<Knowledge>, Diagnostic> {
        let source = Source::read("project".into(), path, text.as_bytes().to_vec()).unwrap();
        parse_knowledge(&source)
    }

    /// The metadata as printed, and the text.
    fn read(path: &str, text: &str) -> (String, String) {
        let item = parse(path, text).unwrap_or_else(|error| panic!("{text:?}: {error:?}")).item;
        (python_repr(&item.metadata.value()), item.text().text().to_string())
    }

    fn codes(text: &str) -> Vec<&'static str> {
        parse("k.md", text).unwrap().diagnostics.iter().map(Diagnostic::code).collect()
    }

    #[test]
    fn the_text_follows_the_block() {
        let text = "<!-- s -->\n```yaml\nname: yes\nbody: key\n```\n\n# T\n\u{a0}";
        assert_eq!(read("k.md", text), ("{'name': True, 'body': 'key'}".into(), "# T".into()));
        assert_eq!(read("k.md", "```yaml\n- a\n```\nx"), ("None".into(), "x".into()));
        assert_eq!(read("k.md", "```yaml\n```\n"), ("None".into(), String::new()));
        assert_eq!(read("k.yaml", "```yaml\na: 1\n```\nx"), ("{'a': 1}".into(), "x".into()));
    }

    #[test]
    fn reasons_for_no_text_are_distinct() {
        for (path, text, reason) in [
            ("k.md", "name: x\nbody: y\n", NoText::NoBlock),
            ("k.md", "<!-- s -->\n\n---\nname: x\n---\ntext", NoText::FrontMatter),
            ("k.yaml", "---\nbody: x\n", NoText::FrontMatter),
            ("k.yml", "name: x\n", NoText::NoBodyKey),
            ("k.yml", "- body\n", NoText::NoBodyKey),
            ("k.yaml", "name: [", NoText::NotYaml),
        ] {
            let item = parse(path, text).unwrap().item;
            assert!(matches!(item.place, TextPlace::Nowhere(found) if found == reason), "{text:?}: {:?}", item.place);
            assert!(item.text().is_empty());
        }
        assert_eq!(parse("k.md", "```yaml\n```").unwrap().item.why_no_text(), "nothing follows its yaml block");
        assert_eq!(parse("k.yaml", "body: null").unwrap().item.why_no_text(), "its `body` is empty");
        assert_eq!(read("k.yaml", "body: null").1, "");
    }

    #[test]
    fn a_pure_yaml_file_has_its_text_under_body() {
        let text = "<!-- rye:signed:x -->\nname: K\nbody: |\n  From é.\n  Second.\n";
        let (metadata, body) = read("k.yaml", text);
        assert_eq!(metadata, "{'name': 'K', 'body': 'From é.\\nSecond.\\n'}");
        assert_eq!(body, "From é.\nSecond.");
        assert_eq!(read("k.yaml", "# rye:signed:x\nbody: 1.0e-5\n").1, "1e-05");
    }

    #[test]
    fn a_broken_block_is_an_error() {
        let error = parse("k.md", "```yaml\nname: [\n```\ntext").unwrap_err();
        assert_eq!(error.code(), "invalid_yaml");
    }

    #[test]
    fn surprises_are_diagnosed() {
        assert_eq!(codes("````\n```yaml\na: 1\n```\n````\n"), ["transparent_fence"]);
        assert_eq!(codes("\u{feff}```yaml\na: 1\n```\n"), ["byte_order_mark"]);
        assert_eq!(codes("```yaml\na: 1\na: 2\n```\n"), ["duplicate_key"]);
    }

    proptest! {
        #[test]
        fn file_segments_match_the_file(
            lines in prop::collection::vec(
                prop::sample::select(vec!["```yaml", "```", "---", "body: |", "  é", "a: 'b'", "x", "", "<!-- c -->", "["]),
                0..10,
            ),
            pure in any::<bool>(),
        ) {
            let parsed = parse(if pure { "k.yaml" } else { "k.md" }, &lines.join("\n"));
            if let Ok(parsed) = parsed {
                for segment in parsed.item.text().segments() {
                    if let Origin::File(span) = segment.origin {
                        prop_assert_eq!(span.text(), segment.text);
                    }
                }
            }
        }

        #[test]
        fn no_text_causes_a_panic(text in "[`yaml:\\[{&*|\n é<!->]{0,50}", pure in any::<bool>()) {
            let _ = parse(if pure { "k.yaml" } else { "k.md" }, &text);
        }
    }
}
