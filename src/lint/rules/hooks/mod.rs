//! `RR3…`: hooks and their conditions.

mod actions;
mod condition_invalid;
mod condition_never;
mod configuration_key_unknown;
mod contexts;
mod contradiction;
mod events;
mod file_in_no_place;
mod hook_id_repeated;
mod hook_key_unknown;
mod hook_kind_missing;
mod hook_without_id;
mod incomparable;
mod operands;
mod operator_unknown;
mod path_unknown;
mod pattern_backtracks;
mod pipe_null;
mod pipe_unknown;
mod position_unknown;
mod routing_hidden;
mod routing_without_target;
mod tag_with_placeholder;
#[cfg(test)]
mod tests;
mod types;
mod words;

use crate::lint::project::Project;
use crate::lint::rules::Check;
use crate::read::item::Hook;
use crate::text::Span;
pub use hook_key_unknown::hook_keys;

pub const CHECKS: &[(&str, Check)] = &[
    ("action_incomplete", Check::Hook(actions::action_incomplete)),
    ("action_not_run", Check::Hook(actions::action_not_run)),
    ("condition_invalid", Check::Hook(condition_invalid::check)),
    ("condition_never", Check::Project(condition_never::check)),
    ("configuration_key_unknown", Check::File(configuration_key_unknown::check)),
    ("event_not_fired", Check::Hook(events::event_not_fired)),
    ("event_unknown", Check::Hook(events::event_unknown)),
    ("file_in_no_place", Check::Project(file_in_no_place::check)),
    ("hook_id_repeated", Check::File(hook_id_repeated::check)),
    ("hook_key_unknown", Check::Hook(hook_key_unknown::check)),
    ("hook_kind_missing", Check::Hook(hook_kind_missing::check)),
    ("hook_without_id", Check::Hook(hook_without_id::check)),
    ("incomparable", Check::Hook(incomparable::check)),
    ("invalid_pattern", Check::Hook(operands::invalid_pattern)),
    ("operand_not_text", Check::Hook(operands::operand_not_text)),
    ("operator_unknown", Check::Hook(operator_unknown::check)),
    ("path_unknown", Check::Project(path_unknown::check)),
    ("pattern_backtracks", Check::Hook(pattern_backtracks::check)),
    ("pipe_null", Check::Hook(pipe_null::check)),
    ("pipe_unknown", Check::Hook(pipe_unknown::check)),
    ("position_unknown", Check::Hook(position_unknown::check)),
    ("primary_foreign", Check::Hook(actions::primary_foreign)),
    ("routing_hidden", Check::Project(routing_hidden::check)),
    ("routing_without_target", Check::Hook(routing_without_target::check)),
    ("tag_with_placeholder", Check::Hook(tag_with_placeholder::check)),
];

/// The place of a key, or else of the hook; none for a hook that no file defines.
fn place_of(hook: &Hook, key: &str) -> Option<Span> {
    let own = hook.written.get(key).and_then(|node| node.span.as_ref());
    own.or(hook.span.as_ref()).cloned()
}

fn is_of_project(hook: &Hook, project: &Project<'_>) -> bool {
    hook.span.as_ref().is_some_and(|span| project.is_project_tier(span.source().tier()))
}
