//! Positions of texts in files named on the command line: the origins of the prompt's text.

use std::sync::Arc;

use serde::de::IgnoredAny;

use crate::diagnostic::Diagnostic;
use crate::read::limits;
use crate::read::value::from_json;
use crate::read::yaml::{self, YamlLimits, YamlNode};
use crate::text::{Source, Traced};

const LIMITS: YamlLimits =
    YamlLimits { bytes: limits::YAML_BYTES, nodes: limits::YAML_VALUES, depth: limits::YAML_LEVELS_OTHER_FILES };

/// A JSON or YAML file with positions, which are missing for JSON that the YAML reader would read differently.
pub(super) fn nodes(source: &Arc<Source>) -> Result<YamlNode, Diagnostic> {
    let json = match serde_json::from_str::<IgnoredAny>(source.text()) {
        Ok(IgnoredAny) => {
            limits::json(source, limits::JSON_VALUES)?;
            serde_json::from_str(source.text()).ok().map(from_json)
        }
        Err(_) => None,
    };
    let loaded = yaml::load_within(&source.whole(), LIMITS);
    match (json, loaded) {
        (Some(json), Ok(loaded)) if loaded.node.value() == json => Ok(loaded.node),
        (Some(json), _) => Ok(YamlNode::of(&json)),
        (None, loaded) => Ok(loaded?.node),
    }
}

pub(super) fn place(text: &mut Traced, node: Option<&YamlNode>) {
    let same = node.filter(|node| node.span.is_some() && node.as_str() == Some(text.text()));
    if let Some(node) = same {
        *text = node.traced();
    }
}

pub(super) fn entries(node: Option<&YamlNode>) -> &[YamlNode] {
    node.and_then(YamlNode::as_list).unwrap_or_default()
}
