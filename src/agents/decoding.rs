//! The bytes of a file as text.

use std::sync::Arc;

use crate::text::{Origin, Source, Span, Traced};

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

/// Where bytes stop being UTF-8; `None` if they all are.
pub fn not_utf8(source: &Arc<Source>, bytes: &[u8]) -> Option<Span> {
    let at = std::str::from_utf8(bytes).err()?.valid_up_to();
    Some(source.span(at..at + char::REPLACEMENT_CHARACTER.len_utf8()))
}

/// The same value, with each U+FFFD that the file does not contain marked as derived.
pub fn exact(value: &Traced) -> Traced {
    if !value.text().contains(char::REPLACEMENT_CHARACTER) {
        return value.clone();
    }
    let mut exact = Traced::new();
    for segment in value.segments() {
        match segment.origin {
            Origin::File(span) => exact.push(&Traced::raw(span)),
            origin => exact.push(&Traced::of(segment.text, origin.clone())),
        };
    }
    exact
}

/// A value as the bytes of the block where it stands behind its key as it is, else derived from the block.
pub fn written(block: &Span, key: &str, value: &str) -> Traced {
    let text = block.text();
    let is_line = |at: &usize| *at == 0 || text[..*at].ends_with('\n');
    let after = text.match_indices(key).map(|(at, _)| at).find(is_line).map_or(0, |at| at + key.len());
    match text[after..].find(value) {
        Some(at) => Traced::raw(&block.slice(after + at..after + at + value.len())),
        None => Traced::of(value, Origin::Derived(block.clone())),
    }
}
