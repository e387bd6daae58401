//! `RR4…`: permissions and the tools that they grant.

mod grants;
mod palettes;
mod permissions;
#[cfg(test)]
mod tests;

use super::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("pattern_matches_nothing", Check::Directive(grants::pattern_matches_nothing)),
    ("pattern_over_budget", Check::Project(palettes::pattern_over_budget)),
    ("permissions_empty", Check::Directive(permissions::permissions_empty)),
    ("permissions_from_root", Check::Composed(permissions::permissions_from_root)),
    ("permissions_wider", Check::Composed(permissions::permissions_wider)),
    ("primary_missing", Check::Project(grants::primary_missing)),
    ("risk_unacknowledged", Check::Composed(permissions::risk_unacknowledged)),
    ("risk_warned_of", Check::Composed(permissions::risk_warned_of)),
    ("tool_budget_invalid", Check::Project(palettes::tool_budget_invalid)),
    ("tool_name_collision", Check::Project(palettes::tool_name_collision)),
    ("tool_name_too_long", Check::Project(palettes::tool_name_too_long)),
    ("tool_over_budget", Check::Project(palettes::tool_over_budget)),
    ("tool_without_schema", Check::Directive(grants::tool_without_schema)),
];
