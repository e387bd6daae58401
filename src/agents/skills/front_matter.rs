use std::ops::Range;
use std::sync::Arc;

use super::ReadRules;
use crate::agents::decoding::exact;
use crate::agents::ecmascript;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlLimits, YamlNode, load_core};
use crate::text::{Origin, Source, Span, Traced};

/// In UTF-16 units.
const MOST_NAME: usize = 64;
/// In UTF-16 units.
const MOST_DESCRIPTION: usize = 1024;

const LIMITS: YamlLimits = YamlLimits { bytes: 200_000, nodes: 20_000, depth: 100 };

/// The YAML between the dashes at the top of a skill file.
pub(super) struct FrontMatter {
    root: YamlNode,
    /// The opening line, or the start of a file without front matter.
    pub top: Span,
}

enum FrontMatterValue {
    /// Missing, empty, null, zero or false, which are all falsy in JavaScript.
    Nothing,
    Text(Traced),
    Other(Span),
}

impl FrontMatter {
    pub fn read(file: &Span) -> Result<Self, Diagnostic> {
        let text = file.text();
        let Some(range) = range(text) else {
            return Ok(Self { root: YamlNode::of(&Value::Null), top: file.slice(0..0) });
        };
        let top = file.slice(0..text.find('\n').unwrap_or(text.len()));
        match load_core(&file.slice(range), LIMITS) {
            Ok(loaded) => Ok(Self { root: loaded.node, top }),
            Err(refused) => {
                let reason = refused.message();
                Err(Diagnostic { problem: Problem::SkillUnreadable { reason }, at: refused.at })
            }
        }
    }

    fn get(&self, key: &str) -> FrontMatterValue {
        let Some(node) = self.root.get(key) else { return FrontMatterValue::Nothing };
        let other = || FrontMatterValue::Other(node.span.clone().unwrap_or_else(|| self.top.clone()));
        match &node.data {
            YamlData::Scalar(Value::Str(text)) if text.is_empty() => FrontMatterValue::Nothing,
            YamlData::Scalar(Value::Str(_)) => FrontMatterValue::Text(exact(&node.traced())),
            YamlData::Scalar(value) if is_nothing(value) => FrontMatterValue::Nothing,
            _ => other(),
        }
    }

    /// The position of a value that is exactly true.
    pub fn is_true(&self, key: &str) -> Option<Span> {
        let node = self.root.get(key)?;
        match node.data {
            YamlData::Scalar(Value::Bool(true)) => Some(node.span.clone().unwrap_or_else(|| self.top.clone())),
            _ => None,
        }
    }

    /// The name of the skill: that of its folder, if the file has none.
    pub fn name(&self, source: &Arc<Source>, folder: &str, rules: ReadRules) -> Result<Traced, Diagnostic> {
        match self.get("name") {
            FrontMatterValue::Text(name) => Ok(name),
            FrontMatterValue::Other(at) if rules.names_are_text => Err(not_text("name", at)),
            _ => Ok(Traced::of(folder, Origin::Derived(source.span(0..0)))),
        }
    }

