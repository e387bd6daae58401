//! What the targets in `fuzz/` reach besides the library's own interface. It is there under `--cfg fuzzing` alone.

use std::sync::Arc;

use crate::item;
use crate::text::{Source, Span};

/// What stands before the first fence of that word that can be used, the fence with its lines, what it holds, and what
/// follows it; all but the fence trimmed.
pub fn fence(source: &Arc<Source>, word: &str) -> Option<[Span; 4]> {
    item::fence_spans(source, word)
}
