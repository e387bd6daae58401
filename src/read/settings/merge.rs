use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlNode};

/// Merges two settings: maps are merged recursively, anything else is replaced, null is ignored.
/// Every value keeps its position.
///
/// The configuration of agents has different rules: its lists have ids, and `extends` is skipped.
pub(super) fn merge(lower: YamlNode, upper: YamlNode) -> YamlNode {
    if is_null(&upper) {
        return lower;
    }
    let span = upper.span;
    match (lower.data, upper.data) {
        (YamlData::Map(mut lower), YamlData::Map(upper)) => {
            for (key, value) in upper {
                let merged = match lower.shift_remove(&key) {
                    Some(below) => merge(below, value),
                    None => value,
                };
                // Inserted last, because the last of equally specific entries wins.
                lower.insert(key, merged);
            }
            YamlNode { data: YamlData::Map(lower), span }
        }
        (_, data) => YamlNode { data, span },
    }
}

pub(crate) fn is_null(node: &YamlNode) -> bool {
    matches!(node.data, YamlData::Scalar(Value::Null))
}
