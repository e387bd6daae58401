//! Long answers in portions.

use crate::text::numbers::count;

/// The characters of a portion. Clients cut or refuse answers of more than 25,000 tokens.
pub const MOST: usize = 40_000;

/// The part of a text that begins at a character, and what follows it.
pub struct Portion<'a> {
    pub text: &'a str,
    /// How much follows, and the character with which it begins; `None` at the end.
    pub rest: Option<(String, usize)>,
}

impl<'a> Portion<'a> {
    pub fn new(text: &'a str, start: usize) -> Self {
        let text = &text[offset(text, start)..];
        let (text, after) = text.split_at(offset(text, MOST));
        let next = start.saturating_add(MOST);
        let rest = || (format!("and {}", count(after.chars().count(), "more character")), next);
        Self { text, rest: (!after.is_empty()).then(rest) }
    }
}

fn offset(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_add_up_to_the_text() {
        let text = "ä".repeat(MOST) + &"b".repeat(MOST) + "c";
        let mut whole = String::new();
        for start in [0, MOST, 2 * MOST] {
            let portion = Portion::new(&text, start);
            whole += portion.text;
            assert_eq!(portion.rest.is_none(), start == 2 * MOST);
        }
        assert_eq!(whole, text);
        let portion = Portion::new(&text, MOST);
        assert_eq!(portion.rest, Some(("and 1 more character".to_string(), 80_000)));
        assert_eq!(Portion::new(&text, usize::MAX).text, "");
    }
}
