//! JSON with positions.

use std::sync::Arc;

use serde::de::IgnoredAny;

use crate::diagnostic::{Diagnostic, Problem, without_place};
use crate::read::limits;
use crate::read::value::{from_json, holds_long_integer};
use crate::read::yaml::{self, YamlLimits, YamlNode};
use crate::text::{Source, Span, Traced};

const LIMITS: YamlLimits =
    YamlLimits { bytes: limits::YAML_BYTES, nodes: limits::YAML_VALUES, depth: limits::YAML_LEVELS_OTHER_FILES };

/// A JSON or YAML file with positions, which are missing for JSON that the YAML reader would read differently.
pub fn json_or_yaml(source: &Arc<Source>) -> Result<YamlNode, Diagnostic> {
    let json = match serde_json::from_str::<IgnoredAny>(source.text()) {
        Ok(IgnoredAny) => {
            limits::json(source, limits::JSON_VALUES)?;
            serde_json::from_str(source.text()).ok().filter(|json| !holds_long_integer(json)).map(from_json)
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

/// JSON with positions; `None` if the YAML reader would read it differently.
pub fn places(text: &Span) -> Option<YamlNode> {
    let json = serde_json::from_str(text.text()).ok().filter(|json| !holds_long_integer(json)).map(from_json)?;
    let loaded = yaml::load_within(text, LIMITS).ok()?;
    (loaded.node.value() == json).then_some(loaded.node)
}

/// Settings in JSON.
pub fn settings(source: &Arc<Source>) -> Result<YamlNode, Diagnostic> {
    serde_json::from_str::<IgnoredAny>(source.text()).map_err(|error| unreadable(&source.whole(), &error))?;
    json_or_yaml(source).map_err(|error| {
        let problem = Problem::AgentSettingsUnreadable { reason: error.message() };
        Diagnostic { problem, at: error.at.or_else(|| Some(source.whole().slice(0..0).into())) }
    })
}

/// That settings are no JSON, and where.
pub fn unreadable(text: &Span, error: &serde_json::Error) -> Diagnostic {
    let reason = without_place(&error.to_string()).to_string();
    Diagnostic::at(Problem::AgentSettingsUnreadable { reason }, error_place(text, error))
}

/// Where a JSON error is: at the byte that a line and a column name.
pub fn error_place(text: &Span, error: &serde_json::Error) -> Span {
    let (whole, lines) = (text.text(), error.line().saturating_sub(1));
    let line =
        if lines == 0 { 0 } else { whole.match_indices('\n').nth(lines - 1).map_or(whole.len(), |(at, _)| at + 1) };
    let at = whole.floor_char_boundary(line + error.column().saturating_sub(1));
    let next = whole[at..].chars().next().map_or(0, char::len_utf8);
    text.slice(at..at + next)
}

/// Gives a text of a file named on the command line the origin that its value has there.
pub fn place(text: &mut Traced, node: Option<&YamlNode>) {
    let same = node.filter(|node| node.span.is_some() && node.as_str() == Some(text.text()));
    if let Some(node) = same {
        *text = node.traced();
    }
}

pub fn entries(node: Option<&YamlNode>) -> &[YamlNode] {
    node.and_then(YamlNode::as_list).unwrap_or_default()
}
