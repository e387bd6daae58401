use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::shape::{SegmentJson, SourceJson};
use crate::prompt::Message;
use crate::text::Origin;

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
}

/// A run of text, and the range of the file that it comes from, if any.
pub struct TextRun<'s> {
    pub text: &'s str,
    pub layer: Option<usize>,
    pub source: Option<SourceJson<'s>>,
    /// Whether the text is computed from that range.
    pub is_derived: bool,
}

impl<'a> Segments<'a> {
    pub fn runs(&self) -> Box<dyn Iterator<Item = TextRun<'_>> + '_> {
        match self {
            Self::Rendered(message) => Box::new(message.segments().map(|segment| {
                let (source, is_derived) = match segment.origin {
                    Origin::File(span) => (Some(span.into()), false),
                    Origin::Derived(span) => (Some(span.into()), true),
                    _ => (None, false),
                };
                TextRun { text: segment.text, layer: segment.layer, source, is_derived }
            })),
            Self::Read(segments) => Box::new(segments.iter().map(|ReadSegment { text, layer, origin }| {
                let ReadOrigin { kind, tier, path, start, line, revision } = origin;
                let source = || SourceJson {
                    tier: tier.into(),
                    path: path.into(),
                    start: *start,
                    line: *line,
                    revision: revision.as_deref().map(Into::into),
                    ..SourceJson::default()
                };
                let is_derived = kind == "derived";
                TextRun { text, layer: *layer, source: (is_derived || kind == "file").then(source), is_derived }
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
        serializer.collect_seq(message.segments().map(|segment| SegmentJson {
            at: segment.at,
            text: segment.text,
            layer: segment.layer,
            origin: segment.origin.into(),
        }))
    }
}

impl<'de> Deserialize<'de> for Segments<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::Read)
    }
}
