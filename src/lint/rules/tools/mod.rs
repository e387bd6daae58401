//! `RR4…`: permissions and the tools that they grant.

mod budget;
mod names;
mod palettes;
mod pattern_matches_nothing;
mod permissions_empty;
mod permissions_from_root;
mod permissions_wider;
mod primary_missing;
mod risks;
mod slips;
#[cfg(test)]
mod tests;
mod tool_without_schema;

use crate::lint::rules::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("pattern_matches_nothing", Check::Directive(pattern_matches_nothing::check)),
    ("pattern_over_budget", Check::Project(budget::pattern_over_budget)),
    ("permissions_empty", Check::Directive(permissions_empty::check)),
    ("permissions_from_root", Check::Composed(permissions_from_root::check)),
    ("permissions_wider", Check::Composed(permissions_wider::check)),
    ("primary_missing", Check::Project(primary_missing::check)),
    ("risk_unacknowledged", Check::Composed(risks::risk_unacknowledged)),
    ("risk_warned_of", Check::Composed(risks::risk_warned_of)),
    ("tool_budget_invalid", Check::Project(budget::tool_budget_invalid)),
    ("tool_name_collision", Check::Project(names::tool_name_collision)),
    ("tool_name_too_long", Check::Project(names::tool_name_too_long)),
    ("tool_over_budget", Check::Project(budget::tool_over_budget)),
    ("tool_without_schema", Check::Directive(tool_without_schema::check)),
];
