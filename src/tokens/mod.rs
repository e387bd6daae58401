//! Counts the tokens in text.

mod vocabulary;

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
    /// The first count with a vocabulary loads it, which takes about 40 ms.
    pub fn count(self, text: &str) -> usize {
        match self {
            Self::Chars4 => text.chars().count().div_ceil(4),
            Self::O200k => vocabulary::O200K.count(text),
            Self::Cl100k => vocabulary::CL100K.count(text),
        }
    }
}

/// `1,214`
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `+1.2%`, `less than 0.1%`; `None` if nothing changed, or if `before` is 0.
pub fn growth(before: usize, after: usize) -> Option<String> {
    let (by, whole) = (before.abs_diff(after) as u128, before as u128);
    if by == 0 || whole == 0 {
        return None;
    }
    let sign = if before < after { '+' } else { '-' };
    Some(match (by * 2000 + whole) / (whole * 2) {
        0 => "less than 0.1%".to_string(),
        tenths => format!("{sign}{}.{}%", thousands(usize::try_from(tenths / 10).unwrap_or(usize::MAX)), tenths % 10),
    })
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

    #[test]
    fn growth_is_rounded_but_never_to_zero() {
        let all = [(1000, 1012), (1000, 988), (100_000, 100_001), (3, 4), (0, 5), (5, 5), (1, 3001), (10_000, 9_999)];
        assert_eq!(
            all.map(|(left, right)| growth(left, right)),
            [
                Some("+1.2%"),
                Some("-1.2%"),
                Some("less than 0.1%"),
                Some("+33.3%"),
                None,
                None,
                Some("+300,000.0%"),
                Some("less than 0.1%")
            ]
            .map(|text| text.map(str::to_string))
        );
    }
}
