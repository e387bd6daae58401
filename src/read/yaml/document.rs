//! The result of reading YAML, the limits, and the reasons for refusing a text.

use std::ops::Range;

use super::node::YamlNode;
use crate::diagnostic::Diagnostic;
use crate::read::limits;
use crate::read::value::Value;
use crate::text::Span;

#[derive(Debug, Clone, Copy)]
pub struct YamlLimits {
    /// The limit for the text, and for everything that anchors and aliases repeat.
    pub bytes: usize,
    /// Values, keys included; an anchored value counts again for its anchor and each alias.
    pub nodes: usize,
    /// Nested collections. The parser itself stops at 255 brackets, PyYAML near 490.
    pub depth: usize,
}

impl Default for YamlLimits {
    fn default() -> Self {
        Self { bytes: limits::YAML_BYTES, nodes: limits::YAML_VALUES, depth: limits::YAML_LEVELS }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// YAML 1.1 as in PyYAML.
    PyYaml,
    /// YAML 1.2 with its core schema.
    Core,
}

#[derive(Debug, Clone)]
pub struct Loaded {
    /// Null for an empty text.
    pub node: YamlNode,
    /// The entries of a document that is a map, in order, duplicates included.
    pub keys: Vec<DocumentKey>,
    /// `DuplicateKey` for each repeated key of a map, at the key whose value wins.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone)]
pub struct DocumentKey {
    pub name: Value,
    /// From the key to the end of its value.
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct Refusal {
    /// In bytes of the text.
    pub range: Range<usize>,
    /// Completes "not valid YAML: …" or "too much YAML: …".
    pub reason: String,
    /// Whether the text is valid but over a limit.
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
