use std::fmt::Write;

use super::alphabet::{ANYTHING, Alphabet, NOTHING};
use super::escape::{Escape, read_escape};
use super::flags::Flags;
use crate::text::Cursor;

/// These are equal when case is ignored; two of them only in Python.
const DOTS: [char; 4] = ['i', 'I', 'ı', 'İ'];

pub(super) fn read_class(
    cursor: &mut Cursor<'_>,
    flags: Flags,
    alphabet: Alphabet<'_>,
) -> Result<String, &'static str> {
    const UNTERMINATED: &str = "a character class is never closed";
    let negated = cursor.eat("^");
    let mut set = Set::default();
    let mut first = true;
    loop {
        let low = match cursor.bump().ok_or(UNTERMINATED)? {
            ']' if !first => break,
            '\\' => read_escape(cursor, true)?,
            c => Escape::Char(u32::from(c)),
        };
        first = false;
        if !cursor.eat("-") {
            set.push(low, flags, alphabet);
            continue;
        }
        let high = match cursor.bump().ok_or(UNTERMINATED)? {
            ']' => {
                set.push(low, flags, alphabet);
                set.push(Escape::Char(u32::from('-')), flags, alphabet);
                break;
            }
            '\\' => read_escape(cursor, true)?,
            c => Escape::Char(u32::from(c)),
        };
        match (low, high) {
            (Escape::Char(low), Escape::Char(high)) if low <= high => set.ranges.push((low, high)),
            _ => return Err("bad character range"),
        }
    }
    Ok(set.write(negated, flags, alphabet))
}

pub(super) fn write_char(c: u32, flags: Flags, alphabet: Alphabet<'_>) -> String {
    if !flags.ignore_case {
        return char::from_u32(c).map_or(NOTHING.to_string(), literal);
    }
    let mut set = Set::default();
    set.ranges.push((c, c));
    set.write(false, flags, alphabet)
}

fn literal(c: char) -> String {
    if c.is_alphanumeric() || c == '_' { c.to_string() } else { format!("\\x{{{:X}}}", u32::from(c)) }
}

#[derive(Debug, Default)]
struct Set {
    ranges: Vec<(u32, u32)>,
    categories: String,
}

impl Set {
    fn push(&mut self, item: Escape, flags: Flags, alphabet: Alphabet<'_>) {
        match item {
            Escape::Char(c) => self.ranges.push((c, c)),
            Escape::Category(letter) => self.categories.push_str(alphabet.category(letter, flags)),
            // Inside a class, escapes are characters or categories.
            Escape::Anchor(_) | Escape::Group(_) => {}
        }
    }

    fn has(&self, c: char) -> bool {
        self.ranges.iter().any(|&(low, high)| (low..=high).contains(&u32::from(c)))
    }

    /// Adds case variants that the library would miss or treat differently.
    fn fold(&mut self, flags: Flags, alphabet: Alphabet<'_>) {
        let mut more = String::new();
        if flags.ascii || alphabet.is_ascii() {
            let other_case =
                |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
            more.extend(('A'..='z').filter(|c| c.is_ascii_alphabetic() && self.has(other_case(*c))));
        }
        if !flags.ascii {
            if DOTS.iter().any(|&c| self.has(c)) {
                more.extend(DOTS);
            }
            // Listed explicitly: in ASCII text, only the ASCII letters of these pairs can occur.
            for (odd, letters) in [('ſ', "sS"), ('\u{212a}', "kK")] {
                if self.has(odd) {
                    more.push_str(letters);
                }
            }
        }
        self.ranges.extend(more.chars().map(|c| (u32::from(c), u32::from(c))));
    }

    fn write(mut self, negated: bool, flags: Flags, alphabet: Alphabet<'_>) -> String {
        if flags.ignore_case {
            self.fold(flags, alphabet);
        }
        let mut inside = String::new();
        for (low, high) in self.ranges {
            // Text never holds a surrogate, and the library's classes must not name one.
            for (low, high) in [(low, high.min(0xd7ff)), (low.max(0xe000), high)] {
                if low <= high {
                    write!(inside, "\\x{{{low:X}}}-\\x{{{high:X}}}").expect("writing to a String cannot fail");
                }
            }
        }
        inside.push_str(&self.categories);
        if inside.is_empty() {
            return if negated { ANYTHING } else { NOTHING }.to_string();
        }
        let class = format!("[{}{inside}]", if negated { "^" } else { "" });
        if flags.ignore_case && !flags.ascii && !alphabet.is_ascii() { format!("(?i:{class})") } else { class }
    }
}
