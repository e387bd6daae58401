//! The contents of hook contexts (Directives, "Hook context").

use crate::lint::rules::Project;
use crate::read::item::{Directive, ROUTING_EVENT};
use crate::read::value::Value;
use crate::read::yaml::NodeMap;
use crate::text::nearest::nearest;

/// The type of a value in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContextValue {
    Text,
    Number,
    Truth,
    /// A map of limits.
    Limits,
    /// A map of the given inputs.
    Inputs,
    /// A number or text; in some releases a map.
    Anything,
}

type ContextKeys = &'static [(&'static str, ContextValue)];

/// The keys of every event that builds messages.
const COMMON: ContextKeys = &[
    ("directive", ContextValue::Text),
    ("directive_body", ContextValue::Text),
    ("model", ContextValue::Text),
    ("limits", ContextValue::Limits),
    ("inputs", ContextValue::Inputs),
];

const STARTED: ContextKeys = &[
    ("project_path", ContextValue::Text),
    ("depth", ContextValue::Number),
    ("parent_thread_id", ContextValue::Text),
    ("spend_limit", ContextValue::Anything),
    ("max_turns", ContextValue::Anything),
    ("capabilities_summary", ContextValue::Text),
];

const CONTINUED: ContextKeys = &[("previous_thread_id", ContextValue::Text)];

const ROUTING: ContextKeys = &[
    ("directive", ContextValue::Text),
    ("has_extends", ContextValue::Truth),
    ("category", ContextValue::Text),
    ("inputs", ContextValue::Inputs),
    // The released package holds the attributes of `<model>` here.
    ("model", ContextValue::Anything),
];

/// Contexts of events within a running thread are not documented.
pub(super) fn of_event(event: &str) -> Option<impl Iterator<Item = (&'static str, ContextValue)> + Clone> {
    let (common, own): (ContextKeys, ContextKeys) = match event {
        "build_system_prompt" => (COMMON, &[]),
        "thread_started" => (COMMON, STARTED),
        "thread_continued" => (COMMON, CONTINUED),
        ROUTING_EVENT => (&[], ROUTING),
        _ => return None,
    };
    Some(common.iter().chain(own).copied())
}

pub(super) fn value_at(event: &str, path: &str) -> Option<ContextValue> {
    let first = path.split('.').next().unwrap_or_default();
    of_event(event)?.find(|(key, _)| *key == first).map(|(_, value)| value)
}

/// Why a path leads nowhere, and the name that was probably meant.
pub(super) struct Lack {
    pub why: String,
    pub nearest: Option<String>,
}

/// None unless the path certainly leads nowhere. `directive` is the one that contains the hook.
pub(super) fn lacks(event: &str, path: &str, project: &Project<'_>, directive: Option<&Directive>) -> Option<Lack> {
    let context = of_event(event)?;
    if path.is_empty() {
        return None;
    }
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let Some((_, value)) = context.clone().find(|(key, _)| *key == first) else {
        let near = nearest(first, context.map(|(key, _)| key));
        return Some(Lack { why: format!("the context of {event} has no `{first}`"), nearest: near });
    };
    let part = rest?.split('.').next().unwrap_or_default();
    let known = |names: Vec<&str>, what: &str| {
        let is_known = names.is_empty() || names.contains(&part);
        let lack =
            || Lack { why: format!("there is no {what} `{part}`"), nearest: nearest(part, names.iter().copied()) };
        (!is_known).then(lack)
    };
    let without_parts =
        |what: &str| Some(Lack { why: format!("`{first}` is {what}, which has no parts"), nearest: None });
    match value {
        ContextValue::Text => without_parts("text"),
        ContextValue::Number => without_parts("a number"),
        ContextValue::Truth => without_parts("true or false"),
        ContextValue::Limits => {
            let defaults = project.configuration.as_ref().and_then(|it| it.limit_defaults.as_ref());
            known(defaults.map(text_keys).unwrap_or_default(), "limit")
        }
        ContextValue::Inputs => {
            let declared = directive.map_or(&[][..], |directive| &directive.inputs);
            known(declared.iter().map(|input| input.name.as_str()).collect(), "input")
        }
        ContextValue::Anything => None,
    }
}

fn text_keys(map: &NodeMap) -> Vec<&str> {
    map.keys().filter_map(Value::as_str).collect()
}
