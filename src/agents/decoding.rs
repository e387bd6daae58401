//! The bytes of a file as text.

use std::sync::Arc;

use crate::text::{Source, Span};

/// How the bytes of a file become text. Bytes that are not UTF-8 become U+FFFD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decoding {
    Whole,
    /// Without one byte order mark at the start.
    WithoutMark,
}

impl Decoding {
    /// The range of a file that counts.
    pub fn text(self, source: &Arc<Source>) -> Span {
        let mark = '\u{feff}';
        let start = match self {
            Self::WithoutMark if source.text().starts_with(mark) => mark.len_utf8(),
            Self::WithoutMark | Self::Whole => 0,
        };
        source.span(start..source.text().len())
    }
}
