//! Views of a prompt: each turns a [`Prompt`] into bytes, without assembling anything or opening a file.

pub mod anthropic;
pub mod events;
pub mod gemini;
pub mod openai;
pub mod plain;
mod provider;
pub mod text;

use std::io;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::{Diagnostic, Location};
use crate::prompt::{Prompt, Role, json};
use crate::text::tokens::Tokenizer;
use crate::text::visible::VisibleWriter;
use crate::write::theme::Theme;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum RenderFormat {
    #[default]
    Text,
    /// The exact bytes.
    Plain,
    Json,
    /// The same line as JSON; with `--all`, one per directive.
    Jsonl,
    Anthropic,
    Openai,
    Gemini,
    Events,
}

#[derive(Debug, Clone, Copy)]
pub struct RenderView {
    pub format: RenderFormat,
    pub role: Option<Role>,
    /// For text and JSON.
    pub tokenizer: Tokenizer,
    /// Whether characters that a terminal interprets are shown by code point: `<U+202E>`.
    pub visible: bool,
    pub theme: Theme,
    pub width: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("{}", .0.message())]
    Refused(Diagnostic),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Diagnostic> for WriteError {
    fn from(refusal: Diagnostic) -> Self {
        Self::Refused(refusal)
    }
}

/// Makes many small writes, so `out` should be buffered. Nothing is written if the format refuses the prompt.
pub fn write(prompt: &Prompt, view: &RenderView, mut out: impl io::Write) -> Result<(), WriteError> {
    match view.format {
        // The writer would escape colours, too, so the text view escapes the prompt's characters itself.
        RenderFormat::Text => Ok(text::write(prompt, view, out)?),
        RenderFormat::Plain if view.visible => write_exact(prompt, view, &mut VisibleWriter::new(out)),
        _ if view.visible => write_exact(prompt, view, &mut VisibleWriter::json(out)),
        _ => write_exact(prompt, view, &mut out),
    }
}

/// The line of a directive that cannot be rendered, in place of its prompt.
pub fn write_failed(
    id: &str,
    place: &Location,
    error: &Diagnostic,
    view: &RenderView,
    out: impl io::Write,
) -> io::Result<()> {
    match view.visible {
        true => json::write_failed(id, place, error, &mut VisibleWriter::json(out)),
        false => json::write_failed(id, place, error, out),
    }
}

fn write_exact(prompt: &Prompt, view: &RenderView, out: &mut dyn io::Write) -> Result<(), WriteError> {
    match view.format {
        RenderFormat::Text => text::write(prompt, view, out)?,
        RenderFormat::Plain => plain::write(prompt, view.role, out)?,
        RenderFormat::Json | RenderFormat::Jsonl => json::write(prompt, view.tokenizer, out)?,
        RenderFormat::Anthropic => json::line(&anthropic::body(prompt)?, out)?,
        RenderFormat::Openai => json::line(&openai::body(prompt)?, out)?,
        RenderFormat::Gemini => json::line(&gemini::body(prompt)?, out)?,
        RenderFormat::Events => events::write(prompt, out)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_names_can_be_parsed() {
        for &format in RenderFormat::VARIANTS {
            assert_eq!(format.into_str().parse(), Ok(format));
        }
    }
}
