use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};
use serde_json::Value as Json;

use super::print::write_items;
use super::{Value, python_str};
use crate::read::limits;

/// Reads JSON as Python's `json.loads` does, with the same limit on the digits of an integer, but at most 128 levels.
pub fn read_json(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str::<JsonValue>(text).map(|JsonValue(value)| value)
}

/// A value as [`read_json`] reads it, inside a larger JSON text.
pub struct JsonValue(pub Value);

impl<'de> Deserialize<'de> for JsonValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        if holds_long_integer(&json) {
            return Err(D::Error::custom(format!("an integer with more than {} digits", limits::DIGITS)));
        }
        Ok(Self(from_json(json)))
    }
}

/// Converting digits takes quadratic time, so long integers are refused.
pub fn holds_long_integer(json: &Json) -> bool {
    match json {
        Json::Number(number) => {
            let text = number.as_str();
            text.len() > limits::DIGITS
                && text.bytes().filter(u8::is_ascii_digit).count() > limits::DIGITS
                && !text.contains(['.', 'e', 'E'])
        }
        Json::Array(list) => list.iter().any(holds_long_integer),
        Json::Object(map) => map.values().any(holds_long_integer),
        Json::Null | Json::Bool(_) | Json::String(_) => false,
    }
}

/// As in Python's `json.loads`, a number with a point or exponent is a `float`.
pub fn from_json(json: Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(value),
        Json::Number(number) => {
            let text = number.to_string();
            match text.parse() {
                Ok(int) => Value::Int(int),
                Err(_) => Value::Float(text.parse().unwrap_or(f64::NAN)),
            }
        }
        Json::String(text) => Value::Str(text),
        Json::Array(list) => Value::List(list.into_iter().map(from_json).collect()),
        Json::Object(map) => {
            Value::Map(map.into_iter().map(|(key, item)| (Value::Str(key), from_json(item))).collect())
        }
    }
}

pub fn to_json(value: &Value) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

/// Values without a JSON form become their printed text; keys become text.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Str(text) => serializer.serialize_str(text),
            Self::List(list) => serializer.collect_seq(list),
            Self::Map(map) => serializer.collect_map(map.iter().map(|(key, item)| (json_key(key), item))),
            _ => scalar(self).serialize(serializer),
        }
    }
}

fn scalar(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(_) => serde_json::from_str(&python_str(value)).unwrap_or_default(),
        Value::Float(float) if float.is_finite() => serde_json::from_str(&python_str(value)).unwrap_or_default(),
        _ => Json::String(python_str(value)),
    }
}

/// Keys as Python's `json.dumps` writes them.
fn json_key(key: &Value) -> Cow<'_, str> {
    match key {
        Value::Null => "null".into(),
        Value::Bool(true) => "true".into(),
        Value::Bool(false) => "false".into(),
        Value::Str(text) => text.into(),
        _ => python_str(key).into(),
    }
}

/// `json.dumps(value, ensure_ascii=False)`, with a space after `,` and `:`.
pub fn to_python_json(value: &Value) -> String {
    fn write(out: &mut String, value: &Value) {
        match value {
            Value::List(list) => write_items(out, ['[', ']'], list, write),
            Value::Map(map) => write_items(out, ['{', '}'], map, |out, (key, value)| {
                out.push_str(&quoted(&json_key(key)));
                out.push_str(": ");
                write(out, value);
            }),
            Value::Float(float) if !float.is_finite() => out.push_str(match float {
                float if float.is_nan() => "NaN",
                float if *float > 0.0 => "Infinity",
                _ => "-Infinity",
            }),
            Value::Str(text) => out.push_str(&quoted(text)),
            _ => out.push_str(&scalar(value).to_string()),
        }
    }
    fn quoted(text: &str) -> String {
        serde_json::to_string(text).unwrap_or_default()
    }
    let mut out = String::new();
    write(&mut out, value);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::value::Map;

    #[test]
    fn numbers_keep_their_type_and_size() {
        let value = from_json(serde_json::from_str("[1, 1.0, 1e2, 123456789012345678901234567890, -0]").unwrap());
        assert_eq!(python_str(&value), "[1, 1.0, 100.0, 123456789012345678901234567890, 0]");
        assert_eq!(to_json(&value).to_string(), "[1,1.0,100.0,123456789012345678901234567890,0]");
    }

    #[test]
    fn both_ways_to_json_agree() {
        let mut map = Map::new();
        map.insert(Value::Null, Value::List(vec![1.into(), Value::Float(f64::NAN), Value::Bytes(vec![0])]));
        map.insert(1.into(), Value::from("é\n"));
        let value = Value::Map(map);
        assert_eq!(serde_json::to_string(&value).unwrap(), to_json(&value).to_string());
    }

    #[test]
    fn python_json_has_spaces_after_separators() {
        let value = from_json(serde_json::from_str(r#"{"é":[1,"a\"b"],"x":{}}"#).unwrap());
        assert_eq!(to_python_json(&value), r#"{"é": [1, "a\"b"], "x": {}}"#);
    }
}
