//! `RR3…`: hooks and their conditions.

mod actions;
mod condition_never;
mod conditions;
mod contexts;
mod events;
mod file_in_no_place;
mod keys;
#[cfg(test)]
mod tests;
mod words;

use crate::lint::project::Project;
use crate::read::item::Hook;
use crate::text::Span;

use super::Check;

pub use keys::hook_keys;

pub const CHECKS: &[(&str, Check)] = &[
    ("action_incomplete", Check::Hook(actions::action_incomplete)),
    ("action_not_run", Check::Hook(actions::action_not_run)),
    ("condition_invalid", Check::Hook(conditions::condition_invalid)),
    ("condition_never", Check::Project(condition_never::condition_never)),
    ("configuration_key_unknown", Check::File(keys::configuration_key_unknown)),
    ("event_not_fired", Check::Hook(events::event_not_fired)),
    ("event_unknown", Check::Hook(events::event_unknown)),
    ("file_in_no_place", Check::Project(file_in_no_place::file_in_no_place)),
    ("hook_id_repeated", Check::File(keys::hook_id_repeated)),
    ("hook_key_unknown", Check::Hook(keys::hook_key_unknown)),
    ("hook_kind_missing", Check::Hook(actions::hook_kind_missing)),
    ("hook_without_id", Check::Hook(actions::hook_without_id)),
    ("incomparable", Check::Hook(conditions::incomparable)),
    ("invalid_pattern", Check::Hook(conditions::invalid_pattern)),
    ("operand_not_text", Check::Hook(conditions::operand_not_text)),
    ("operator_unknown", Check::Hook(conditions::operator_unknown)),
    ("path_unknown", Check::Project(contexts::path_unknown)),
    ("pattern_backtracks", Check::Hook(conditions::pattern_backtracks)),
    ("pipe_null", Check::Hook(actions::pipe_null)),
    ("pipe_unknown", Check::Hook(actions::pipe_unknown)),
    ("position_unknown", Check::Hook(actions::position_unknown)),
    ("primary_foreign", Check::Hook(actions::primary_foreign)),
    ("routing_hidden", Check::Project(events::routing_hidden)),
    ("routing_without_target", Check::Hook(events::routing_without_target)),
    ("tag_with_placeholder", Check::Hook(actions::tag_with_placeholder)),
];

/// The place of a key, or else of the hook; none for a hook that no file defines.
fn place_of(hook: &Hook, key: &str) -> Option<Span> {
    let own = hook.written.get(key).and_then(|node| node.span.as_ref());
    own.or(hook.span.as_ref()).cloned()
}

fn is_of_project(hook: &Hook, project: &Project<'_>) -> bool {
    hook.span.as_ref().is_some_and(|span| project.is_project_tier(span.source().tier()))
}
