/// A position that moves forward through a text.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// `at` must be a character boundary.
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn whole(&self) -> &'a str {
        self.text
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    pub fn peek(&self) -> Option<char> {
        // Nearly every character is ASCII, and scanning a file spends most of its time here.
        match self.text.as_bytes().get(self.at) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.rest().chars().next(),
        }
    }

    pub fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    pub fn move_to(&mut self, at: usize) {
        self.at = at;
    }

    pub fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub fn eat(&mut self, text: &str) -> bool {
        let next = self.rest().starts_with(text);
        self.at += if next { text.len() } else { 0 };
        next
    }

    /// Moves past exactly this text, or fails.
    pub fn after(&mut self, text: &str) -> Option<&mut Self> {
        if self.eat(text) { Some(self) } else { None }
    }

    pub fn eat_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
        &self.text[start..self.at]
    }

    /// The text before the next occurrence of a text, which is skipped, too.
    pub fn past(&mut self, text: &str) -> Option<&'a str> {
        let (before, _) = self.rest().split_once(text)?;
        self.at += before.len() + text.len();
        Some(before)
    }

    /// Skips past the next occurrence of a text, or to the end; returns whether it was found.
    pub fn skip_past(&mut self, text: &str) -> bool {
        let found = self.rest().find(text);
        self.at = found.map_or(self.text.len(), |at| self.at + at + text.len());
        found.is_some()
    }

    pub fn number(&mut self, least: usize, most: usize) -> Option<&'a str> {
        let count = self.rest().bytes().take(most).take_while(u8::is_ascii_digit).count();
        self.take(count).filter(|_| count >= least)
    }

    pub fn take(&mut self, length: usize) -> Option<&'a str> {
        let taken = self.rest().get(..length)?;
        self.at += length;
        Some(taken)
    }

    /// The base of a number with a prefix such as `0x`, which Python and JavaScript share; else 10.
    pub fn base(&self) -> u32 {
        match self.rest().as_bytes() {
            [b'0', b'x' | b'X', ..] => 16,
            [b'0', b'o' | b'O', ..] => 8,
            [b'0', b'b' | b'B', ..] => 2,
            _ => 10,
        }
    }

    /// A word of letters, digits, underscores and `also`, not starting with a digit.
    pub fn word(&mut self, also: char) -> &'a str {
        match self.peek() {
            Some(c) if c.is_ascii_digit() => "",
            _ => self.eat_while(|c| c.is_alphanumeric() || c == '_' || c == also),
        }
    }

    /// Digits of a base, with single underscores between them; `None` if there are none or an underscore is misplaced.
    pub fn digits(&mut self, base: u32) -> Option<String> {
        let written = self.eat_while(|c| c.is_digit(base) || c == '_');
        let digits: String = written.chars().filter(|&c| c != '_').collect();
        let misplaced = written.starts_with('_') || written.ends_with('_') || written.contains("__");
        (!digits.is_empty() && !misplaced).then_some(digits)
    }

    pub fn hex(&mut self, count: usize) -> Option<u32> {
        let digits = self.rest().get(..count)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += count;
        u32::from_str_radix(digits, 16).ok()
    }
}
