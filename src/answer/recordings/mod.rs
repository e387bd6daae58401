//! What was recorded of the agents' own text.

pub mod json;
mod text;

use std::io;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::agents::Recording;
use crate::text::tokens::Tokenizer;
use crate::write::theme::Theme;

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
    pub theme: Theme,
    pub width: usize,
}

pub fn write(recordings: &[Recording], view: &RecordingsView, out: &mut dyn io::Write) -> io::Result<()> {
    match view.format {
        RecordingsFormat::Text => text::write(recordings, view, out),
        RecordingsFormat::Json => json::write(recordings, out),
    }
}

/// The tokens of all texts together.
fn tokens(recording: &Recording) -> usize {
    recording.texts.iter().map(|text| Tokenizer::Chars4.count(&text.text)).sum()
}
