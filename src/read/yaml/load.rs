#[cfg(test)]
mod tests;

use super::compose::{ParsedText, compose};
use super::document::{Dialect, Loaded, Refusal, YamlLimits};
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::Span;

/// Reads the single document in part of a file as PyYAML's safe loader does (Directives, "Knowledge"). Types without a
/// counterpart become the nearest one: a `!!set` becomes a map of nulls, and a pair in `!!omap` or `!!pairs` a list of
/// two. An alias within the value it names is refused. The errors are `TooLarge` for too many bytes, `YamlTooLarge` for
/// other limits, and `InvalidYaml`.
pub fn load(document: &Span) -> Result<Loaded, Diagnostic> {
    load_within(document, YamlLimits::default())
}

pub fn load_within(document: &Span, limits: YamlLimits) -> Result<Loaded, Diagnostic> {
    load_as(Dialect::PyYaml, document, limits)
}

/// Reads the single document in part of a file by the core schema of YAML 1.2 (`sf`, "Skills"). Refuses duplicate keys,
/// skips keys that are lists or maps, and ignores unknown tags. The errors are those of [`load`].
pub fn load_core(document: &Span, limits: YamlLimits) -> Result<Loaded, Diagnostic> {
    load_as(Dialect::Core, document, limits)
}

fn load_as(dialect: Dialect, document: &Span, limits: YamlLimits) -> Result<Loaded, Diagnostic> {
    let size = document.text().len();
    if size > limits.bytes {
        let problem = Problem::TooLarge { size: Some(size as u64), limit: limits.bytes as u64, raise_with: None };
        return Err(Diagnostic::at(problem, document));
    }
    let composed = match dialect {
        Dialect::PyYaml => compose(document, ParsedText { text: document.text(), mark: None }, limits, dialect),
        Dialect::Core => compose_tabbed(document, limits),
    };
    composed.map_err(|Refusal { range, reason, is_limit }| {
        let problem = if is_limit { Problem::YamlTooLarge { reason } } else { Problem::InvalidYaml { reason } };
        Diagnostic::at(problem, document.slice(range))
    })
}

/// Composes a document with tabs between a colon and its value, and byte order marks anywhere: YAML 1.2 allows some
/// that the parser refuses. Such a tab becomes a space, and each mark becomes an unused character.
fn compose_tabbed(document: &Span, limits: YamlLimits) -> Result<Loaded, Refusal> {
    const MOST_TABS: usize = 50;
    let (mut text, mark) = without_marks(document.text());
    for _ in 0..MOST_TABS {
        match compose(document, ParsedText { text: &text, mark }, limits, Dialect::Core) {
            Err(refusal) if refusal.reason == TAB_BEHIND_COLON => {
                let before = text[..refusal.range.start].trim_end_matches('\t').len();
                if before == refusal.range.start {
                    return Err(refusal);
                }
                text.replace_range(before..before + 1, " ");
            }
            composed => return composed,
        }
    }
    compose(document, ParsedText { text: &text, mark }, limits, Dialect::Core)
}

/// Replaces byte order marks after the first character with an unused character of the same length.
fn without_marks(text: &str) -> (String, Option<char>) {
    const MARK: char = '\u{feff}';
    let first = if text.starts_with(MARK) { MARK.len_utf8() } else { 0 };
    let (start, rest) = text.split_at(first);
    if !rest.contains(MARK) {
        return (text.to_string(), None);
    }
    match ('\u{e000}'..='\u{f8ff}').find(|&unused| !text.contains(unused)) {
        Some(unused) => (format!("{start}{}", rest.replace(MARK, unused.encode_utf8(&mut [0; 4]))), Some(unused)),
        None => (text.to_string(), None),
    }
}

/// The parser's message for a tab between a colon and its value.
const TAB_BEHIND_COLON: &str = "':' must be followed by a valid YAML whitespace";
