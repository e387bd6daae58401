//! The keys of settings that agents know, and the types of their values.

use num_bigint::Sign;

use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlNode};

/// A key, in which dots lead into maps, the type of its value, and what it does.
pub type SettingKey = (&'static str, ValueType, &'static str);

#[derive(Debug, Clone, Copy)]
pub enum ValueType {
    /// Not checked by such a table.
    Any,
    Text,
    Texts,
    Boolean,
    Number,
    Integer,
    /// An integer that is not negative.
    Count,
    Map,
    OneOf(&'static [&'static str]),
}

impl ValueType {
    pub fn accepts(self, node: &YamlNode) -> bool {
        match (self, &node.data) {
            (Self::Any, _)
            | (Self::Text, YamlData::Scalar(Value::Str(_)))
            | (Self::Boolean, YamlData::Scalar(Value::Bool(_)))
            | (Self::Number, YamlData::Scalar(Value::Int(_) | Value::Float(_)))
            | (Self::Map, YamlData::Map(_)) => true,
            (Self::Integer, YamlData::Scalar(Value::Int(number))) => i64::try_from(number).is_ok(),
            (Self::Count, YamlData::Scalar(Value::Int(number))) => {
                number.sign() != Sign::Minus && i64::try_from(number).is_ok()
            }
            (Self::Texts, YamlData::List(list)) => list.iter().all(|item| item.as_str().is_some()),
            (Self::OneOf(words), YamlData::Scalar(Value::Str(word))) => words.contains(&word.as_str()),
            _ => false,
        }
    }
}
