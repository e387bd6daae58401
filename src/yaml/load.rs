#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use super::compose::{Written, compose};
use super::node::Node;
use crate::diagnostic::{Diagnostic, Problem};
use crate::limits;
use crate::text::{Source, Span};
use crate::value::Value;

/// How much YAML is accepted.
#[derive(Debug, Clone, Copy)]
pub struct YamlLimits {
    /// Bytes of the text, and likewise of all that anchors and aliases repeat.
    pub bytes: usize,
    /// Values, keys included; what has an anchor counts again, and for each of its aliases.
    pub nodes: usize,
    /// Collections within collections. The parser itself stops at 255 brackets, PyYAML near 490.
    pub depth: usize,
}

impl Default for YamlLimits {
    fn default() -> Self {
        Self { bytes: limits::YAML_BYTES, nodes: limits::YAML_VALUES, depth: limits::YAML_LEVELS }
    }
}

/// Which YAML is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// YAML 1.1 as PyYAML has it.
    PyYaml,
    /// YAML 1.2 with its core schema.
    Core,
}

/// A document that was read.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// Its root; null for a text without a document.
    pub node: Node,
    /// The entries of the map that it is, if it is one, in the order written; repeated ones too.
    pub keys: Vec<Key>,
    /// `DuplicateKey` for each key that stands again in one map, at the key whose value wins.
    pub diagnostics: Vec<Diagnostic>,
}

/// An entry of the map that a document is.
#[derive(Debug, Clone)]
pub struct Key {
    /// The key.
    pub name: Value,
    /// From the key to the end of its value.
    pub span: Span,
}

/// Why a text is refused, and where in it.
#[derive(Debug)]
pub(super) struct Refusal {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// Completes "not valid YAML: …" or "too much YAML: …".
    pub reason: String,
    /// Whether it is valid but beyond what we read.
    pub is_limit: bool,
}

impl Refusal {
    pub fn new(range: Range<usize>, reason: impl Into<String>) -> Self {
        Self { range, reason: reason.into(), is_limit: false }
    }

    pub fn limit(range: Range<usize>, reason: impl Into<String>) -> Self {
        Self { range, reason: reason.into(), is_limit: true }
    }
}

/// Reads the one document of a part of a file as PyYAML's safe loader does (Directives, "Knowledge").
///
/// What has no other form here keeps the nearest: a `!!set` is a map to null, a pair of `!!omap` or `!!pairs` a list
/// of two. An alias that stands within the value it names is refused.
///
/// # Errors
///
/// `TooLarge` for a text over the limit of bytes, `YamlTooLarge` where another limit is exceeded, `InvalidYaml` for
/// everything else.
pub fn load(source: &Arc<Source>, range: Range<usize>, limits: YamlLimits) -> Result<Loaded, Diagnostic> {
    load_as(Dialect::PyYaml, source, range, limits)
}

/// Reads the one document of a part of a file by the core schema of YAML 1.2 (`sf`, "Skills").
///
/// A key that stands again is refused, a key that is a list or a map is passed over, and a tag that no value has means
/// nothing.
///
/// # Errors
///
/// As those of [`load`].
pub fn load_core(source: &Arc<Source>, range: Range<usize>, limits: YamlLimits) -> Result<Loaded, Diagnostic> {
    load_as(Dialect::Core, source, range, limits)
}

fn load_as(
    dialect: Dialect,
    source: &Arc<Source>,
    range: Range<usize>,
    limits: YamlLimits,
) -> Result<Loaded, Diagnostic> {
    let size = range.len();
    let document = source.span(range);
    if size > limits.bytes {
        let problem = Problem::TooLarge { size: Some(size as u64), limit: limits.bytes as u64, raise_with: None };
        return Err(Diagnostic::at(problem, document));
    }
    let composed = match dialect {
        Dialect::PyYaml => compose(&document, Written { text: document.text(), mark: None }, limits, dialect),
        Dialect::Core => compose_tabbed(&document, limits),
    };
    composed.map_err(|Refusal { range, reason, is_limit }| {
        let problem = if is_limit { Problem::YamlTooLarge { reason } } else { Problem::InvalidYaml { reason } };
        Diagnostic::at(problem, document.slice(range))
    })
}

/// Composes a document in which tabs may stand between a colon and its value, and byte order marks anywhere. The parser
/// refuses some that YAML 1.2 allows, and reads on with a blank in the place of the first tab, and with a character that
/// the document does not hold in the place of marks.
fn compose_tabbed(document: &Span, limits: YamlLimits) -> Result<Loaded, Refusal> {
    const MOST_TABS: usize = 50;
    let (mut text, mark) = without_marks(document.text());
    for _ in 0..MOST_TABS {
        match compose(document, Written { text: &text, mark }, limits, Dialect::Core) {
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
    compose(document, Written { text: &text, mark }, limits, Dialect::Core)
}

/// The text with one and the same character in the place of each byte order mark behind its beginning, and that
/// character, which is as long.
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

/// How the parser refuses a tab between a colon and its value.
const TAB_BEHIND_COLON: &str = "':' must be followed by a valid YAML whitespace";
