use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::origin::{SegmentJson, SourceJson};
use crate::prompt::Message;
use crate::text::{BaseFrom, Origin};

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
