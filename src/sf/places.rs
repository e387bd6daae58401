//! Where a file of the command line holds its texts, which is what a prompt made of them comes from.

use std::sync::Arc;

use serde::de::IgnoredAny;

use crate::diagnostic::Diagnostic;
use crate::limits;
use crate::text::{Source, Traced};
use crate::value::from_json;
use crate::yaml::{self, Node, YamlLimits};

/// As other files that flags name have them.
const LIMITS: YamlLimits =
    YamlLimits { bytes: limits::YAML_BYTES, nodes: limits::YAML_VALUES, depth: limits::YAML_LEVELS_BESIDE };

/// A file of JSON or YAML with the places of what it holds; JSON that our reader of YAML takes for something else has
/// none.
pub(super) fn nodes(source: &Arc<Source>) -> Result<Node, Diagnostic> {
    let json = match serde_json::from_str::<IgnoredAny>(source.text()) {
        Ok(IgnoredAny) => {
            limits::json(source, limits::JSON_VALUES)?;
            serde_json::from_str(source.text()).ok().map(from_json)
        }
        Err(_) => None,
    };
    let loaded = yaml::load(source, 0..source.text().len(), LIMITS);
    match (json, loaded) {
        (Some(json), Ok(loaded)) if loaded.node.value() == json => Ok(loaded.node),
        (Some(json), _) => Ok(Node::of(&json)),
        (None, loaded) => Ok(loaded?.node),
    }
}

/// Gives a text the place at which its file holds it, if it is known.
pub(super) fn place(text: &mut Traced, node: Option<&Node>) {
    let same = node.filter(|node| node.span.is_some() && node.as_str() == Some(text.text()));
    if let Some(node) = same {
        *text = node.traced();
    }
}

/// The node of each entry of a list; none for what is no list.
pub(super) fn entries(node: Option<&Node>) -> &[Node] {
    node.and_then(Node::as_list).unwrap_or_default()
}
