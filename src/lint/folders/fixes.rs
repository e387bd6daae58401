//! Fixes of what agents lose, where exactly one edit is right.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::loss::AgentReport;
use crate::agents::{joined, parent};
use crate::diagnostic::Location;
use crate::lint::finding::{Edit, Fix};
use crate::read::yaml::{YamlLimits, key_place, load_core};
use crate::text::{Source, Span};

/// Keys that other agents read as `paths`.
const KEYS: [&str; 4] = ["globs", "applyTo", "Paths", "path"];
/// More than any rule has.
const LIMITS: YamlLimits = YamlLimits { bytes: 20_000, nodes: 2_000, depth: 20 };

/// Files by their paths in small letters.
pub(super) struct PathsIgnoringCase<'p> {
    paths: &'p [String],
    /// By path in small letters; `None` for several.
    files: OnceCell<HashMap<String, Option<&'p str>>>,
}

impl<'p> PathsIgnoringCase<'p> {
    pub fn of(paths: &'p [String]) -> Self {
        Self { paths, files: OnceCell::new() }
    }

    /// The only file whose path differs at most in letters.
    fn only(&self, path: &str) -> Option<&'p str> {
        let files = self.files.get_or_init(|| {
            let mut files = HashMap::new();
            for path in self.paths {
                let file = files.entry(path.to_ascii_lowercase());
                file.and_modify(|several| *several = None).or_insert(Some(path.as_str()));
            }
            files
        });
        *files.get(&path.to_ascii_lowercase())?
    }
}

/// Adds a fix to a report. `read` reads a file of the project that is not a link.
pub(super) fn add(report: &mut AgentReport, paths: &PathsIgnoringCase<'_>, read: impl Fn(&str) -> Option<Arc<Source>>) {
    let Some(Location::Span(at)) = &report.at else { return };
    let edit = match report.rule {
        "rule_unscoped" => key(at),
        "rule_never_applies" => pattern(at),
        "import_lost" => import(at, paths),
        _ => None,
    };
    let Some((range, text)) = edit else { return };
    // An agent may decode a file differently; all other bytes must stay.
    let raw = at.source().text();
    let source = read(at.source().path()).filter(|source| source.text() == raw.replace("\r\n", "\n"));
    let Some(source) = source else { return };
    let offset = |at: usize| at - raw[..at].matches("\r\n").count();
    let span = |range: Range<usize>| source.span(offset(range.start)..offset(range.end));
    let edits = vec![Edit::replace(&span(range), &*text)];
    report.fix = Some(Fix { title: format!("write `{text}`"), edits });
    report.at = Some(span(at.range()).into());
}

type Replaced = (Range<usize>, String);

/// The key that holds the patterns, as `paths`.
fn key(block: &Span) -> Option<Replaced> {
    let keys = load_core(block, LIMITS).ok()?.node;
    let mut named = KEYS.into_iter().filter_map(|key| Some((key, keys.get(key)?)));
    let ((key, value), None) = (named.next()?, named.next()) else { return None };
    let is_pattern = |text: &str| !text.trim().is_empty();
    let holds_patterns = match value.as_list() {
        Some(list) => !list.is_empty() && list.iter().all(|it| it.as_str().is_some_and(is_pattern)),
        None => value.as_str().is_some_and(is_pattern),
    };
    // Then the rule is meant for all files.
    let is_for_all = keys.get("alwaysApply").is_some_and(|it| it.is_true());
    if !holds_patterns || is_for_all || keys.get("paths").is_some() {
        return None;
    }
    Some((key_place(block, value.span.as_ref()?, key)?.range(), "paths".to_string()))
}

/// `./` before a pattern, which matches nothing, as `/`, which is the folder of the rules.
fn pattern(at: &Span) -> Option<Replaced> {
    let bare = at.text().trim_start_matches(['"', '\'']);
    let rest = bare.strip_prefix("./")?;
    if rest.starts_with('/') || rest.split('/').any(|part| matches!(part, "." | "..")) {
        return None;
    }
    let start = at.range().end - bare.len();
    Some((start..start + 2, "/".to_string()))
}

