//! What was recorded of the agents' own text.

use std::io;

use serde::Serialize;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::agents::{OwnText, Recording};
use crate::prompt::json::line;
use crate::text::numbers::count;
use crate::text::tokens::Tokenizer;
use crate::text::visible::visible_line;
use crate::write::report::{Line, Report, word};
use crate::write::screen::{Escaping, Screen};
use crate::write::theme::{DIM, PLAIN, STRONG};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum RecordingsFormat {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Clone, Copy)]
pub struct RecordingsView {
    pub format: RecordingsFormat,
    pub screen: Screen,
}

pub fn write(recordings: &[Recording], view: &RecordingsView, out: &mut dyn io::Write) -> io::Result<()> {
    match view.format {
        RecordingsFormat::Text => write_text(recordings, view, out),
        RecordingsFormat::Json => {
            view.screen.write_escaped(Escaping::Json, out, |out| line(&document(recordings), out))
        }
    }
}

/// The tokens of all texts together.
fn tokens(recording: &Recording) -> usize {
    recording.texts.iter().map(|text| Tokenizer::Chars4.count(&text.text)).sum()
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

/// The release and date of each recording, and below it the ids.
fn write_text(recordings: &[Recording], view: &RecordingsView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut report = Report::new(view.screen, out);
    if recordings.is_empty() {
        report.row(word(PLAIN, "Nothing was recorded."));
    }
    for recording in recordings {
        let Recording { agent, version, date, folder, texts } = recording;
        let tokens = count(tokens(recording), "token");
        let facts = [&tokens, date.as_deref().unwrap_or_default(), folder];
        let release = word(STRONG, &format!("{agent} {version}"));
        report.phrases("  ", "", "    ", facts.iter().fold(release, |line, fact| line.word(DIM, fact)));
        let ids = texts.iter().fold(Line::default(), |line, text| line.mark(",").words(DIM, &visible_line(&text.id)));
        report.line("  ", "    ", ids);
    }
    report.finish()
}
