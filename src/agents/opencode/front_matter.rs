//! The front matter of agents and skills.

use std::sync::Arc;

use super::json::{self, Wrong};
use super::node::{Data, Map, Node};
use crate::agents::ecmascript;
use crate::diagnostic::Location;
use crate::read::yaml::{YamlLimits, load_core};
use crate::text::{Origin, Source, Span, Traced};

const LIMITS: YamlLimits = YamlLimits { bytes: 200_000, nodes: 20_000, depth: 100 };
const FENCE: &str = "---";

/// Why a file whose front matter is a program is not read here.
pub(super) const RUN: &str = "has front matter that is a program, which is run";

pub(super) struct FileParts {
    pub fields: Node,
    pub body: Span,
}

/// Reads a file. The error says why the agent passes over it.
pub(super) fn read(file: &Span) -> Result<FileParts, Wrong> {
    let whole = || FileParts { fields: Node::map(Map::new()), body: file.clone() };
    let Some(parts) = Parts::of(file) else { return Ok(whole()) };
    if matches!(parts.language.as_str(), "js" | "javascript") {
        return Err((RUN.to_string(), Some(file.slice(0..0))));
    }
    let parsed = parts.fields();
    let fields = match parsed {
        Ok(fields) => fields,
        Err(refused) => match repaired(&parts.block) {
            // The released system then has the file in its cache, as if it had no front matter.
            None => return Ok(whole()),
            Some(repaired) => repaired.fields(&parts.block).map_err(|_| refused)?,
        },
    };
    let fields = if fields.as_map().is_some() { fields } else { Node::map(Map::new()) };
    Ok(FileParts { fields, body: parts.body })
}

/// Why front matter cannot be read, so that all of the file is the body.
pub(super) fn lost(file: &Span, body: &Span) -> Option<Wrong> {
    Parts::of(file).filter(|_| body.range() == file.range())?.fields().err()
}

struct Parts {
    language: String,
    /// With the line feed before the closing fence.
    block: Span,
    body: Span,
}

impl Parts {
    fn of(file: &Span) -> Option<Self> {
        let text = file.text();
        let after = text.strip_prefix(FENCE).filter(|after| !after.starts_with('-'))?;
        let line = after.find('\n').unwrap_or(after.len());
        let start = FENCE.len() + line;
        let (end, body) = match text[start..].find("\n---") {
            Some(found) => {
                let rest = &text[start + found + 4..];
                let rest = rest.strip_prefix('\r').unwrap_or(rest);
                (start + found + 1, text.len() - rest.strip_prefix('\n').unwrap_or(rest).len())
            }
            None => (text.len(), text.len()),
        };
        let language = ecmascript::trim(&after[..line]).to_string();
        Some(Self { language, block: file.slice(start..end), body: file.slice(body..text.len()) })
    }

    fn fields(&self) -> Result<Node, Wrong> {
        match self.language.as_str() {
            "" | "yaml" | "yml" => yaml(&self.block),
            "json" => json::parse(&Traced::raw(&self.block)),
            language => Err((format!("has front matter in the unknown language `{language}`"), None)),
        }
    }
}

fn yaml(block: &Span) -> Result<Node, Wrong> {
    match load_core(block, LIMITS) {
        Ok(loaded) => Ok(Node::from(&loaded.node)),
        Err(refused) => {
            let reason = format!("has invalid front matter: {}", refused.message());
            let place = match refused.at {
                Some(Location::Span(span)) => Some(span),
                _ => None,
            };
            Err((reason, place))
        }
    }
}

/// Front matter with each line that holds a colon in its value changed to a block of text.
struct Repaired {
    text: String,
    /// The values of the changed lines.
    values: Vec<(String, Span)>,
}

/// `None` if no line changes.
fn repaired(block: &Span) -> Option<Repaired> {
    let mut repaired = Repaired { text: String::new(), values: Vec::new() };
    let mut at = 0;
    for line in block.text().split_inclusive('\n') {
        match pair(line) {
            Some((key, value)) => {
                let start = at + line.len()
                    - line[line.find(':').unwrap_or(0) + 1..].trim_start_matches(ecmascript::is_white_space).len();
                repaired.text += &format!("{key}: |-\n  {value}\n");
                repaired.values.push((key.to_string(), block.slice(start..start + value.len())));
            }
            None => repaired.text += line,
        }
        at += line.len();
    }
    (!repaired.values.is_empty()).then_some(repaired)
}

