use crate::value::Value;
use crate::yaml::{Data, Node};

/// Puts the settings of a tier over those of the tiers below: maps are merged deep, everything else is replaced. What is
/// null says nothing. Every value keeps its place.
///
/// This is not how the configuration of agents is merged, where lists have ids and `extends` is passed over.
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
                // What the upper one says stands last, which decides between entries that weigh the same.
                lower.insert(key, merged);
            }
            Node { data: Data::Map(lower), span }
        }
        (_, data) => Node { data, span },
    }
}

/// Whether nothing is said.
pub(crate) fn is_null(node: &Node) -> bool {
    matches!(node.data, Data::Scalar(Value::Null))
}
