//! The front matter of a skill file.

use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::agents::SKILL_HELP;
use crate::agents::decoding::{not_utf8, written};
use crate::agents::files::parent;
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::read::yaml::read_lenient;
use crate::text::{Span, Traced};

const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1024;
const SHORTENED: &str = "...";
pub(super) const HIDE_HELP: &str =
    "write `policy: {allow_implicit_invocation: false}` into agents/openai.yaml beside it";

pub(super) struct FrontMatter {
    pub name: Traced,
    pub description: Traced,
    /// A key that the agent ignores although it is meant to hide the skill.
    pub ignored: Option<Span>,
}

/// Values as written: numbers, booleans and dates are text.
#[derive(Deserialize)]
struct Keys {
    name: Option<String>,
    description: Option<String>,
    #[serde(rename = "metadata")]
    _metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "short-description")]
    _short_description: Option<String>,
    #[serde(flatten)]
    _others: std::collections::BTreeMap<String, IgnoredAny>,
}

/// Longer front matter is not repaired, in bytes.
const MOST_REPAIRED: usize = 100_000;

/// The name and the description of a skill; `None` if the agent cannot use it.
pub(super) fn read(visit: &mut Visit<'_>, path: &str, real: &str) -> Option<FrontMatter> {
    let Ok(bytes) = visit.bytes(path) else {
        return refuse(visit, None, "cannot be read", "make it readable");
    };
    let source = visit.source(path, "skill", &bytes);
    if let Some(at) = not_utf8(&source, &bytes) {
        return refuse(visit, Some(at), "is not UTF-8", "save the file as UTF-8");
    }
    let range = match range(source.text()) {
        Ok(range) => range,
        Err((reason, help)) => return refuse(visit, Some(source.span(0..0)), reason, help),
    };
    let span = source.span(range);
    let keys = read_lenient::<Keys>(span.text()).or_else(|refused| match span.text().len() {
        0..=MOST_REPAIRED => read_lenient(&repaired(span.text())).map_err(|_| refused),
        _ => Err(refused),
    });
    let keys = match keys {
        Ok(keys) => keys,
        Err(refused) => {
            let at = repeated_key(span.text(), &refused.reason).unwrap_or(refused.at).min(span.text().len());
            let reason = format!("has invalid front matter: {}", refused.reason);
            return refuse(visit, Some(span.slice(at..at)), &reason, "fix the front matter");
        }
    };
    let name = one_line(keys.name.as_deref().unwrap_or_default());
    let name = match name.is_empty() {
        true => Traced::protocol(folder_name(real)),
        false => written(&span, "name", &name),
    };
    let description = one_line(keys.description.as_deref().unwrap_or_default());
    let is_long = description.chars().count() > LONGEST_DESCRIPTION;
    let length = name.text().chars().count();
    let wrong = match description.is_empty() {
        _ if length > LONGEST_NAME => Some(Problem::SkillNameTooLong { length, most: LONGEST_NAME }),
        is_missing => is_missing.then_some(Problem::SkillDescriptionMissing),
    };
    if let Some(problem) = wrong {
        visit.report_at(problem, span);
        return None;
    }
    if is_long && !visit.since("0.145.0") {
        let reason = format!("has a description of more than {LONGEST_DESCRIPTION} characters");
        return refuse(visit, Some(span), &reason, "shorten the description");
    }
    let mut description = written(&span, "description", &description);
    if is_long {
        let kept = LONGEST_DESCRIPTION - SHORTENED.len();
        let end = description.text().char_indices().nth(kept).map_or(description.len(), |(at, _)| at);
        description = description.slice(0..end);
        description.push_protocol(SHORTENED);
    }
    let ignored = line_of(span.text(), "disable-model-invocation: true").map(|at| span.slice(at));
    Some(FrontMatter { name, description, ignored })
}

fn refuse(visit: &mut Visit<'_>, at: Option<Span>, reason: &str, help: &'static str) -> Option<FrontMatter> {
    visit.report_near(Problem::AgentSkillUnusable { agent: "codex", reason: reason.to_string(), help }, at);
    None
}

/// Where the second of two equal keys is, if they are the reason; the reader knows only where the map begins.
fn repeated_key(text: &str, reason: &str) -> Option<usize> {
    let key = reason.strip_prefix("duplicate field `")?.split('`').next()?;
    // Keys of other maps are indented.
    let is_key = |at: &usize| {
        let is_first = *at == 0 || text[..*at].ends_with('\n');
        is_first && text[at + key.len()..].trim_start_matches([' ', '\t']).starts_with(':')
    };
    text.match_indices(key).map(|(at, _)| at).filter(is_key).nth(1)
}

fn line_of(text: &str, line: &str) -> Option<Range<usize>> {
    let at = text.lines().find(|it| it.trim_end() == line)?.as_ptr() as usize - text.as_ptr() as usize;
    Some(at..at + line.len())
}

