//! What a result is shown on.

use std::io;

use super::theme::Theme;
use crate::text::visible::VisibleWriter;

/// A terminal, a file, or what a pipe leads to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Screen {
    pub theme: Theme,
    /// In columns.
    pub width: usize,
    /// Whether characters that a terminal interprets are shown by code point: `<U+202E>`.
    pub visible: bool,
}

/// How a format shows such characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escaping {
    /// Itself: a writer would escape its colours, too.
    Itself,
    /// `<U+202E>`
    Text,
    /// `\u202e`
    Json,
}

impl Screen {
    /// Without colours, as what goes to a file.
    pub fn plain(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// A terminal without colours.
    pub fn terminal(width: usize) -> Self {
        Self { visible: true, ..Self::plain(width) }
    }

    #[cfg(test)]
    pub fn coloured(width: usize) -> Self {
        Self { theme: Theme::Coloured, ..Self::terminal(width) }
    }

    /// With a width that people can read.
    pub fn readable(self) -> Self {
        Self { width: self.width.clamp(40, 200), ..self }
    }

    /// Calls `write` with a writer that shows the characters, if they are to be shown and the format does not do it.
    pub fn escaping<E>(
        &self,
        escaping: Escaping,
        out: &mut dyn io::Write,
        write: impl FnOnce(&mut dyn io::Write) -> Result<(), E>,
    ) -> Result<(), E> {
        match escaping {
            Escaping::Text if self.visible => write(&mut VisibleWriter::new(out)),
            Escaping::Json if self.visible => write(&mut VisibleWriter::json(out)),
            _ => write(out),
        }
    }
}
