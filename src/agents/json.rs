//! JSON with positions.

use std::sync::Arc;

use serde::de::IgnoredAny;

use crate::diagnostic::Diagnostic;
use crate::read::limits;
use crate::read::value::from_json;
use crate::read::yaml::{self, YamlLimits, YamlNode};
use crate::text::Source;

const LIMITS: YamlLimits =
    YamlLimits { bytes: limits::YAML_BYTES, nodes: limits::YAML_VALUES, depth: limits::YAML_LEVELS_OTHER_FILES };

/// A JSON or YAML file with positions, which are missing for JSON that the YAML reader would read differently.
pub fn json_or_yaml(source: &Arc<Source>) -> Result<YamlNode, Diagnostic> {
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

/// A JSON file; the error is the reason why it is none.
pub fn json(source: &Arc<Source>) -> Result<YamlNode, String> {
    serde_json::from_str::<IgnoredAny>(source.text()).map_err(|error| error.to_string())?;
    json_or_yaml(source).map_err(|error| error.message())
}
