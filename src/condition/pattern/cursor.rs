/// A place in a pattern.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'p> {
    pattern: &'p str,
    at: usize,
}

impl<'p> Cursor<'p> {
    pub(super) fn new(pattern: &'p str) -> Self {
        Self { pattern, at: 0 }
    }

    /// What is left.
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

    /// Passes `text` if it stands here.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let here = self.rest().starts_with(text);
        if here {
            self.at += text.len();
        }
        here
    }

    /// Passes the characters that `takes`, at most `max` of them.
    pub(super) fn eat_while(&mut self, max: usize, takes: impl Fn(char) -> bool) -> &'p str {
        let rest = self.rest();
        let end = rest.char_indices().take(max).find(|&(_, c)| !takes(c)).map(|(end, _)| end);
        let end = end.or_else(|| rest.char_indices().nth(max).map(|(end, _)| end)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Passes everything up to `end` and `end` itself; none, and nowhere, if it never comes.
    pub(super) fn eat_until(&mut self, end: char) -> Option<&'p str> {
        let (before, _) = self.rest().split_once(end)?;
        self.at += before.len() + end.len_utf8();
        Some(before)
    }
}
