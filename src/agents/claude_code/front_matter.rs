//! The block at the top of a file. Its YAML is repaired line by line if it does not parse.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::agents::decoding::{exact, written};
use crate::agents::ecmascript;
use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlLimits, YamlNode, load_core};
use crate::text::{Origin, Source, Span, Traced, constant_pattern};

const DASHES: &str = "---";
/// Commas in them do not separate patterns.
pub(super) const BRACES: [char; 2] = ['{', '}'];
/// Commas in them do not separate tools.
pub(super) const PARENTHESES: [char; 2] = ['(', ')'];
/// A larger block has no keys.
const LIMITS: YamlLimits = YamlLimits { bytes: 200_000, nodes: 20_000, depth: 100 };

pub(super) struct SplitText {
    pub block: Span,
    /// The values of a repaired block have no spans.
    keys: YamlNode,
    /// What stands behind the block; the whole text if there is none.
    pub body: Span,
}

impl SplitText {
    pub fn read(text: &Span) -> Self {
        let (block, body) = split(text.text()).unwrap_or((0..0, 0));
        let block = text.slice(block);
        let body = text.slice(body..text.text().len());
        Self { keys: keys(&block), block, body }
    }

    /// Whether there is text in the block, but no key.
    pub fn is_prose(&self) -> bool {
        let has_key = matches!(&self.keys.data, YamlData::Map(keys) if !keys.is_empty());
        !has_key && !ecmascript::trim(self.block.text()).is_empty()
    }

    /// The place of the first value of a key; the whole block if it is unknown.
    pub fn place(&self, key: &str) -> Span {
        let first = self.texts(key, BRACES).and_then(|texts| texts.first().and_then(Traced::span));
        first.unwrap_or_else(|| self.block.clone())
    }

    pub fn get(&self, key: &str) -> Option<&YamlNode> {
        self.keys.get(key)
    }

    /// A value that is text.
    pub fn text(&self, key: &str) -> Option<Traced> {
        let node = self.get(key)?;
        node.as_str().map(|text| self.traced(key, node, text))
    }

    /// A text, number or boolean, as ECMAScript prints it.
    pub fn scalar(&self, key: &str) -> Option<Traced> {
        let node = self.get(key)?;
        let printed = match &node.data {
            YamlData::Scalar(Value::Str(text)) => return Some(self.traced(key, node, text)),
            YamlData::Scalar(Value::Bool(value)) => value.to_string(),
            YamlData::Scalar(Value::Int(number)) => {
                number.to_string().parse().map_or_else(|_| number.to_string(), printed)
            }
            YamlData::Scalar(Value::Float(number)) => printed(*number),
            _ => return None,
        };
        Some(self.traced(key, node, &printed))
    }

    /// The texts of a list, or the parts of a text between commas outside of brackets.
    pub fn texts(&self, key: &str, brackets: [char; 2]) -> Option<Vec<Traced>> {
        let node = self.get(key)?;
        let parts =
            |traced: Traced| parts(traced.text(), brackets).into_iter().map(|part| traced.slice(part)).collect();
        let Some(items) = node.as_list() else { return self.text(key).map(parts) };
        let traced = |item: &YamlNode| match (item.as_str()?, &item.span) {
            (_, Some(_)) => Some(exact(&item.traced())),
            // A search for each item would take too long in a hostile list.
            (text, None) => Some(Traced::of(text, Origin::Derived(self.block.clone()))),
        };
        Some(items.iter().filter_map(traced).collect())
    }

    fn traced(&self, key: &str, node: &YamlNode, printed: &str) -> Traced {
        match (&node.data, &node.span) {
            (_, None) => written(&self.block, key, printed),
            (YamlData::Scalar(Value::Str(_)), Some(_)) => exact(&node.traced()),
            (_, Some(span)) if span.text() == printed => Traced::file(span),
            (_, Some(span)) => Traced::of(printed, Origin::Derived(span.clone())),
        }
    }
}

/// The range of the YAML between the dashes, and where the text behind them starts. The block ends at the next dashes,
/// wherever they stand.
pub(super) fn split(text: &str) -> Option<(Range<usize>, usize)> {
    let after = text.strip_prefix(DASHES)?;
    let blank = after.len() - after.trim_start_matches(ecmascript::is_white_space).len();
    let start = DASHES.len() + after[..blank].rfind('\n')? + 1;
    let end = start + text[start..].find(DASHES)?;
    let body = text[end + DASHES.len()..].trim_start_matches(ecmascript::is_white_space);
    Some((start..end, text.len() - body.len()))
}

fn keys(block: &Span) -> YamlNode {
    let loaded = load_core(block, LIMITS).map(|loaded| loaded.node);
    loaded
        .or_else(|_| {
            let source = Source::read_raw(None, "".into(), block.source().path(), repaired(block.text()).as_bytes());
            load_core(&source.whole(), LIMITS).map(|loaded| YamlNode::of(&loaded.node.value()))
        })
        .unwrap_or_else(|_| YamlNode::of(&Value::Null))
}

/// Puts the values that YAML would read as something else in quotes, and makes tabs at the start of a line spaces.
fn repaired(text: &str) -> String {
    static LINE: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"(?m)^([\w-]+:[ \t]+)([^\r\n]+)"));
    static TABS: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"(?m)^\t+"));
    let quoted = LINE.replace_all(text, |found: &Captures<'_>| {
        let value = found[2].trim_end();
        match needs_quotes(value) {
            true => format!("{}\"{}\"", &found[1], value.replace('\\', "\\\\").replace('"', "\\\"")),
            false => found[0].to_string(),
        }
    });
    TABS.replace_all(&quoted, |found: &Captures<'_>| " ".repeat(found[0].len())).into_owned()
}

