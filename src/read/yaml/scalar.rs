//! Scalars of YAML 1.1 as PyYAML's safe loader reads them.

use num_bigint::BigInt;

use super::binary;
use super::tag::YamlTag;
use super::time::Timestamp;
use crate::read::limits;
use crate::read::value::Value;
use crate::text::python;

/// The tag of an untagged plain scalar.
pub(super) fn resolve(text: &str) -> YamlTag {
    let Some(first) = text.bytes().next() else { return YamlTag::Null };
    match first {
        b'0'..=b'9' | b'+' | b'-' | b'.' => number(text),
        b'~' if text == "~" => YamlTag::Null,
        b'<' if text == "<<" => YamlTag::Merge,
        b'=' if text == "=" => YamlTag::Default,
        b'n' | b'N' if matches!(text, "null" | "Null" | "NULL") => YamlTag::Null,
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' if is_bool(text) => YamlTag::Bool,
        _ => YamlTag::Str,
    }
}

pub(super) fn construct(tag: YamlTag, text: &str) -> Result<Value, String> {
    match tag {
        YamlTag::Null => Ok(Value::Null),
        // `<<` and `=` have a meaning only as keys of a map.
        YamlTag::Str | YamlTag::Merge | YamlTag::Default => Ok(Value::from(text)),
        YamlTag::Bool => match text.to_lowercase().as_str() {
            "yes" | "true" | "on" => Ok(Value::Bool(true)),
            "no" | "false" | "off" => Ok(Value::Bool(false)),
            _ => Err(format!("`{text}` is neither true nor false")),
        },
        YamlTag::Int => int(text).map(Value::Int),
        YamlTag::Float => float(text).map(Value::Float),
        YamlTag::Timestamp => match Timestamp::parse(text) {
            Some(stamp) => stamp.time().map(Value::Time).map_err(|reason| format!("`{text}`: {reason}")),
            None => Err(format!("`{text}` is not a timestamp")),
        },
        YamlTag::Binary => binary::decode(text).map(Value::Bytes).map_err(str::to_string),
        YamlTag::Seq | YamlTag::Omap | YamlTag::Pairs => Err("a list tag on a scalar".to_string()),
        YamlTag::Map | YamlTag::Set => Err("a map tag on a scalar".to_string()),
    }
}

fn is_bool(text: &str) -> bool {
    const WORDS: [&str; 6] = ["yes", "no", "true", "false", "on", "off"];
    let cased = |word: &str| {
        let rest = &text[1..]; // only called with an ASCII letter first
        let lower = rest == &word[1..];
        let upper = rest.eq_ignore_ascii_case(&word[1..]) && !rest.bytes().any(|byte| byte.is_ascii_lowercase());
        lower || (upper && text.as_bytes()[0].is_ascii_uppercase())
    };
    WORDS.into_iter().any(|word| text.as_bytes()[0].eq_ignore_ascii_case(&word.as_bytes()[0]) && cased(word))
}

fn number(text: &str) -> YamlTag {
    if is_float(text) {
        YamlTag::Float
    } else if is_int(text) {
        YamlTag::Int
    } else if Timestamp::parse(text).is_some_and(|stamp| stamp.implicit) {
        YamlTag::Timestamp
    } else {
        YamlTag::Str
    }
}

pub(super) fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

/// Digits and underscores, a digit first.
fn is_grouped(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
}

/// `:` and a number below 60, one or more times.
fn is_sixtieths(text: &str) -> bool {
    let part = |part: &str| match part.as_bytes() {
        [digit] => digit.is_ascii_digit(),
        [b'0'..=b'5', digit] => digit.is_ascii_digit(),
        _ => false,
    };
    text.strip_prefix(':').is_some_and(|parts| parts.split(':').all(part))
}

fn is_int(text: &str) -> bool {
    let text = unsigned(text);
    let all = |digits: &str, radix| !digits.is_empty() && digits.chars().all(|c| c == '_' || c.is_digit(radix));
    if let Some(digits) = text.strip_prefix('0') {
        return match digits.as_bytes() {
            [] => true,
            [b'b', ..] => all(&digits[1..], 2),
            [b'x', ..] => all(&digits[1..], 16),
            _ => all(digits, 8),
        };
    }
    let (whole, sixtieths) = text.split_at(text.find(':').unwrap_or(text.len()));
    is_grouped(whole) && (sixtieths.is_empty() || is_sixtieths(sixtieths))
}

fn is_float(text: &str) -> bool {
    if let ".nan" | ".NaN" | ".NAN" = text {
        return true;
    }
    let (signed, text) = (text.len(), unsigned(text));
    let signed = signed > text.len();
    if let ".inf" | ".Inf" | ".INF" = text {
        return true;
    }
    let Some((whole, fraction)) = text.split_once('.') else { return false };
    let (fraction, exponent) = fraction.split_at(fraction.find(['e', 'E']).unwrap_or(fraction.len()));
    let exponent_fits = exponent.is_empty() || {
        let digits = exponent[1..].strip_prefix(['+', '-']).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !exponent_fits {
        return false;
    }
    if whole.is_empty() {
        return !signed && is_grouped(fraction);
    }
    if !fraction.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        return false;
    }
    let (whole, sixtieths) = whole.split_at(whole.find(':').unwrap_or(whole.len()));
    is_grouped(whole) && (sixtieths.is_empty() || (exponent.is_empty() && is_sixtieths(sixtieths)))
}

