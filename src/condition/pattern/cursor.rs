#[derive(Debug, Clone)]
pub(super) struct PatternCursor<'p> {
    pattern: &'p str,
    at: usize,
}

impl<'p> PatternCursor<'p> {
    pub(super) fn new(pattern: &'p str) -> Self {
        Self { pattern, at: 0 }
    }

    pub(super) fn rest(&self) -> &'p str {
        &self.pattern[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Skips `text` if it comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let here = self.rest().starts_with(text);
        if here {
            self.at += text.len();
        }
        here
    }

    /// Skips up to `max` characters that `takes` accepts.
    pub(super) fn eat_while(&mut self, max: usize, takes: impl Fn(char) -> bool) -> &'p str {
        let rest = self.rest();
        let end = rest.char_indices().take(max).find(|&(_, c)| !takes(c)).map(|(end, _)| end);
        let end = end.or_else(|| rest.char_indices().nth(max).map(|(end, _)| end)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Skips to the character after `end`; stays if there is none.
    pub(super) fn eat_until(&mut self, end: char) -> Option<&'p str> {
        let (before, _) = self.rest().split_once(end)?;
        self.at += before.len() + end.len_utf8();
        Some(before)
    }
}
