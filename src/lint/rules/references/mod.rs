//! `RR1…`: references to other items.

mod chain;
mod ids;
mod items;
mod suppression;

use super::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("circular_extends", Check::Composed(chain::circular_extends)),
    ("context_repeated", Check::Composed(items::context_repeated)),
    ("hook_item_missing", Check::Hook(items::hook_item_missing)),
    ("id_case", Check::Project(ids::id_case)),
    ("invalid_id", Check::Project(ids::invalid_id)),
    ("item_missing", Check::Composed(items::item_missing)),
    ("parent_not_found", Check::Composed(chain::parent_not_found)),
    ("parent_unusable", Check::Composed(chain::parent_unusable)),
    ("route_target_missing", Check::Hook(items::route_target_missing)),
    ("suppress_base_name", Check::Composed(suppression::suppress_base_name)),
    ("suppress_matches_nothing", Check::Composed(suppression::suppress_matches_nothing)),
];
