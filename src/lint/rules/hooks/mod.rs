//! `RR3…`: hooks and their conditions.

pub mod actions;
pub mod condition_never;
pub mod conditions;
pub mod contexts;
pub mod events;
pub mod file_in_no_place;
pub mod keys;
#[cfg(test)]
mod tests;
pub mod words;

use crate::lint::project::Project;
use crate::read::item::Hook;
use crate::text::Span;

pub use keys::hook_keys;

/// The place of a key, or else of the hook; none for a hook that no file defines.
fn place_of(hook: &Hook, key: &str) -> Option<Span> {
    let own = hook.written.get(key).and_then(|node| node.span.as_ref());
    own.or(hook.span.as_ref()).cloned()
}

fn is_of_project(hook: &Hook, project: &Project<'_>) -> bool {
    hook.span.as_ref().is_some_and(|span| project.is_project_tier(span.source().tier()))
}
