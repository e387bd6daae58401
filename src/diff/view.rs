//! The forms in which a difference is written.

use std::io;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{Difference, html, json, markdown, names, patch, stat, text};
use crate::render::WriteError;
use crate::text::visible::VisibleWriter;
use crate::theme::Theme;
use crate::tokens::Tokenizer;

/// The forms in which a difference can be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// A line a layer.
    Stat,
    /// The names of what differs, one a line.
    NameOnly,
    /// One object with everything.
    Json,
    /// For a pull request.
    Markdown,
    /// A unified diff of the plain messages.
    Patch,
    /// A page on its own.
    Html,
}

impl Format {
    /// Whether it is published, so that values of inputs and environment are hidden in it.
    pub fn is_published(self) -> bool {
        matches!(self, Self::Markdown | Self::Html)
    }
}

/// How to write a difference.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// In which form.
    pub format: Format,
    /// So many lines are shown on either side of those that differ.
    pub context: usize,
    /// Whether both sides stand beside each other, where the width allows it (text).
    pub side_by_side: bool,
    /// Whether changed words are shown in one line, `[-old-]{+new+}`, rather than in two (text).
    pub word_diff: bool,
    /// How tokens were counted.
    pub tokenizer: Tokenizer,
    /// The least prefix in tokens that a provider caches.
    pub cache_min: usize,
    /// Whether characters that act on a terminal are shown as `<U+202E>`.
    pub visible: bool,
    /// Colours (text, stat).
    pub theme: Theme,
    /// Columns (text, stat).
    pub width: usize,
}

/// Writes a difference, in many small writes: give it a buffer.
pub fn write(difference: &Difference, view: &View, out: &mut dyn io::Write) -> Result<(), WriteError> {
    through(view, out, |out| {
        match view.format {
            Format::Text => text::write(difference, view, out)?,
            Format::Stat => stat::write(difference, view, out)?,
            Format::NameOnly => names::write(difference, out)?,
            Format::Json => json::write(difference, view, out)?,
            Format::Markdown => markdown::write(difference, view, out)?,
            Format::Patch => patch::write(difference, view, out)?,
            Format::Html => html::write(difference, view, out)?,
        }
        Ok(())
    })
}

/// Writes something to what makes characters visible that act on a terminal, if the view asks for that.
pub(crate) fn through(
    view: &View,
    out: &mut dyn io::Write,
    write: impl FnOnce(&mut dyn io::Write) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    match view.format {
        // Colours would not survive the writer, so these make what is not ours visible themselves.
        Format::Text | Format::Stat | Format::NameOnly => write(out),
        _ if !view.visible => write(out),
        Format::Json => write(&mut VisibleWriter::json(out)),
        Format::Markdown | Format::Patch | Format::Html => write(&mut VisibleWriter::new(out)),
    }
}
