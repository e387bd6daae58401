use crate::value::Value;
use crate::yaml::{Data, Node};

/// Merges two settings: maps deep, anything else is replaced, null is ignored. Every value keeps its position.
///
/// The configuration of agents has different rules: its lists have ids, and `extends` is skipped.
pub(super) fn merge(lower: Node, upper: Node) -> Node {
    if is_null(&upper) {
        return lower;
    }
    let span = upper.span;
    match (lower.data, upper.data) {
        (Data::Map(mut lower), Data::Map(upper)) => {
            for (key, value) in upper {
                let merged = match lower.shift_remove(&key) {
                    Some(below) => merge(below, value),
                    None => value,
                };
                // Last, which decides between entries of equal weight.
                lower.insert(key, merged);
            }
            Node { data: Data::Map(lower), span }
        }
        (_, data) => Node { data, span },
    }
}

pub(crate) fn is_null(node: &Node) -> bool {
    matches!(node.data, Data::Scalar(Value::Null))
}
