use std::ops::Range;

/// What is wrong with a document, at a range of its bytes.
#[derive(Debug)]
pub(super) struct Fault {
    pub reason: String,
    pub at: Range<usize>,
}

impl Fault {
    pub fn new(reason: impl Into<String>, at: Range<usize>) -> Self {
        Self { reason: reason.into(), at }
    }

    /// The character at `at` stands where something else should.
    pub fn unexpected(text: &str, at: usize, expected: &str) -> Self {
        match text[at..].chars().next() {
            Some(found) => {
                Self::new(format!("`{}` where {expected} should be", found.escape_debug()), at..at + found.len_utf8())
            }
            None => Self::new(format!("the block ends where {expected} should be"), at..at),
        }
    }
}
