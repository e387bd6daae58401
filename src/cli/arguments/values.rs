//! Parsers for single values.

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use strum::VariantArray;

use crate::prompt::Role;
use crate::read::item::limit_value;
use crate::read::value::{Value, read_json};

/// Parses the words of an enum, and suggests the nearest one.
pub(super) fn words<T>() -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = strum::ParseError> + VariantArray + Into<&'static str> + Copy + Send + Sync,
{
    PossibleValuesParser::new(crate::text::words::words::<T>()).try_map(|typed| typed.parse::<T>())
}

/// Parses a role that any prompt may have.
pub(super) fn role() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(["system", "developer", "user"]).try_map(|typed| typed.parse::<Role>())
}

pub(super) fn pair(typed: &str) -> Result<(String, String), String> {
    match typed.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_string(), value.to_string())),
        _ => Err("write a name, `=` and a value".to_string()),
    }
}

pub(super) fn text_input(typed: &str) -> Result<(String, Value), String> {
    let (name, value) = pair(typed)?;
    Ok((name, Value::Str(value)))
}

pub(super) fn json_input(typed: &str) -> Result<(String, Value), String> {
    let (name, value) = pair(typed)?;
    let value = read_json(&value).map_err(|error| format!("the value is not JSON: {error}"))?;
    Ok((name, value))
}

pub(super) fn limit(typed: &str) -> Result<(String, Value), String> {
    let (name, value) = pair(typed)?;
    Ok((name, limit_value(&value)))
}

pub(super) fn digest(typed: &str) -> Result<String, String> {
    if typed.len() == 64 && typed.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(typed.to_ascii_lowercase())
    } else {
        Err("a SHA-256 digest is 64 hexadecimal digits".to_string())
    }
}

/// `5%` or `5`
pub(super) fn percent(typed: &str) -> Result<f64, String> {
    let number = typed.strip_suffix('%').unwrap_or(typed).trim().parse::<f64>();
    let number = number.ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "write a percentage, such as 5%".to_string())
}
