//! The origins of values in front matter.

use crate::text::{Origin, Span, Traced};

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