fn needs_quotes(value: &str) -> bool {
    let is_between = |open: char, close: char| value.len() > 1 && value.starts_with(open) && value.ends_with(close);
    let is_fine = is_between('"', '"') || is_between('\'', '\'') || is_between('[', ']');
    !is_fine && (value.contains(|c| "{}[]*&#!|>%@`".contains(c)) || value.contains(": "))
}

/// The parts between commas that are not in brackets: trimmed, without empty ones.
pub(super) fn parts(text: &str, [open, close]: [char; 2]) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, c) in text.char_indices().chain([(text.len(), ',')]) {
        match c {
            c if c == open => depth += 1,
            c if c == close => depth = depth.saturating_sub(1),
            ',' if depth == 0 || at == text.len() => {
                let part = ecmascript::trim_range(&text[start..at]);
                parts.push(start + part.start..start + part.end);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// A number as ECMAScript prints it.
fn printed(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_string(),
        size if size.is_infinite() => if number > 0.0 { "Infinity" } else { "-Infinity" }.to_string(),
        1e-6..1e21 => number.to_string(),
        size if size >= 1e21 => format!("{number:e}").replace('e', "e+"),
        // `NaN`, too.
        _ => format!("{number:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> SplitText {
        SplitText::read(&Source::read_raw(None, "cwd".into(), "/x/SKILL.md", text.as_bytes()).whole())
    }

    #[test]
    fn the_block_ends_at_the_next_dashes() {
        for (text, expected) in [
            ("---\na: b\n---\n\nc", Some(("a: b\n", "c"))),
            ("--- \u{a0}\r\n \n a: b\r\n---  c", Some((" a: b\r\n", "c"))),
            ("---\na: b---c\n---", Some(("a: b", "c\n---"))),
            ("---\n---", Some(("", ""))),
            ("--- a\n---\n", None),
            ("---\na: b\n", None),
            (" ---\n---\n", None),
            ("---", None),
            ("", None),
        ] {
            let split = split(text).map(|(block, body)| (&text[block], &text[body..]));
            assert_eq!(split, expected, "{text:?}");
        }
        assert_eq!(read("no\n---\n").body.text(), "no\n---\n");
    }

    #[test]
    fn scalars_print_as_in_ecmascript() {
        for (written, expected) in [
            ("plain", Some("plain")),
            ("'it''s'", Some("it's")),
            ("TRUE", Some("true")),
            ("yes", Some("yes")),
            ("017", Some("17")),
            ("1.50", Some("1.5")),
            ("-0.0", Some("0")),
            ("1e21", Some("1e+21")),
            ("1e-7", Some("1e-7")),
            ("100000000000000000001", Some("100000000000000000000")),
            (".nan", Some("NaN")),
            ("-.inf", Some("-Infinity")),
            ("~", None),
            ("[a]", None),
            ("{a: b}", None),
        ] {
            let read = read(&format!("---\nx: {written}\n---\n"));
            assert_eq!(read.scalar("x").as_ref().map(Traced::text), expected, "{written}");
        }
    }

    #[test]
    fn a_broken_block_is_read_line_by_line() {
        for (line, expected) in [
            ("x: a: marlin", Some("a: marlin")),
            ("x: *.ts # all\r", Some("*.ts # all")),
            (r#"x: \d "a": b"#, Some(r#"\d "a": b"#)),
            ("x: 'a': b", Some("'a': b")),
            ("x: 'a: b'", Some("a: b")),
            ("x:\ta: b", Some("a: b")),
            ("x: 7", Some("7")),
            ("x: |\n  a", None),
        ] {
            let read = read(&format!("---\nname: [bad\n{line}\n---\n"));
            assert_eq!(read.scalar("x").as_ref().map(Traced::text), expected, "{line:?}");
        }
        let paths = read("---\na: b: c\npaths:\n\t- x\n\t- y\n---\n");
        assert_eq!(paths.texts("paths", BRACES).unwrap().iter().map(Traced::text).collect::<Vec<_>>(), ["x", "y"]);
    }

    #[test]
    fn a_value_of_a_broken_block_keeps_its_place() {
        let read = read("---\nname: [bad\ndescription: a: marlin\n---\n");
        let value = read.text("description").unwrap();
        assert_eq!(value.span().map(|span| span.line()), Some(3));
        assert!(value.segments().all(|segment| matches!(segment.origin, Origin::File(_))));
    }

    #[test]
    fn texts_are_a_list_or_parts_between_commas() {
        for (value, expected) in [
            ("Read, Grep", Some(vec!["Read", "Grep"])),
            ("Bash(a, b),, Read ", Some(vec!["Bash(a, b)", "Read"])),
            ("[Read, 3, 'a, b']", Some(vec!["Read", "a, b"])),
            ("''", Some(vec![])),
            ("[]", Some(vec![])),
            ("3", None),
        ] {
            let texts = read(&format!("---\nx: {value}\n---\n")).texts("x", PARENTHESES);
            let texts = texts.as_ref().map(|texts| texts.iter().map(Traced::text).collect::<Vec<_>>());
            assert_eq!(texts, expected, "{value}");
        }
    }
}
