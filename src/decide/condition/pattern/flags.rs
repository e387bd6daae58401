use crate::text::Cursor;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    pub(super) multi_line: bool,
    pub(super) dot_all: bool,
    pub(super) verbose: bool,
    pub(super) ascii: bool,
}

impl Flags {
    fn set(&mut self, flag: char, on: bool) {
        match flag {
            'i' => self.ignore_case = on,
            'm' => self.multi_line = on,
            's' => self.dot_all = on,
            'x' => self.verbose = on,
            'a' => self.ascii = on,
            _ => self.ascii = false,
        }
    }

    /// Reads `imsxau`, and `-imsx` before a `:`, starting from these flags; and whether they are those of a group, as in
    /// `(?i-m:…)`, rather than of the whole pattern, as in `(?i)`.
    pub(super) fn read(mut self, cursor: &mut Cursor<'_>) -> Result<(Self, bool), &'static str> {
        let on = cursor.eat_while(|c| c.is_ascii_alphabetic());
        if on.contains(|c| !"imsxauL".contains(c)) {
            return Err("unknown flag");
        }
        if on.contains('L') {
            return Err("flag L is for bytes");
        }
        if on.contains('a') && on.contains('u') {
            return Err("flags a and u exclude each other");
        }
        on.chars().for_each(|flag| self.set(flag, true));
        let off = match cursor.bump() {
            Some(')') if !on.is_empty() => return Ok((self, false)),
            Some(':') if !on.is_empty() => return Ok((self, true)),
            Some('-') => cursor.eat_while(|c| c.is_ascii_alphabetic()),
            _ => return Err("a group begins with an unknown extension"),
        };
        if off.is_empty() || off.contains(|c| !"imsx".contains(c)) {
            return Err("only the flags i, m, s and x can be switched off");
        }
        if off.contains(|flag| on.contains(flag)) {
            return Err("a flag is both switched on and off");
        }
        off.chars().for_each(|flag| self.set(flag, false));
        if cursor.eat(":") { Ok((self, true)) } else { Err("flags that are switched off need a group") }
    }
}
