/// A place in a text that moves forward.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

/// Where a declaration ends whose end the next character shows: behind that character.
pub(super) fn ended(mut next: Cursor<'_>) -> usize {
    next.bump();
    next.at()
}

impl<'a> Cursor<'a> {
    /// At a byte offset, which must be a character boundary.
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// The byte offset.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The text that it moves in.
    pub fn whole(&self) -> &'a str {
        self.text
    }

    /// What is left.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        // Nearly every character is ASCII, and this is what a scan of a whole file spends its time on.
        match self.text.as_bytes().get(self.at) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.rest().chars().next(),
        }
    }

    /// What was taken since a byte offset.
    pub fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// Moves to a byte offset, which must be a character boundary.
    pub fn move_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Takes the next character.
    pub fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Takes exactly this text, if it comes next.
    pub fn eat(&mut self, text: &str) -> bool {
        let next = self.rest().starts_with(text);
        self.at += if next { text.len() } else { 0 };
        next
    }

    /// Takes characters for as long as they are wanted.
    pub fn eat_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
        &self.text[start..self.at]
    }

    /// Takes everything before the next occurrence of a text, or the rest, and then that text.
    ///
    /// Whether it was there.
    pub fn skip_past(&mut self, text: &str) -> bool {
        let found = self.rest().find(text);
        self.at = found.map_or(self.text.len(), |at| self.at + at + text.len());
        found.is_some()
    }

    /// Takes a word, if one comes next: letters, digits, underscores and what `also` allows, not a digit first.
    pub fn word(&mut self, also: char) -> &'a str {
        match self.peek() {
            Some(c) if c.is_ascii_digit() => "",
            _ => self.eat_while(|c| c.is_alphanumeric() || c == '_' || c == also),
        }
    }

    /// Takes digits of a base, single underscores between them. `None` if none come, or one stands at an end.
    pub fn digits(&mut self, base: u32) -> Option<String> {
        let written = self.eat_while(|c| c.is_digit(base) || c == '_');
        let digits: String = written.chars().filter(|&c| c != '_').collect();
        let misplaced = written.starts_with('_') || written.ends_with('_') || written.contains("__");
        (!digits.is_empty() && !misplaced).then_some(digits)
    }

    /// Takes exactly `count` hexadecimal digits.
    pub fn hex(&mut self, count: usize) -> Option<u32> {
        let digits = self.rest().get(..count)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += count;
        u32::from_str_radix(digits, 16).ok()
    }
}
