//! Text with origins. [`Source`] is one file as read, [`Span`] a range in it, [`Origin`] where a byte comes from, and
//! [`Traced`] a string in which every byte has an origin.

pub mod characters;
pub(crate) mod code;
mod cursor;
mod lines;
pub(crate) mod markdown;
pub(crate) mod nearest;
pub(crate) mod numbers;
mod origin;
mod pattern;
pub mod python;
mod source;
mod span;
#[cfg(test)]
pub mod testing;
pub mod tokens;
mod traced;
pub mod visible;
pub(crate) mod words;

pub(crate) use cursor::Cursor;
pub use lines::Position;
pub use origin::{BaseFrom, InputFrom, Origin, argument};
pub(crate) use pattern::constant_pattern;
pub use source::{NotUtf8, Source};
pub use span::{DiskPosition, Span};
#[cfg(test)]
pub use traced::TextSegment;
pub use traced::Traced;

/// The length of the leading characters of a kind. ASCII, which most text is, needs no decoding.
#[inline]
pub(crate) fn prefix_length(text: &str, is_of_kind: impl Fn(char) -> bool) -> usize {
    let ascii = text.bytes().take_while(|byte| byte.is_ascii() && is_of_kind(char::from(*byte))).count();
    match text.as_bytes().get(ascii) {
        Some(next) if !next.is_ascii() => text.find(|c| !is_of_kind(c)).unwrap_or(text.len()),
        _ => ascii,
    }
}
