//! Where text comes from.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::prompt::Message;
use crate::text::{BaseFrom, Origin};

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

pub enum Segments<'a> {
    /// Created one at a time while writing, since there may be millions.
    Rendered(&'a Message),
    Read(Vec<ReadSegment>),
}

/// The fields of a saved segment that a comparison needs.
#[derive(Deserialize)]
pub struct ReadSegment {
    #[serde(default)]
    text: String,
    layer: Option<usize>,
    #[serde(default)]
    origin: ReadOrigin,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadOrigin {
    kind: String,
    tier: String,
    path: String,
    start: Option<usize>,
    line: Option<usize>,
    revision: Option<String>,
    name: String,
    from: String,
    source: Option<SourceJson<'static>>,
}

pub struct TextRun<'s> {
    pub text: &'s str,
    pub layer: Option<usize>,
    pub origin: RunOrigin<'s>,
}

/// What file a run of text comes from.
pub enum RunOrigin<'s> {
    /// The text of a range, or text computed from it.
    Text {
        source: SourceJson<'s>,
        is_derived: bool,
    },
    /// The value of a variable that a range decides.
    Variable(&'s str, SourceJson<'s>),
    /// An agent's own text whose wording is unknown.
    Unknown,
    NoFile,
}

impl ReadOrigin {
    fn of_run(&self) -> RunOrigin<'_> {
        let Self { kind, tier, path, start, line, revision, name, from, source } = self;
        match (kind.as_str(), source) {
            ("file" | "derived", _) => {
                let source = SourceJson {
                    tier: tier.into(),
                    path: path.into(),
                    start: *start,
                    line: *line,
                    revision: revision.as_deref().map(Into::into),
                    ..SourceJson::default()
                };
                RunOrigin::Text { source, is_derived: kind == "derived" }
            }
            ("variable", Some(source)) => RunOrigin::Variable(name, source.clone()),
            ("base", _) if from == BaseFrom::Unknown.into_str() => RunOrigin::Unknown,
            _ => RunOrigin::NoFile,
        }
    }
}

impl<'a> Segments<'a> {
    pub fn runs(&self) -> Box<dyn Iterator<Item = TextRun<'_>> + '_> {
        match self {
            Self::Rendered(message) => Box::new(message.segments().map(|segment| {
                let origin = match segment.origin {
                    Origin::File(span) => RunOrigin::Text { source: span.into(), is_derived: false },
                    Origin::Derived(span) => RunOrigin::Text { source: span.into(), is_derived: true },
                    Origin::Variable { name, source: Some(span) } => RunOrigin::Variable(name, span.into()),
                    origin if origin.is_unknown() => RunOrigin::Unknown,
                    _ => RunOrigin::NoFile,
                };
                TextRun { text: segment.text, layer: segment.layer, origin }
            })),
            Self::Read(segments) => Box::new(segments.iter().map(|ReadSegment { text, layer, origin }| TextRun {
                text,
                layer: *layer,
                origin: origin.of_run(),
            })),
        }
    }
}

impl Default for Segments<'_> {
    fn default() -> Self {
        Self::Read(Vec::new())
    }
}

impl Serialize for Segments<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self::Rendered(message) = self else { return Err(serde::ser::Error::custom("read only in part")) };
        serializer.collect_seq(message.segments())
    }
}

impl<'de> Deserialize<'de> for Segments<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::Read)
    }
}
