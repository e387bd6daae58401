use super::node::{YamlData, YamlNode};
use crate::read::value::Value;

/// The cost of an anchor or alias.
#[derive(Clone, Copy, Default)]
pub(super) struct Weight {
    pub nodes: usize,
    pub bytes: usize,
    pub depth: usize,
}

impl Weight {
    pub fn of(node: &YamlNode) -> Self {
        let mut weight = Self { nodes: 1, ..Self::default() };
        match &node.data {
            YamlData::Scalar(value) => weight.bytes = Self::bytes(value),
            YamlData::List(list) => list.iter().for_each(|item| weight.hold(Self::of(item))),
            YamlData::Map(map) => {
                for (key, item) in map {
                    weight.hold(Self { nodes: 1, bytes: Self::bytes(key), depth: 0 });
                    weight.hold(Self::of(item));
                }
            }
        }
        weight
    }

    fn bytes(scalar: &Value) -> usize {
        match scalar {
            Value::Str(text) => text.len(),
            Value::Bytes(bytes) => bytes.len(),
            Value::Int(int) => int.bits() as usize / 8, // at most 4300 digits
            _ => 0,
        }
    }

    fn hold(&mut self, part: Self) {
        self.nodes += part.nodes;
        self.bytes += part.bytes;
        self.depth = self.depth.max(part.depth + 1);
    }
}
