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

use crate::lint::rules::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("circular_extends", Check::Composed(circular_extends::check)),
    ("context_repeated", Check::Composed(context_repeated::check)),
    ("hook_item_missing", Check::Hook(hook_item_missing::check)),
    ("id_case", Check::Project(id_case::check)),
    ("invalid_id", Check::Project(invalid_id::check)),
    ("item_missing", Check::Composed(item_missing::check)),
    ("parent_not_found", Check::Composed(parent_not_found::check)),
    ("parent_unusable", Check::Composed(parent_unusable::check)),
    ("route_target_missing", Check::Hook(route_target_missing::check)),
    ("suppress_base_name", Check::Composed(suppress_base_name::check)),
    ("suppress_matches_nothing", Check::Composed(suppress_matches_nothing::check)),
];
