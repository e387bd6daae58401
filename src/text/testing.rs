//! Hand-built files for tests.

use std::sync::Arc;

use super::{Source, Span};

pub fn source(tier: &str, path: &str, text: &str) -> Arc<Source> {
    Source::read(tier.into(), path, text.as_bytes().to_vec()).unwrap()
}

/// The first occurrence of `text` in a file.
pub fn find(source: &Arc<Source>, text: &str) -> Span {
    let at = source.text().find(text).unwrap_or_else(|| panic!("{text:?} is not in {source:?}"));
    source.span(at..at + text.len())
}