fn folder_name(real: &str) -> &str {
    let folder = parent(real).unwrap_or("/");
    folder.rsplit('/').next().unwrap_or(folder)
}

/// The lines between a first line of three dashes and the next one. The error is what is wrong, and what to do.
fn range(text: &str) -> Result<Range<usize>, (&'static str, &'static str)> {
    let is_fence = |line: &str| line.trim() == "---";
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_fence(line)).ok_or(("has no front matter at its top", SKILL_HELP))?;
    let (start, mut end) = (first.len(), first.len());
    for line in lines {
        if is_fence(line) {
            return if end > start { Ok(start..end) } else { Err(("has empty front matter", SKILL_HELP)) };
        }
        end += line.len();
    }
    Err(("has front matter without an end", "end it with a line `---`"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The front matter with each `KEY: VALUE` outside of block scalars repaired.
pub(super) fn repaired(text: &str) -> String {
    let mut out = String::new();
    // The indentation of the key whose block scalar goes on.
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let indentation = line.len() - line.trim_start().len();
        if block.is_some_and(|above| line.trim().is_empty() || indentation > above) {
            out.push_str(line);
        } else {
            let (repaired, opens_block) = repaired_line(line);
            block = opens_block.then_some(indentation);
            out.push_str(&repaired);
        }
        out.push('\n');
    }
    out
}

/// The line, and whether its value is a block scalar.
fn repaired_line(line: &str) -> (String, bool) {
    let Some((key, value)) = split(line) else { return (line.to_string(), false) };
    let (written, comment) = value.split_at(comment_start(value));
    let value = written.trim();
    let needs_quotes = !value.starts_with(['\'', '"', '|', '>'])
        && (has_key(value) || value.starts_with(['[', '{', '@', '`']) && !is_yaml(value));
    if !needs_quotes {
        return (line.to_string(), value.starts_with(['|', '>']));
    }
    let space = if comment.is_empty() { "" } else { " " };
    (format!("{key}: '{}'{space}{}", value.replace('\'', "''"), comment.trim()), false)
}

/// Whether a value is valid YAML by itself. A long one is not read: nested brackets take time.
fn is_yaml(value: &str) -> bool {
    value.len() <= 1_000 && read_lenient::<IgnoredAny>(value).is_ok()
}

/// Key and value at the first colon, which white space or the end of the line must follow.
fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_pair = !key.trim().is_empty() && (value.is_empty() || value.starts_with(char::is_whitespace));
    is_pair.then_some((key, value))
}

fn comment_start(value: &str) -> usize {
    let is_start = |at: &usize| value[..*at].chars().next_back().is_none_or(char::is_whitespace);
    value.match_indices('#').map(|(at, _)| at).find(is_start).unwrap_or(value.len())
}

/// Whether a colon with white space behind it would make the text a map.
fn has_key(value: &str) -> bool {
    value.match_indices(':').any(|(at, _)| value[at + 1..].starts_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_begins_in_the_first_line() {
        for (text, expected) in [
            ("---\na: b\n---\n", Some("a: b\n")),
            (" --- \r\na: b\r\n---", Some("a: b\r\n")),
            ("---\n---\n", None),
            ("---\na: b\n", None),
            ("\n---\na: b\n---\n", None),
            ("\u{feff}---\na: b\n---\n", None),
            ("", None),
        ] {
            assert_eq!(range(text).ok().map(|range| &text[range]), expected, "{text:?}");
        }
    }

    #[test]
    fn only_known_keys_may_not_be_repeated() {
        let is_read = |text: &str| read_lenient::<Keys>(text).is_ok();
        assert!(is_read(
            "name: 42\ndescription: 2026-01-02\nx: 1\nx: [2]\nmetadata: {a: 1, short-description: true}\n"
        ));
        for text in [
            "name: a\nname: b\n",
            "name: [a]\n",
            "description: {}\n",
            "metadata: x\n",
            "metadata: {short-description: []}\n",
            "- a\n",
        ] {
            assert!(!is_read(text), "{text:?}");
        }
    }

    #[test]
    fn values_that_need_quotes_get_them() {
        for (line, expected) in [
            ("description: Use it: always", "description: 'Use it: always'"),
            ("description: it's: so # why", "description: 'it''s: so' # why"),
            ("description: @home", "description: '@home'"),
            ("description: [a, b]", "description: [a, b]"),
            ("description: [a", "description: '[a'"),
            ("  deep: a: b", "  deep: 'a: b'"),
            ("description: 'a: b", "description: 'a: b"),
            ("just text", "just text"),
            ("a:b: c", "a:b: c"),
            ("description: |\n  a: b: c\nname: x: y", "description: |\n  a: b: c\nname: 'x: y'"),
        ] {
            assert_eq!(repaired(line), format!("{expected}\n"));
        }
    }
}
