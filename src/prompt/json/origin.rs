//! Where text comes from.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A file, or a range in it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SourceJson<'a> {
    /// `project`, `user`, `system:<bundle>` or `builtin`; in `sf` prompts, `cwd`, `ancestor`, `agent` or `home`. Empty
    /// for a file that the command line names.
    pub tier: Cow<'a, str>,
    /// Relative to the folder that holds `.ai/`, with `/` as the separator; absolute in `sf` prompts.
    pub path: Cow<'a, str>,
    /// First byte in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// One past the last byte in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
    /// 1-based line of `start`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// 1-based column of `start`, in Unicode scalar values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The revision that the file was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<Cow<'a, str>>,
}

/// A range in a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileRange<'a> {
    /// As in other source objects.
    pub tier: &'a str,
    /// As in other source objects.
    pub path: &'a str,
    /// First byte in the file.
    pub start: usize,
    /// One past the last byte in the file.
    pub end: usize,
    /// 1-based line of `start`.
    pub line: usize,
    /// 1-based column of `start`, in Unicode scalar values.
    pub column: usize,
    /// The revision that the file was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<&'a str>,
}

#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OriginJson<'a> {
    /// The bytes in this range are the segment's text, once line ends are normalized to newlines.
    File {
        #[serde(flatten)]
        range: FileRange<'a>,
        /// Whether the newlines on disk differ from those in the text.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        newlines: bool,
    },
    /// Computed from that range: decoded entities, formatted values, names of tags, text that is not contiguous in the
    /// file.
    Derived(FileRange<'a>),
    Input {
        name: &'a str,
        /// Where the value came from.
        #[cfg_attr(test, schemars(extend("enum" = ["flag", "file", "stdin", "default", "placeholder"])))]
        from: &'static str,
        /// The attribute that declares the default.
        #[serde(skip_serializing_if = "Option::is_none")]
        source: Option<SourceJson<'a>>,
    },
    Env {
        name: &'a str,
    },
    /// A value of the hook context.
    Variable {
        name: &'a str,
        /// What decides the value, if a file does: the value of a setting, an attribute, the text of a directive; an
        /// empty range at the start of a file for its path.
        #[serde(skip_serializing_if = "Option::is_none")]
        source: Option<SourceJson<'a>>,
    },
    /// Text given on the command line.
    Argument {
        name: &'a str,
    },
    /// Fixed text of the protocol: tags, separators, sentences.
    Protocol,
    /// A coding agent's own text. If its wording is unknown, `text` is `{{base:ID}}`.
    Base {
        id: &'a str,
        /// Where the wording is from.
        #[cfg_attr(test, schemars(extend("enum" = ["installed", "recorded", "protocol", "unknown"])))]
        from: &'static str,
    },
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SegmentJson<'a> {
    /// Byte offset in the message.
    pub at: usize,
    pub text: &'a str,
    /// Index into `layers`; null for text between layers.
    pub layer: Option<usize>,
    pub origin: OriginJson<'a>,
}
