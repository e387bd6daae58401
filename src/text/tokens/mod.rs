//! Counts the tokens in text.

mod vocabulary;

use super::numbers::count_if_known;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Tokenizer {
    /// Four characters per token, rounded up, as the documented system counts.
    #[default]
    Chars4,
    O200k,
    Cl100k,
}

impl Tokenizer {
    /// `7 tokens`, or a question mark for a text whose wording is unknown.
    pub fn phrase(self, known: Option<&str>) -> String {
        count_if_known(known.map(|text| self.count(text)), "token")
    }

    /// The first count with a vocabulary loads it, which takes about 40 ms.
    pub fn count(self, text: &str) -> usize {
        match self {
            Self::Chars4 => text.chars().count().div_ceil(4),
            Self::O200k => vocabulary::O200K.count(text),
            Self::Cl100k => vocabulary::CL100K.count(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chars4_rounds_up() {
        for (text, tokens) in [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("éééé", 1), ("😀😀😀😀😀", 2)]
        {
            assert_eq!(Tokenizer::Chars4.count(text), tokens, "{text:?}");
        }
    }

    /// Expected counts come from OpenAI's `tiktoken`.
    #[test]
    fn vocabularies_count_as_published() {
        assert_eq!(Tokenizer::Cl100k.count("tiktoken is great!"), 6);
        assert_eq!(Tokenizer::O200k.count("tiktoken is great!"), 6);
        assert_eq!(Tokenizer::Cl100k.count("お誕生日おめでとう"), 9);
        assert_eq!(Tokenizer::O200k.count("お誕生日おめでとう"), 8);
    }

    #[test]
    fn names_round_trip() {
        for &tokenizer in Tokenizer::VARIANTS {
            assert_eq!(tokenizer.into_str().parse(), Ok(tokenizer));
        }
        assert_eq!("gpt2".parse::<Tokenizer>(), Err(strum::ParseError::VariantNotFound));
    }
}
