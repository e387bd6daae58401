//! Values as in Python: from YAML files, JSON inputs and the hook context.

mod compare;
mod json;
mod number;
mod path;
mod print;

use std::hash::{Hash, Hasher};

use indexmap::IndexMap;
use num_bigint::BigInt;

pub use compare::order;
pub use json::{JsonValue, from_json, holds_long_integer, read_json, to_json, to_python_json};
pub use number::{parse_float, parse_int};
pub use path::{PathSyntax, index, look_up};
pub(crate) use print::write_items;
pub use print::{python_repr, python_str};

/// A Python value, with Python's equality: `True`, `1` and `1.0` are equal, and are the same key in a map.
#[derive(Debug, Clone, Default)]
pub enum Value {
    #[default]
    Null,
    Bool(bool),
    /// `int`, unbounded.
    Int(BigInt),
    Float(f64),
    Str(String),
    /// `datetime.date` or `datetime.datetime`, from YAML only.
    Time(Time),
    /// From YAML's `!!binary` only.
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Map(Map),
}

pub type Map = IndexMap<Value, Value>;

pub fn map<const N: usize>(entries: [(&str, Value); N]) -> Map {
    entries.into_iter().map(|(key, value)| (Value::from(key), value)).collect()
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Time {
    /// Python's `str()`: `2024-01-02`, `2024-01-02 03:04:05+00:00`.
    pub text: String,
    /// Python's `repr()`: `datetime.date(2024, 1, 2)`.
    pub repr: String,
}

impl Value {
    pub fn as_str(&self) -> Option<&str> {
        if let Self::Str(text) = self { Some(text) } else { None }
    }

    pub fn as_map(&self) -> Option<&Map> {
        if let Self::Map(map) = self { Some(map) } else { None }
    }

    pub fn as_list(&self) -> Option<&[Value]> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(key)
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Python's truth: null, false, zero and empty values are false.
    pub fn is_true(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Bool(value) => *value,
            Self::Int(value) => *value != BigInt::ZERO,
            Self::Float(value) => *value != 0.0,
            Self::Str(text) => !text.is_empty(),
            Self::Time(_) => true,
            Self::Bytes(bytes) => !bytes.is_empty(),
            Self::List(list) => !list.is_empty(),
            Self::Map(map) => !map.is_empty(),
        }
    }

    /// Python's name: `str`, `int`, `NoneType`, …
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Str(_) => "str",
            Self::Time(time) if time.repr.starts_with("datetime.datetime") => "datetime",
            Self::Time(_) => "date",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Map(_) => "dict",
        }
    }
}

macro_rules! from {
    ($($from:ty => $variant:ident),*) => {
        $(impl From<$from> for Value {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

from! { &str => Str, String => Str, bool => Bool, i64 => Int, Map => Map }

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        compare::equal(self, other)
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        compare::hash(self, state);
    }
}
