//! `RR1…`: references to other items.

mod chain;
mod circular_extends;
mod context_repeated;
mod hook_item_missing;
mod id_case;
mod ids;
mod invalid_id;
mod item_missing;
mod parent_not_found;
mod parent_unusable;
mod route_target_missing;
mod suppress_base_name;
mod suppress_matches_nothing;
mod suppression;

use crate::lint::rule::Rule;

pub(super) const RULES: &[&Rule] = &[
    &parent_not_found::RULE,
    &circular_extends::RULE,
    &parent_unusable::RULE,
    &suppress_matches_nothing::RULE,
    &suppress_base_name::RULE,
    &item_missing::RULE,
    &hook_item_missing::RULE,
    &context_repeated::RULE,
    &id_case::RULE,
    &invalid_id::RULE,
    &route_target_missing::RULE,
];
