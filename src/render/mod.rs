//! Views of a prompt: each turns a [`Prompt`] into bytes. None assembles anything, and none opens a file.

pub mod anthropic;
pub mod events;
pub mod gemini;
pub mod json;
pub mod openai;
pub mod plain;
mod provider;
pub mod schema;
pub mod text;

use std::io;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::Diagnostic;
use crate::prompt::{Prompt, Role};
use crate::text::visible::VisibleWriter;
use crate::theme::Theme;
use crate::tokens::Tokenizer;

/// The forms in which a prompt can be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Format {
    /// Annotated, for people.
    #[default]
    Text,
    /// The exact bytes.
    Plain,
    /// One object with everything.
    Json,
    /// The request body of Anthropic's Messages API.
    Anthropic,
    /// The request body of OpenAI's Chat Completions API.
    Openai,
    /// The request body of Google's Gemini API.
    Gemini,
    /// The transcript events.
    Events,
}

/// How to write a prompt.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// In which form.
    pub format: Format,
    /// Only this message (text, plain).
    pub role: Option<Role>,
    /// How tokens are counted (text, json).
    pub tokenizer: Tokenizer,
    /// Whether characters that act on a terminal are shown as `<U+202E>`.
    pub visible: bool,
    /// Colours (text).
    pub theme: Theme,
    /// Columns (text).
    pub width: usize,
}

/// Why a view could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The format has no place for something in the prompt.
    #[error("{}", .0.message())]
    Refused(Diagnostic),
    /// The writer's own reason.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes a prompt, in many small writes: give it a buffer. Nothing is written where the format refuses it.
pub fn write(prompt: &Prompt, view: &View, mut out: impl io::Write) -> Result<(), WriteError> {
    match view.format {
        // Its colours would not survive the writer, so it makes the prompt's own characters visible itself.
        Format::Text => Ok(text::write(prompt, view, out)?),
        Format::Plain if view.visible => write_exact(prompt, view, &mut VisibleWriter::new(out)),
        _ if view.visible => write_exact(prompt, view, &mut VisibleWriter::json(out)),
        _ => write_exact(prompt, view, &mut out),
    }
}

fn write_exact(prompt: &Prompt, view: &View, out: &mut dyn io::Write) -> Result<(), WriteError> {
    let refused = WriteError::Refused;
    match view.format {
        Format::Text => text::write(prompt, view, out)?,
        Format::Plain => plain::write(prompt, view.role, out)?,
        Format::Json => json::write(prompt, view.tokenizer, out)?,
        Format::Anthropic => json::line(&anthropic::body(prompt).map_err(refused)?, out)?,
        Format::Openai => json::line(&openai::body(prompt).map_err(refused)?, out)?,
        Format::Gemini => json::line(&gemini::body(prompt).map_err(refused)?, out)?,
        Format::Events => events::write(prompt, out)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back() {
        for &format in Format::VARIANTS {
            assert_eq!(format.into_str().parse(), Ok(format));
        }
    }
}
