//! Where a result goes.

use std::io;

use super::theme::Theme;
use crate::text::visible::VisibleWriter;

/// How a result is laid out for where it goes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Screen {
    pub theme: Theme,
    /// In columns. Formats for programs ignore it.
    pub width: usize,
    /// Whether hidden characters are escaped.
    pub visible: bool,
}

/// What escapes the hidden characters of a format, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escaping {
    /// The format does. A writer would escape its colours, too.
    Itself,
    /// `<U+202E>`
    Text,
    /// `\u202e`
    Json,
}

impl Screen {
    /// As for a file: without colours, and nothing is escaped.
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

    /// Escapes what `write` writes, if that is asked for and the format does not do it.
    pub fn write_escaped<E>(
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
