use crate::text::Cursor;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    pub(super) multi_line: bool,
    pub(super) dot_all: bool,
    pub(super) verbose: bool,
    pub(super) ascii: bool,
}

pub(super) enum Inline {
    /// `(?i)`, for the whole pattern.
    Global(Flags),
    /// `(?i-m:`, for a group.
    Group(Flags),
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

    /// Reads `imsxau`, and `-imsx` before a `:`, starting from these flags.
    pub(super) fn read(mut self, cursor: &mut Cursor<'_>) -> Result<Inline, &'static str> {
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
            Some(')') if !on.is_empty() => return Ok(Inline::Global(self)),
            Some(':') if !on.is_empty() => return Ok(Inline::Group(self)),
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
        if cursor.eat(":") { Ok(Inline::Group(self)) } else { Err("flags that are switched off need a group") }
    }
}