    /// Reports mistakes in a name, which may have to be that of the folder.
    pub fn check_name(&self, name: &Traced, folder: Option<&str>, diagnostics: &mut Vec<Diagnostic>) {
        let (text, length) = (name.text(), ecmascript::length(name.text()));
        let named = || text.to_string();
        let is_allowed = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '-');
        let checks = [
            (
                folder.is_some_and(|folder| text != folder),
                Problem::SkillNameMismatch { name: named(), folder: folder.unwrap_or_default().to_string() },
            ),
            (length > MOST_NAME, Problem::SkillNameTooLong { length, most: MOST_NAME }),
            (!text.chars().all(is_allowed), Problem::SkillNameCharset { name: named() }),
            (text.starts_with('-') || text.ends_with('-'), Problem::SkillNameEdgeHyphen { name: named() }),
            (text.contains("--"), Problem::SkillNameDoubleHyphen { name: named() }),
        ];
        let wrong = checks.into_iter().filter(|(is_wrong, _)| *is_wrong);
        diagnostics.extend(wrong.map(|(_, problem)| Diagnostic::at(problem, self.place(name))));
    }

    /// The description. One that is too long is reported.
    pub fn description(&self, diagnostics: &mut Vec<Diagnostic>) -> Result<Traced, Diagnostic> {
        let description = match self.get("description") {
            FrontMatterValue::Text(text) if !ecmascript::trim(text.text()).is_empty() => text,
            FrontMatterValue::Other(at) => return Err(not_text("description", at)),
            _ => {
                let at = self.root.get("description").and_then(|node| node.span.as_ref());
                let at = at.filter(|span| !span.range().is_empty()).unwrap_or(&self.top);
                return Err(Diagnostic::at(Problem::SkillDescriptionMissing, at));
            }
        };
        let length = ecmascript::length(description.text());
        if length > MOST_DESCRIPTION {
            let problem = Problem::SkillDescriptionTooLong { length, most: MOST_DESCRIPTION };
            diagnostics.push(Diagnostic::at(problem, self.place(&description)));
        }
        Ok(description)
    }

    /// The position of a value; the top of the front matter if it is missing.
    fn place(&self, value: &Traced) -> Span {
        value.span().filter(|span| !span.range().is_empty()).unwrap_or_else(|| self.top.clone())
    }
}

fn not_text(key: &str, at: Span) -> Diagnostic {
    Diagnostic::at(Problem::SkillUnreadable { reason: format!("its `{key}` is not text") }, at)
}