fn int(text: &str) -> Result<BigInt, String> {
    let refuse = || format!("`{text}` is not an integer");
    if text.len() > 4 * limits::DIGITS {
        return Err(format!("an integer with more than {} digits", limits::DIGITS));
    }
    let written = text.replace('_', "");
    let digits = unsigned(&written);
    let parse = |digits: &str, radix| {
        let digits = python::trim(digits);
        // The fast path, which suits nearly all numbers, computes no logarithm.
        let int = i64::from_str_radix(digits, radix).map(BigInt::from).ok();
        int.or_else(|| BigInt::parse_bytes(digits.as_bytes(), radix)).ok_or_else(refuse)
    };
    let magnitude = if let Some(digits) = digits.strip_prefix("0b") {
        parse(digits, 2)?
    } else if let Some(digits) = digits.strip_prefix("0x") {
        parse(digits, 16)?
    } else if digits.starts_with('0') {
        parse(digits, 8)?
    } else if digits.contains(':') {
        let mut sum = BigInt::ZERO;
        for part in digits.split(':') {
            sum = sum * 60 + parse(part, 10)?;
        }
        sum
    } else {
        parse(digits, 10)?
    };
    // Computes the power only for numbers near the limit.
    if magnitude.bits() > 14_000 && magnitude >= BigInt::from(10).pow(limits::DIGITS as u32) {
        return Err(format!("an integer with more than {} digits", limits::DIGITS));
    }
    Ok(if written.starts_with('-') { -magnitude } else { magnitude })
}

fn float(text: &str) -> Result<f64, String> {
    let refuse = || format!("`{text}` is not a number");
    let written = text.replace('_', "").to_lowercase();
    let digits = unsigned(&written);
    let parse = |digits: &str| python::trim(digits).parse::<f64>().map_err(|_| refuse());
    let magnitude = match digits {
        ".inf" => f64::INFINITY,
        ".nan" => f64::NAN,
        _ if digits.contains(':') => {
            let (mut sum, mut base) = (0.0, BigInt::from(1));
            for part in digits.rsplit(':') {
                // Python refuses an integer that no float can hold; going through text rounds as Python does.
                let weight: f64 = base.to_string().parse().map_err(|_| refuse())?;
                if weight.is_infinite() {
                    return Err(refuse());
                }
                sum += parse(part)? * weight;
                base *= 60;
            }
            sum
        }
        _ => parse(digits)?,
    };
    Ok(if written.starts_with('-') { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::value::python_str;

    #[test]
    fn plain_text_has_the_types_of_yaml_1_1() {
        for (tag, texts) in [
            (YamlTag::Null, &["", "~", "null", "Null", "NULL"][..]),
            (YamlTag::Bool, &["yes", "Yes", "YES", "no", "NO", "on", "Off", "OFF", "true", "True", "FALSE"]),
            (
                YamlTag::Int,
                &["0", "-0", "017", "0_7", "0_", "0b1_0", "0x_F", "1_000", "+12", "12:30:45", "1_0:5", "-1:3"],
            ),
            (
                YamlTag::Float,
                &["1.", "1._", ".5", ".5_e+1", "-1.5E-3", "1:2.5", "190:20:30.15", ".inf", "-.INF", ".NaN"],
            ),
            (YamlTag::Timestamp, &["2026-01-02", "2026-1-2 3:04:05", "2026-01-02T03:04:05.5-07"]),
            (YamlTag::Merge, &["<<"]),
            (YamlTag::Default, &["="]),
            (
                YamlTag::Str,
                &[
                    "y", "n", "tRue", "YeS", "oN", "nO", "-", "+", ".", "..", "1e3", "1.0e3", "-.5", "+.nan", "0o17",
                    "08", "0x", "0b", "1:60", "0:30", "1.2.3", "_1", "1:2.5e+1", "2026-1-2", "12:30:", "é", "no\u{e9}",
                    "..5",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(resolve(text), tag, "{text:?}");
            }
        }
    }

    #[test]
    fn numbers_are_parsed() {
        for (tag, text, printed) in [
            (YamlTag::Int, "017", "15"),
            (YamlTag::Int, "-0x_fF", "-255"),
            (YamlTag::Int, "+0b1_01", "5"),
            (YamlTag::Int, "12:30:45", "45045"),
            (YamlTag::Int, "-1:30", "-90"),
            (YamlTag::Int, "123456789012345678901234567890", "123456789012345678901234567890"),
            (YamlTag::Float, "190:20:30.15", "685230.15"),
            (YamlTag::Float, "-4_5.6_7", "-45.67"),
            (YamlTag::Float, "-.inf", "-inf"),
            (YamlTag::Float, "1e3", "1000.0"),
            (YamlTag::Bool, "YeS", "True"),
            (YamlTag::Binary, "aGkh", "b'hi!'"),
        ] {
            assert_eq!(python_str(&construct(tag, text).unwrap()), printed);
        }
    }

    #[test]
    fn invalid_tagged_text_is_refused() {
        let long = "9".repeat(4301);
        for (tag, text) in [
            (YamlTag::Int, ""),
            (YamlTag::Int, "0b_"),
            (YamlTag::Int, "x"),
            (YamlTag::Int, &long),
            (YamlTag::Float, "-"),
            (YamlTag::Bool, "y"),
            (YamlTag::Timestamp, "2026-02-30"),
            (YamlTag::Timestamp, "soon"),
            (YamlTag::Seq, ""),
        ] {
            assert!(construct(tag, text).is_err(), "{tag:?} {text:?}");
        }
        assert!(construct(YamlTag::Int, &long[1..]).is_ok());
    }
}
