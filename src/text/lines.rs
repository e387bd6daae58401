#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// 1-based.
    pub line: usize,
    /// 1-based, in Unicode scalar values.
    pub column: usize,
}

/// Bytes between two checkpoints; computing a position scans at most this many.
const STEP: usize = 1024;

/// Finds positions fast: thousands in one file cost about one pass over it. A checkpoint every [`STEP`] bytes takes far
/// less memory than every line start, and also helps in files with one long line.
#[derive(Debug)]
pub(super) struct LineIndex {
    checkpoints: Vec<Checkpoint>,
    /// Whether a CR without LF is in the text.
    pub has_lone_cr: bool,
}

/// Counts up to a multiple of [`STEP`].
#[derive(Debug, Clone, Copy)]
struct Checkpoint {
    newlines: usize,
    chars: usize,
    line_start: usize,
}

impl LineIndex {
    pub(super) fn new(text: &str) -> Self {
        let mut at = Checkpoint { newlines: 0, chars: 0, line_start: 0 };
        let mut checkpoints = vec![at];
        // The last step is counted on demand.
        for (index, chunk) in text.as_bytes().chunks_exact(STEP).enumerate() {
            at = at.advance(index * STEP, chunk);
            checkpoints.push(at);
        }
        let has_lone_cr =
            memchr::memchr_iter(b'\r', text.as_bytes()).any(|at| text.as_bytes().get(at + 1) != Some(&b'\n'));
        Self { checkpoints, has_lone_cr }
    }

    /// `offset` must be a character boundary.
    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let here = self.before(text, offset);
        let line_start = self.before(text, here.line_start);
        Position { line: here.newlines + 1, column: here.chars - line_start.chars + 1 }
    }

    pub(super) fn line_start(&self, text: &str, offset: usize) -> usize {
        self.before(text, offset).line_start
    }

    fn before(&self, text: &str, offset: usize) -> Checkpoint {
        let index = offset / STEP;
        self.checkpoints[index].advance(index * STEP, &text.as_bytes()[index * STEP..offset])
    }
}

impl Checkpoint {
    /// `bytes` begin at offset `at`.
    fn advance(self, at: usize, bytes: &[u8]) -> Self {
        Self {
            newlines: self.newlines + count(bytes, |byte| byte == b'\n'),
            // Every byte but a continuation byte begins a character.
            chars: self.chars + count(bytes, |byte| byte & 0xc0 != 0x80),
            line_start: bytes.iter().rposition(|&byte| byte == b'\n').map_or(self.line_start, |found| at + found + 1),
        }
    }
}

/// Sums bytes in chunks small enough for `u8`, which the compiler vectorizes.
fn count(bytes: &[u8], is_counted: impl Fn(u8) -> bool) -> usize {
    let parts = bytes.chunks(u8::MAX.into());
    parts.map(|part| usize::from(part.iter().map(|&byte| u8::from(is_counted(byte))).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;

    fn plainly(text: &str, offset: usize) -> Position {
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Position { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }

    #[test]
    fn empty_text_has_one_position() {
        assert_eq!(LineIndex::new("").position("", 0), Position { line: 1, column: 1 });
    }

    #[test]
    fn a_text_may_end_at_a_checkpoint() {
        let text = "a".repeat(2 * STEP);
        assert_eq!(LineIndex::new(&text).position(&text, 2 * STEP), Position { line: 1, column: 2 * STEP + 1 });
    }

    #[test]
    fn one_long_line_is_counted_once() {
        let text = "é".repeat(1_000_000);
        let index = LineIndex::new(&text);
        let start = Instant::now();
        for offset in (0..text.len()).step_by(100) {
            assert_eq!(index.position(&text, offset).column, offset / 2 + 1);
        }
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    proptest! {
        #[test]
        fn positions_are_those_of_a_plain_count(text in "([ab\n]|é|😀\n?){0,1500}") {
            let index = LineIndex::new(&text);
            for (offset, _) in text.char_indices().step_by(37).chain([(text.len(), ' ')]) {
                prop_assert_eq!(index.position(&text, offset), plainly(&text, offset));
                prop_assert_eq!(index.line_start(&text, offset), text[..offset].rfind('\n').map_or(0, |at| at + 1));
            }
        }
    }
}