/// The range of the YAML in a text with universal newlines: from the character after the opening dashes to the next
/// line that starts with dashes, including its line feed if the YAML lacks one.
fn range(text: &str) -> Option<Range<usize>> {
    const DASHES: usize = 3;
    let after = text.strip_prefix("---")?;
    let end = DASHES + after.find("\n---")?;
    // JavaScript skips one UTF-16 unit: half of a surrogate pair would remain, which is not valid YAML.
    let skipped = after.chars().next().map_or(0, |c| if c.len_utf16() == 1 { c.len_utf8() } else { 0 });
    let start = DASHES + skipped;
    if start >= end {
        return Some(end..end);
    }
    let lacks_end = !text[start..end].ends_with('\n');
    Some(start..end + usize::from(lacks_end))
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Int(int) => int.bits() == 0,
        Value::Float(float) => *float == 0.0 || float.is_nan(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::{Origin, Source};

    fn read(bytes: &[u8]) -> Result<FrontMatter, Diagnostic> {
        FrontMatter::read(&Source::read_lossy(None, "cwd".into(), "/x/SKILL.md", bytes).whole())
    }

    fn value(text: &str, key: &str) -> Option<String> {
        match read(text.as_bytes()).unwrap().get(key) {
            FrontMatterValue::Nothing => None,
            FrontMatterValue::Text(text) => Some(text.text().to_string()),
            FrontMatterValue::Other(span) => Some(format!("not text: {}", span.text())),
        }
    }

    /// The segments of the description; `=` marks those taken from the file unchanged.
    fn segments(text: &[u8]) -> Vec<String> {
        let FrontMatterValue::Text(value) = read(text).unwrap().get("description") else { panic!("{text:?}") };
        let mark = |origin: &Origin| if matches!(origin, Origin::File(_)) { "=" } else { "" };
        value.segments().map(|segment| format!("{}{}", mark(segment.origin), segment.text)).collect()
    }

    #[test]
    fn front_matter_is_between_dashes_at_the_top() {
        for (text, expected) in [
            ("---\na: b\n---\n", Some("b")),
            ("---\r\na: b\r\n---\r\n", Some("b")),
            ("---\ra: b\r---", Some("b")),
            ("---\na: b\n---more\nc", Some("b")),
            ("---\na: b\n----", Some("b")),
            ("---xa: b\n---", Some("b")),
            ("---éa: b\n---", Some("b")),
            ("---\na: b\n ---\n---", Some("b ---")),
            ("---\na: |\n  b\n---", Some("b\n")),
            ("---\na: |+\n  b\n\n\n---", Some("b\n\n")),
            ("---\na: |-\n  b\n---", Some("b")),
            ("\u{feff}---\na: b\n---\n", None),
            ("\n---\na: b\n---\n", None),
            ("---\na: b\n", None),
            ("---\n---\na: b\n---\n", None),
            ("---", None),
            ("--", None),
            ("", None),
        ] {
            assert_eq!(value(text, "a").as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn values_follow_the_core_schema() {
        for (written, expected) in [
            ("yes", Some("yes")),
            ("on", Some("on")),
            ("2026-01-02", Some("2026-01-02")),
            ("'5'", Some("5")),
            ("", None),
            ("~", None),
            ("''", None),
            ("false", None),
            ("0", None),
            ("-0.0", None),
            (".nan", None),
            ("true", Some("not text: true")),
            ("[]", Some("not text: []")),
        ] {
            assert_eq!(value(&format!("---\na: {written}\n---\n"), "a").as_deref(), expected, "{written:?}");
        }
        for text in ["just text", "- a", "# nothing", ""] {
            assert_eq!(value(&format!("---\n{text}\n---\n"), "a"), None, "{text:?}");
        }
    }

    #[test]
    fn mistakes_have_a_position() {
        for (text, line) in [
            ("---\na: b\nc: d: e\n---\n", 3),
            ("---\na: b\na: c\n---\n", 3),
            ("---\r\n\ta: b\r\n---\r\n", 2),
            ("---\na: \"b\n---\n", 2),
        ] {
            let refused = read(text.as_bytes()).err().unwrap();
            assert_eq!(refused.code(), "skill_unreadable");
            let Some(crate::diagnostic::Location::Span(span)) = refused.at else { panic!("{text:?}") };
            assert_eq!(span.line(), line, "{text:?}");
        }
    }

    #[test]
    fn values_keep_their_origins_in_the_file() {
        assert_eq!(segments(b"---\ndescription: a <b> & c\n---\n"), ["=a <b> & c"]);
        assert_eq!(segments(b"---\ndescription: 'it''s'\n---\n"), ["=it'", "=s"]);
        assert_eq!(segments(b"---\ndescription: >\n  one\n  two\n---\n"), ["=one", " ", "=two\n"]);
        assert_eq!(segments(b"---\ndescription: \"a\\tb\"\n---\n"), ["=a", "\t", "=b"]);
        assert_eq!(segments(b"---\r\ndescription: a\xffb\r\n---\n"), ["=a", "\u{fffd}", "=b"]);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60), top in 0usize..5) {
            let top = ["", "---", "---\n", "---\r\n", "---\ndescription: "][top];
            let whole = [top.as_bytes(), &bytes, b"\n---\n"].concat();
            if let Ok(front_matter) = read(&whole) {
                let _ = (front_matter.get("description"), front_matter.is_true("description"));
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "([ab:#'\"|>\\-\\[\\]{},&*!?%@é😀 \t\r\n]|---|\r\n|description: ){0,40}") {
            if let Ok(front_matter) = read(format!("---{text}\n---\n").as_bytes())
                && let FrontMatterValue::Text(value) = front_matter.get("description")
            {
                for segment in value.segments() {
                    if let Origin::File(span) = segment.origin {
                        prop_assert_eq!(span.text(), segment.text);
                    }
                }
            }
        }

        #[test]
        fn quoted_text_round_trips(text in any::<String>()) {
            let quoted: String = text.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect();
            let whole = format!("---\ndescription: \"{quoted}\"\n---\n");
            prop_assert_eq!(value(&whole, "description"), Some(text).filter(|text| !text.is_empty()));
        }
    }
}
