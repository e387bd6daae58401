use std::ops::Range;

#[derive(Debug)]
pub(super) struct XmlFault {
    pub reason: String,
    pub at: Range<usize>,
}

impl XmlFault {
    pub fn new(reason: impl Into<String>, at: Range<usize>) -> Self {
        Self { reason: reason.into(), at }
    }

    pub fn unexpected(text: &str, at: usize, expected: &str) -> Self {
        match text[at..].chars().next() {
            Some(found) => {
                Self::new(format!("`{}` where {expected} should be", found.escape_debug()), at..at + found.len_utf8())
            }
            None => Self::new(format!("the block ends where {expected} should be"), at..at),
        }
    }
}
