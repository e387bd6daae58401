//! Numbers as Python's `int()` and `float()` read them; ASCII digits only.

use num_bigint::BigInt;

use crate::read::limits;
use crate::text::python::trim;

pub fn parse_int(text: &str) -> Option<BigInt> {
    let number = without_separators(trim(text))?;
    let digits = number.strip_prefix(['+', '-']).unwrap_or(&number);
    let is_int =
        !digits.is_empty() && digits.len() <= limits::DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_int { number.parse().ok() } else { None }
}

pub fn parse_float(text: &str) -> Option<f64> {
    without_separators(trim(text))?.parse().ok()
}

/// Removes underscores, each of which must be between two digits.
fn without_separators(text: &str) -> Option<String> {
    let digit =
        |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(|byte: &u8| byte.is_ascii_digit());
    let mut underscores = text.match_indices('_');
    underscores.all(|(at, _)| digit(at.checked_sub(1)) && digit(Some(at + 1))).then(|| text.replace('_', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_follow_python() {
        for (text, value) in [(" 2\u{a0}", 2), ("-007", -7), ("+1_000", 1000)] {
            assert_eq!(parse_int(text), Some(value.into()), "{text:?}");
        }
        for text in ["", "-", "1e3", "1.0", "1__0", "_1", "1_", "- 1", "0x1", "--1", &"9".repeat(4301)] {
            assert_eq!(parse_int(text), None, "{text:?}");
        }
        assert_eq!(parse_int(&"9".repeat(4300)).unwrap().to_string(), "9".repeat(4300));
    }

    #[test]
    fn floats_follow_python() {
        for (text, value) in [(" 1.50\n", 1.5), ("1e3", 1000.0), (".5", 0.5), ("5.", 5.0), ("-1_0.0_1", -10.01)] {
            assert_eq!(parse_float(text), Some(value), "{text:?}");
        }
        assert_eq!(parse_float("-Infinity"), Some(f64::NEG_INFINITY));
        assert!(parse_float("nan").is_some_and(f64::is_nan));
        for text in ["", ".", "e5", "1e", "1._0", "0x1", "1f"] {
            assert_eq!(parse_float(text), None, "{text:?}");
        }
    }
}
