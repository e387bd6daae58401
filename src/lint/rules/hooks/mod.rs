//! `RR3…`: hooks and their conditions.

pub mod action_incomplete;
pub mod action_not_run;
pub mod condition_invalid;
pub mod condition_never;
pub mod configuration_key_unknown;
mod contexts;
mod contradiction;
pub mod event_not_fired;
pub mod event_unknown;
pub mod file_in_no_place;
pub mod hook_id_repeated;
pub mod hook_key_unknown;
pub mod hook_kind_missing;
pub mod hook_without_id;
pub mod incomparable;
pub mod invalid_pattern;
pub mod operand_not_text;
pub mod operator_unknown;
pub mod path_unknown;
pub mod pattern_backtracks;
pub mod pipe_unknown;
pub mod position_unknown;
pub mod primary_foreign;
pub mod routing_hidden;
pub mod routing_without_target;
pub mod tag_with_placeholder;
#[cfg(test)]
mod tests;
mod types;
mod words;

use crate::diagnostic::Problem;
use crate::lint::project::Project;
use crate::read::item::Hook;
use crate::read::item::condition::{Comparison, Operator};
use crate::text::Span;

/// The place of a key, or else of the hook; none for a hook that no file defines.
fn place_of(hook: &Hook, key: &str) -> Option<Span> {
    let own = hook.written.get(key).and_then(|node| node.span.as_ref());
    own.or(hook.span.as_ref()).cloned()
}

fn is_of_project(hook: &Hook, project: &Project<'_>) -> bool {
    hook.span.as_ref().is_some_and(|span| project.is_project_tier(span.source().tier()))
}

/// The fault of an operand, no matter what it is compared with; `Some(None)` is `in` without a list.
fn operand_fault(comparison: &Comparison) -> Option<Option<Problem>> {
    let expected = &comparison.expected;
    match comparison.operator? {
        Operator::In => expected.as_list().is_none().then_some(None),
        operator @ (Operator::Contains | Operator::Regex) if expected.as_str().is_none() => {
            Some(Some(Problem::OperandNotText { operator: operator.into_str(), found: expected.type_name() }))
        }
        _ => None,
    }
}
