//! `RR3…`: hooks and their conditions.

mod action_incomplete;
mod action_not_run;
mod condition_invalid;
mod condition_never;
mod conditions;
mod configuration_key_unknown;
mod contexts;
mod contradiction;
mod event_not_fired;
mod event_unknown;
mod file_in_no_place;
mod hook_id_repeated;
mod hook_key_unknown;
mod hook_without_id;
mod incomparable;
mod invalid_pattern;
mod operand_not_text;
mod operator_unknown;
mod path_unknown;
mod pattern_backtracks;
mod position_unknown;
mod primary_foreign;
mod routing_hidden;
mod routing_without_target;
#[cfg(test)]
mod tests;
mod types;
mod words;

use crate::condition::Comparison;
use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::project::Project;
use crate::lint::rule::Rule;
use crate::lint::rules::pages;
use crate::store::TierKind;
use crate::text::Span;

pub(super) const RULES: &[&Rule] = &[
    &event_unknown::RULE,
    &operator_unknown::RULE,
    &position_unknown::RULE,
    &pages::RR304,
    &invalid_pattern::RULE,
    &path_unknown::RULE,
    &hook_id_repeated::RULE,
    &routing_hidden::RULE,
    &routing_without_target::RULE,
    &event_not_fired::RULE,
    &condition_never::RULE,
    &condition_invalid::RULE,
    &incomparable::RULE,
    &operand_not_text::RULE,
    &action_incomplete::RULE,
    &primary_foreign::RULE,
    &hook_key_unknown::RULE,
    &pattern_backtracks::RULE,
    &action_not_run::RULE,
    &pages::RR320,
    &configuration_key_unknown::RULE,
    &file_in_no_place::RULE,
    &hook_without_id::RULE,
];

/// The place of a key, else of the hook; none for a hook that no file defines.
fn place_of(hook: &Hook, key: &str) -> Option<Span> {
    let own = hook.written.get(key).and_then(|node| node.span.as_ref());
    own.or(hook.span.as_ref()).cloned()
}

fn is_of_project(hook: &Hook, project: &Project<'_>) -> bool {
    let mut tiers = project.tiers.list().iter().filter(|tier| tier.kind == TierKind::Project);
    hook.span.as_ref().is_some_and(|span| tiers.any(|tier| *tier.label == *span.source().tier()))
}

/// The fault of an operand, whatever it is compared with; `Some(None)` is `in` without a list.
fn operand_fault(comparison: &Comparison) -> Option<Option<Problem>> {
    let expected = comparison.expected.as_ref()?;
    let operator = match comparison.operator.as_str() {
        "contains" => "contains",
        "regex" => "regex",
        "in" => return expected.as_list().is_none().then_some(None),
        _ => return None,
    };
    let is_text = expected.as_str().is_some();
    (!is_text).then(|| Some(Problem::OperandNotText { operator, found: expected.type_name() }))
}