/// Key and value of a line that is changed.
fn pair(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_end_matches(ecmascript::is_white_space);
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_key = key.starts_with(is_start) && key.chars().all(|c| is_start(c) || c.is_ascii_digit());
    let value = ecmascript::trim(value);
    (is_key && value.contains(':') && !value.starts_with(['"', '\''])).then_some((key, value))
}

impl Repaired {
    fn fields(&self, block: &Span) -> Result<Node, Wrong> {
        let source = Source::read_raw(None, Arc::from(""), "", self.text.as_bytes());
        let mut fields = yaml(&source.whole())?;
        relocate(&mut fields, block);
        if let Data::Map(map) = &mut fields.data {
            for (key, value) in &self.values {
                let node = Node { data: Data::Text(Traced::raw(value)), place: Some(value.clone()) };
                map.insert(key.clone(), node);
            }
        }
        Ok(fields)
    }
}

/// Makes the values of repaired text values of the file.
fn relocate(node: &mut Node, block: &Span) {
    node.place = Some(block.clone());
    match &mut node.data {
        Data::Text(text) => *text = text.with_origins(|_| Origin::Derived(block.clone())),
        Data::List(list) => list.iter_mut().for_each(|node| relocate(node, block)),
        Data::Map(map) => map.values_mut().for_each(|node| relocate(node, block)),
        Data::Null | Data::Bool(_) | Data::Number(_) | Data::Other => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read_text(text: &str) -> Option<(Option<String>, String)> {
        let file = Source::read_raw(None, "skill".into(), "/x/SKILL.md", text.as_bytes()).whole();
        let read = read(&file).ok()?;
        Some((read.fields.text("a").map(|text| text.text().to_string()), read.body.text().to_string()))
    }

    #[test]
    fn the_block_is_between_dashes_at_the_top() {
        for (text, field, body) in [
            ("---\na: b\n---\nc\n", Some("b"), "c\n"),
            ("---\r\na: b\r\n---\r\nc\r\n", Some("b"), "c\r\n"),
            ("---\na: b\n---", Some("b"), ""),
            ("---\na: b\n---more\n", Some("b"), "more\n"),
            ("---\na: b", Some("b"), ""),
            ("---yaml\na: b\n---\n\nc", Some("b"), "\nc"),
            ("---json\n{\"a\": \"b\"}\n---\nc", Some("b"), "c"),
            ("---\na: |\n  b\n---\nc", Some("b\n"), "c"),
            ("---\n---\nc", None, "c"),
            ("---\n# none\n---\nc", None, "c"),
            ("----\na: b\n---\n", None, "----\na: b\n---\n"),
            ("\n---\na: b\n---\n", None, "\n---\na: b\n---\n"),
            ("c", None, "c"),
        ] {
            assert_eq!(read_text(text), Some((field.map(str::to_string), body.to_string())), "{text:?}");
        }
    }

    /// What `js-yaml` 3.9.1 answers.
    #[test]
    fn only_text_is_text() {
        for text in ["yes", "on", "'5'", "1.2.3", "a_b", "1_", "1:60", "0o17", "08", "2026-01", "2026-1-2", "x-1"] {
            assert_eq!(
                read_text(&format!("---\na: {text}\n---\n")).unwrap().0.as_deref(),
                Some(text.trim_matches('\''))
            );
        }
        for other in [
            "5",
            "1_000",
            "-0b11",
            "0x1f",
            "1._5",
            "12:30:45",
            "1:30.5",
            "2026-01-02",
            "2026-1-2 10:11:12",
            "true",
            "~",
            "",
            "[b]",
        ] {
            assert_eq!(read_text(&format!("---\na: {other}\n---\n")).unwrap().0, None, "{other}");
        }
    }

    #[test]
    fn a_colon_is_repaired() {
        assert_eq!(read_text("---\na: b: c \nd: e\n---\nf"), Some((Some("b: c".to_string()), "f".to_string())));
        assert_eq!(read_text("---\na: b: c\nd: [\n---\nf"), None);
        let lost = "---\na: [\n---\nf";
        assert_eq!(read_text(lost), Some((None, lost.to_string())));
        assert_eq!(read_text("---js\nmodule.exports = {}\n---\nf"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(---|[a:\\[\"'|>-é \r\n]){0,40}") {
            let _ = read_text(&text);
        }
    }
}
