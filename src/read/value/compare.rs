//! Python's equality and order: `True`, `1` and `1.0` are equal.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use indexmap::Equivalent;
use num_bigint::{BigInt, ToBigInt};

use super::Value;

/// The type names of two values that Python refuses to order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incomparable {
    pub left: &'static str,
    pub right: &'static str,
}

enum Number {
    Int(BigInt),
    Float(f64),
}

fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Bool(value) => Some(Number::Int(BigInt::from(u8::from(*value)))),
        Value::Int(value) => Some(Number::Int(value.clone())),
        Value::Float(value) => Some(Number::Float(*value)),
        _ => None,
    }
}

fn order_numbers(left: &Number, right: &Number) -> Option<Ordering> {
    match (left, right) {
        (Number::Int(left), Number::Int(right)) => Some(left.cmp(right)),
        (Number::Float(left), Number::Float(right)) => left.partial_cmp(right),
        (Number::Int(left), Number::Float(right)) => order_int_float(left, *right),
        (Number::Float(left), Number::Int(right)) => order_int_float(right, *left).map(Ordering::reverse),
    }
}

fn order_int_float(int: &BigInt, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = int.cmp(&float.to_bigint().unwrap_or_default());
    Some(whole.then_with(|| 0.0_f64.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal)))
}

pub(super) fn equal(left: &Value, right: &Value) -> bool {
    if let (Some(left), Some(right)) = (number(left), number(right)) {
        return order_numbers(&left, &right) == Some(Ordering::Equal);
    }
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Str(left), Value::Str(right)) => left == right,
        (Value::Time(left), Value::Time(right)) => left == right,
        (Value::Bytes(left), Value::Bytes(right)) => left == right,
        (Value::List(left), Value::List(right)) => left == right,
        (Value::Map(left), Value::Map(right)) => left == right,
        _ => false,
    }
}

/// A hash consistent with [`equal`].
pub(super) fn hash<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Null => 0u8.hash(state),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => match number(value) {
            Some(Number::Int(int)) => Some(int).hash(state),
            Some(Number::Float(float)) if float.is_finite() && float.fract() == 0.0 => float.to_bigint().hash(state),
            Some(Number::Float(float)) => float.to_bits().hash(state),
            None => {}
        },
        Value::Str(text) => text.hash(state),
        Value::Time(time) => time.hash(state),
        Value::Bytes(bytes) => bytes.hash(state),
        Value::List(list) => list.hash(state),
        Value::Map(map) => map.len().hash(state),
    }
}

/// Looks up text keys without copying them.
impl Equivalent<Value> for str {
    fn equivalent(&self, value: &Value) -> bool {
        matches!(value, Value::Str(text) if text == self)
    }
}

/// Python's `<` and `>`: numbers with numbers, text with text, lists element by element. `Ok(None)` if a NaN makes
/// every comparison false.
pub fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, Incomparable> {
    if let (Some(left), Some(right)) = (number(left), number(right)) {
        return Ok(order_numbers(&left, &right));
    }
    match (left, right) {
        (Value::Str(left), Value::Str(right)) => Ok(Some(left.cmp(right))),
        (Value::Bytes(left), Value::Bytes(right)) => Ok(Some(left.cmp(right))),
        (Value::Time(a), Value::Time(b)) if left.type_name() == right.type_name() => Ok(Some(a.text.cmp(&b.text))),
        (Value::List(left), Value::List(right)) => {
            for (left, right) in left.iter().zip(right) {
                if !equal(left, right) {
                    return order(left, right);
                }
            }
            Ok(Some(left.len().cmp(&right.len())))
        }
        _ => Err(Incomparable { left: left.type_name(), right: right.type_name() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_types_are_comparable() {
        let big: BigInt = BigInt::from(1u64 << 53) + 1;
        assert_eq!(Value::Bool(true), Value::Float(1.0));
        assert_ne!(Value::Int(big.clone()), Value::Float((1u64 << 53) as f64));
        assert_eq!(order(&Value::Int(big), &Value::Float((1u64 << 53) as f64)), Ok(Some(Ordering::Greater)));
        assert_eq!(order(&Value::from(-1), &Value::Float(-1.5)), Ok(Some(Ordering::Greater)));
        assert_eq!(order(&Value::from(0), &Value::Float(-0.5)), Ok(Some(Ordering::Greater)));
        assert_eq!(order(&Value::from(1), &Value::Float(f64::NAN)), Ok(None));
        assert_eq!(Value::Float(-1e20), Value::Int("-100000000000000000000".parse().unwrap()));
        assert_eq!(order(&Value::from(0), &Value::Float(0.9)), Ok(Some(Ordering::Less)));
    }

    #[test]
    fn text_and_numbers_cannot_be_ordered() {
        let refused = order(&Value::from("1"), &Value::from(1));
        assert_eq!(refused, Err(Incomparable { left: "str", right: "int" }));
    }

    #[test]
    fn equal_keys_are_one_key() {
        let map: super::super::Map = [(Value::from(1), Value::Null), (Value::Float(1.0), Value::from("x"))].into();
        assert_eq!(map.len(), 1);
    }

    #[test]
    fn text_keys_are_found() {
        let map: super::super::Map = [(Value::from("1"), Value::from("text")), (Value::from(1), Value::Null)].into();
        assert_eq!((map.get("1"), map.get("2")), (Some(&Value::from("text")), None));
    }
}
