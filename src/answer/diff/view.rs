use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::text::tokens::Tokenizer;
use crate::write::screen::{Escaping, Screen};

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

    pub(crate) fn escaping(self) -> Escaping {
        match self {
            Self::Text | Self::Stat | Self::NameOnly => Escaping::Itself,
            Self::Json => Escaping::Json,
            Self::Markdown | Self::Patch | Self::Html => Escaping::Text,
        }
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
    pub screen: Screen,
}
