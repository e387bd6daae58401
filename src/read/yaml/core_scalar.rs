//! Scalars of YAML 1.2's core schema. Only numbers have different forms in YAML 1.1, so [`super::scalar`] reads the
//! other values.

use num_bigint::BigInt;

use super::scalar::{self, unsigned};
use super::tag::YamlTag;
use crate::read::value::Value;

/// The tag of an untagged plain scalar.
pub(super) fn resolve(text: &str) -> YamlTag {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => YamlTag::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => YamlTag::Bool,
        ".nan" | ".NaN" | ".NAN" => YamlTag::Float,
        _ if is_int(text) => YamlTag::Int,
        _ if is_float(text) => YamlTag::Float,
        _ => YamlTag::Str,
    }
}

pub(super) fn construct(tag: YamlTag, text: &str) -> Result<Value, String> {
    match tag {
        // A scalar that does not match its tag stays text.
        YamlTag::Null | YamlTag::Bool | YamlTag::Int | YamlTag::Float if resolve(text) != tag => Ok(Value::from(text)),
        YamlTag::Int => Ok(Value::Int(int(text))),
        YamlTag::Float if text.contains(|c: char| c.is_ascii_digit()) => {
            text.parse().map(Value::Float).map_err(|_| format!("`{text}` is not a number"))
        }
        tag => scalar::construct(tag, text),
    }
}

fn are_digits(text: &str, radix: u32) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_digit(radix))
}

fn is_int(text: &str) -> bool {
    are_digits(unsigned(text), 10)
        || text.strip_prefix("0o").is_some_and(|digits| are_digits(digits, 8))
        || text.strip_prefix("0x").is_some_and(|digits| are_digits(digits, 16))
}

fn is_float(text: &str) -> bool {
    let text = unsigned(text);
    if let ".inf" | ".Inf" | ".INF" = text {
        return true;
    }
    let (number, exponent) = text.split_at(text.find(['e', 'E']).unwrap_or(text.len()));
    if !exponent.is_empty() && !are_digits(unsigned(&exponent[1..]), 10) {
        return false;
    }
    match number.split_once('.') {
        Some(("", fraction)) => are_digits(fraction, 10),
        Some((whole, fraction)) => are_digits(whole, 10) && (fraction.is_empty() || are_digits(fraction, 10)),
        None => are_digits(number, 10) && !exponent.is_empty(),
    }
}

/// Zero if it has more digits than can be parsed.
fn int(text: &str) -> BigInt {
    let (digits, radix) = match text.get(..2) {
        Some("0o") => (&text[2..], 8),
        Some("0x") => (&text[2..], 16),
        _ => (text, 10),
    };
    BigInt::parse_bytes(digits.as_bytes(), radix).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::value::python_str;

    #[test]
    fn plain_text_has_the_types_of_the_core_schema() {
        for (tag, texts) in [
            (YamlTag::Null, &["", "~", "null", "Null", "NULL"][..]),
            (YamlTag::Bool, &["true", "True", "TRUE", "false", "False", "FALSE"]),
            (YamlTag::Int, &["0", "-0", "017", "+12", "0o17", "0xfF"]),
            (YamlTag::Float, &["1.", ".5", "-.5", "1e3", "-1.5E-3", "1.e+2", ".inf", "-.INF", "+.Inf", ".NaN"]),
            (
                YamlTag::Str,
                &[
                    "yes",
                    "No",
                    "on",
                    "off",
                    "y",
                    "tRue",
                    "nUll",
                    "1_000",
                    "0b1",
                    "12:30",
                    "2026-01-02",
                    "<<",
                    "=",
                    "-",
                    ".",
                    "+",
                    "e3",
                    "1e",
                    "-.nan",
                    "0o8",
                    "-0x1",
                    "0x",
                    "1.2.3",
                    "é",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(resolve(text), tag, "{text:?}");
            }
        }
    }

    #[test]
    fn numbers_are_parsed_and_other_text_is_kept() {
        for (tag, text, printed) in [
            (YamlTag::Int, "017", "17"),
            (YamlTag::Int, "0o17", "15"),
            (YamlTag::Int, "0xfF", "255"),
            (YamlTag::Int, "-3", "-3"),
            (YamlTag::Float, "1e3", "1000.0"),
            (YamlTag::Float, "-.5", "-0.5"),
            (YamlTag::Float, "-.Inf", "-inf"),
            (YamlTag::Bool, "TRUE", "True"),
            (YamlTag::Bool, "yes", "yes"),
            (YamlTag::Int, "many", "many"),
        ] {
            assert_eq!(python_str(&construct(tag, text).unwrap()), printed);
        }
    }
}