/// The path of an import in the letters of the only file that it can mean.
fn import(at: &Span, paths: &PathsIgnoringCase<'_>) -> Option<Replaced> {
    let named = at.text().strip_prefix('@').filter(|named| !named.contains('\\') && !named.starts_with(['/', '~']))?;
    let importing = format!("/{}", at.source().path());
    let base = parent(&importing)?;
    let meant = joined(base, named);
    let file = paths.only(&meant[1..])?;
    // Dots at the start of the path stay.
    let same = named.bytes().rev().zip(meant.bytes().rev()).take_while(|(named, meant)| named == meant).count();
    let same = same.min(file.len());
    let text = format!("{}{}", named.get(..named.len() - same)?, file.get(file.len() - same..)?);
    let is_other = text != named && joined(base, &text)[1..] == *file;
    is_other.then(|| (at.range().start + 1..at.range().end, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(path: &str, text: &str) -> Span {
        let source: Arc<Source> = Source::read("project".into(), path, text.as_bytes().to_vec()).unwrap();
        source.whole()
    }

    /// The text after the edit.
    fn after(at: &Span, edit: Option<Replaced>) -> Option<String> {
        let (range, text) = edit?;
        let mut whole = at.text().to_string();
        whole.replace_range(range, &text);
        Some(whole)
    }

    #[test]
    fn a_key_is_renamed_if_nothing_else_can_be_meant() {
        let fixed = |block: &str| {
            let at = span(".claude/rules/a.md", block);
            after(&at, key(&at))
        };
        assert_eq!(fixed("globs: \"*.md\"\n").unwrap(), "paths: \"*.md\"\n");
        assert_eq!(fixed("a: globs\n\"applyTo\": [a, b]\n").unwrap(), "a: globs\n\"paths\": [a, b]\n");
        assert_eq!(fixed("globs: src/**\nalwaysApply: false\n").unwrap(), "paths: src/**\nalwaysApply: false\n");
        for other in ["globs: a\npaths: b", "globs: a\npath: b", "globs: a\nalwaysApply: true", "globs:", "globs: [1]"]
        {
            assert_eq!(fixed(other), None, "{other}");
        }
        // YAML takes the star for an alias.
        assert_eq!(fixed("globs: *.md\n"), None);
    }

    #[test]
    fn a_dot_before_a_pattern_is_removed() {
        let fixed = |text: &str| {
            let at = span(".claude/rules/a.md", text);
            after(&at, pattern(&at))
        };
        assert_eq!(fixed("./src/*.ts").unwrap(), "/src/*.ts");
        assert_eq!(fixed("\"./.github/**\"").unwrap(), "\"/.github/**\"");
        for other in ["src/*.ts", "../src", "././src", "./../src", "./src/../src/**", ".//src"] {
            assert_eq!(fixed(other), None, "{other}");
        }
    }

    #[test]
    fn an_import_gets_the_letters_of_the_only_file() {
        let paths = ["docs/style.md", "api/Rules.md", "docs/a.md", "docs/A.md"].map(str::to_string);
        let fixed = |path: &str, text: &str| {
            let at = span(path, text);
            after(&at, import(&at, &PathsIgnoringCase::of(&paths)))
        };
        assert_eq!(fixed("CLAUDE.md", "@docs/Style.md").unwrap(), "@docs/style.md");
        assert_eq!(fixed("api/CLAUDE.md", "@../Docs/style.MD").unwrap(), "@../docs/style.md");
        assert_eq!(fixed("api/CLAUDE.md", "@./rules.md").unwrap(), "@./Rules.md");
        // It exists; there are two; there is none; the folder of the file itself is written otherwise.
        for (path, text) in [
            ("CLAUDE.md", "@docs/style.md"),
            ("CLAUDE.md", "@DOCS/A.md"),
            ("CLAUDE.md", "@docs/gone.md"),
            ("API/CLAUDE.md", "@rules.md"),
            ("CLAUDE.md", "@~/docs/Style.md"),
        ] {
            assert_eq!(fixed(path, text), None, "{path} {text}");
        }
    }
}
