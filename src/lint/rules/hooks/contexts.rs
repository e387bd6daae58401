//! What the contexts of hooks hold (Directives, "Hook context").

use crate::item::{Directive, ROUTING_EVENT};
use crate::lint::rules::Project;
use crate::nearest::nearest;
use crate::value::{Map, Value};

/// What stands under a key of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContextValue {
    /// A text.
    Text,
    /// A whole number.
    Number,
    /// True or false.
    Truth,
    /// The limits, by name.
    Limits,
    /// The given inputs, by name.
    Inputs,
    /// A number or a text, or what a release may make a map of.
    Anything,
}

type ContextKeys = &'static [(&'static str, ContextValue)];

const SYSTEM_PROMPT: ContextKeys = &[
    ("directive", ContextValue::Text),
    ("directive_body", ContextValue::Text),
    ("model", ContextValue::Text),
    ("limits", ContextValue::Limits),
    ("inputs", ContextValue::Inputs),
];

const STARTED: ContextKeys = &[
    ("directive", ContextValue::Text),
    ("directive_body", ContextValue::Text),
    ("model", ContextValue::Text),
    ("limits", ContextValue::Limits),
    ("inputs", ContextValue::Inputs),
    ("project_path", ContextValue::Text),
    ("depth", ContextValue::Number),
    ("parent_thread_id", ContextValue::Text),
    ("spend_limit", ContextValue::Anything),
    ("max_turns", ContextValue::Anything),
    ("capabilities_summary", ContextValue::Text),
];

const CONTINUED: ContextKeys = &[
    ("directive", ContextValue::Text),
    ("directive_body", ContextValue::Text),
    ("model", ContextValue::Text),
    ("limits", ContextValue::Limits),
    ("inputs", ContextValue::Inputs),
    ("previous_thread_id", ContextValue::Text),
];

const ROUTING: ContextKeys = &[
    ("directive", ContextValue::Text),
    ("has_extends", ContextValue::Truth),
    ("category", ContextValue::Text),
    ("inputs", ContextValue::Inputs),
    // The released package holds the attributes of `<model>` here.
    ("model", ContextValue::Anything),
];

/// The context of an event; none for those of a thread that runs, whose contexts are not documented.
pub(super) fn of_event(event: &str) -> Option<ContextKeys> {
    match event {
        "build_system_prompt" => Some(SYSTEM_PROMPT),
        "thread_started" => Some(STARTED),
        "thread_continued" => Some(CONTINUED),
        ROUTING_EVENT => Some(ROUTING),
        _ => None,
    }
}

/// What stands under the first part of a path.
pub(super) fn held(event: &str, path: &str) -> Option<ContextValue> {
    let first = path.split('.').next().unwrap_or_default();
    of_event(event)?.iter().find(|(key, _)| *key == first).map(|(_, holds)| *holds)
}

/// Why a path leads nowhere, and what may be meant; none where it may lead somewhere.
pub(super) struct Lack {
    pub why: String,
    pub nearest: Option<String>,
}

/// Why a path leads nowhere in the context of an event, if that is certain. `directive` is the one that a hook stands
/// in.
pub(super) fn lacks(event: &str, path: &str, project: &Project<'_>, directive: Option<&Directive>) -> Option<Lack> {
    let context = of_event(event)?;
    if path.is_empty() {
        return None;
    }
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let Some((_, holds)) = context.iter().find(|(key, _)| *key == first) else {
        let near = nearest(first, context.iter().map(|(key, _)| *key));
        return Some(Lack { why: format!("the context of {event} has no `{first}`"), nearest: near });
    };
    let part = rest?.split('.').next().unwrap_or_default();
    let known = |names: Vec<&str>, what: &str| {
        let is_known = names.is_empty() || names.contains(&part);
        let lack =
            || Lack { why: format!("there is no {what} `{part}`"), nearest: nearest(part, names.iter().copied()) };
        (!is_known).then(lack)
    };
    match holds {
        ContextValue::Text => Some(Lack { why: format!("`{first}` is a text, which has no parts"), nearest: None }),
        ContextValue::Number => Some(Lack { why: format!("`{first}` is a number, which has no parts"), nearest: None }),
        ContextValue::Truth => {
            Some(Lack { why: format!("`{first}` is true or false, which has no parts"), nearest: None })
        }
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

fn text_keys(map: &Map) -> Vec<&str> {
    map.keys().filter_map(Value::as_str).collect()
}
