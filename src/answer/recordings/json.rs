//! The recordings as one JSON object; other programs rely on its shape.

use std::io;

use serde::Serialize;

use super::tokens;
use crate::agents::{OwnText, Recording};
use crate::prompt::json::line;
use crate::text::tokens::Tokenizer;

pub(super) fn write(recordings: &[Recording], out: &mut dyn io::Write) -> io::Result<()> {
    line(&document(recordings), out)
}

fn document(recordings: &[Recording]) -> RecordingsDocument<'_> {
    RecordingsDocument {
        format: "rye-render.recordings/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        tokenizer: Tokenizer::Chars4.into_str(),
        recordings: recordings.iter().map(entry).collect(),
    }
}

fn entry(recording: &Recording) -> RecordingJson<'_> {
    let text = |OwnText { id, text }: &'_ OwnText| -> OwnTextJson {
        OwnTextJson { id: id.clone(), bytes: text.len(), tokens: Tokenizer::Chars4.count(text) }
    };
    RecordingJson {
        agent: &recording.agent,
        version: &recording.version,
        date: recording.date.as_deref(),
        folder: &recording.folder,
        tokens: tokens(recording),
        texts: recording.texts.iter().map(text).collect(),
    }
}

/// What was recorded of the agents' own text, without the text itself.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.recordings/1"))]
pub struct RecordingsDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.recordings/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// How tokens are counted.
    pub tokenizer: &'static str,
    /// By agent and release.
    pub recordings: Vec<RecordingJson<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RecordingJson<'a> {
    pub agent: &'a str,
    pub version: &'a str,
    /// The day of the request.
    pub date: Option<&'a str>,
    /// The folder in which the agent was started, absolute.
    pub folder: &'a str,
    pub tokens: usize,
    /// In the order of the request.
    pub texts: Vec<OwnTextJson>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OwnTextJson {
    /// `FIRST..LAST` for several texts whose borders are unknown.
    pub id: String,
    pub bytes: usize,
    pub tokens: usize,
}
