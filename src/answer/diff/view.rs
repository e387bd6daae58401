use std::io;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::answer::render::WriteError;
use crate::text::tokens::Tokenizer;
use crate::text::visible::VisibleWriter;
use crate::write::theme::Theme;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum DiffFormat {
    #[default]
    Text,
    /// A line per layer.
    Stat,
    /// The names of what differs, one per line.
    NameOnly,
    Json,
    /// For a pull request.
    Markdown,
    /// A unified diff of the messages.
    Patch,
    /// A self-contained page.
    Html,
}

impl DiffFormat {
    /// Whether values of inputs and environment are hidden, because the output is published.
    pub fn is_published(self) -> bool {
        matches!(self, Self::Markdown | Self::Html)
    }
}

/// The default number of context lines, as in `diff -u`.
pub const CONTEXT: usize = 3;

#[derive(Debug, Clone, Copy, Default)]
pub struct DiffView {
    pub format: DiffFormat,
    /// Lines of context above and below.
    pub context: usize,
    /// Whether both sides are shown in columns, if the width allows it (text).
    pub side_by_side: bool,
    /// Whether changed words are shown in one line, `[-old-]{+new+}` (text).
    pub word_diff: bool,
    pub tokenizer: Tokenizer,
    /// Whether control characters are shown as `<U+202E>`.
    pub visible: bool,
    pub theme: Theme,
    /// Columns.
    pub width: usize,
}

/// Calls `write` with a writer that makes control characters visible, if the view asks for that.
pub(crate) fn write_visibly(
    view: &DiffView,
    out: &mut dyn io::Write,
    write: impl FnOnce(&mut dyn io::Write) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    match view.format {
        // The writer would escape colours, so these formats escape untrusted text themselves.
        DiffFormat::Text | DiffFormat::Stat | DiffFormat::NameOnly => write(out),
        _ if !view.visible => write(out),
        DiffFormat::Json => write(&mut VisibleWriter::json(out)),
        DiffFormat::Markdown | DiffFormat::Patch | DiffFormat::Html => write(&mut VisibleWriter::new(out)),
    }
}
