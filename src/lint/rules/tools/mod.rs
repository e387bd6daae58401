//! `RR4…`: permissions and the tools that they bring.

mod budget;
mod palettes;
mod pattern_matches_nothing;
mod pattern_over_budget;
mod permissions_empty;
mod permissions_from_root;
mod permissions_wider;
mod primary_missing;
mod risk_unacknowledged;
mod risk_warned_of;
mod slips;
#[cfg(test)]
mod tests;
mod tool_budget_invalid;
mod tool_name_collision;
mod tool_name_too_long;
mod tool_over_budget;
mod tool_without_schema;

use crate::item::Permission;
use crate::lint::project::{Composed, Policy, Project};
use crate::lint::rule::Rule;

pub(super) const RULES: &[&Rule] = &[
    &pattern_matches_nothing::RULE,
    &tool_over_budget::RULE,
    &tool_name_collision::RULE,
    &tool_name_too_long::RULE,
    &permissions_wider::RULE,
    &risk_unacknowledged::RULE,
    &tool_without_schema::RULE,
    &permissions_from_root::RULE,
    &primary_missing::RULE,
    &tool_budget_invalid::RULE,
    &risk_warned_of::RULE,
    &pattern_over_budget::RULE,
    &permissions_empty::RULE,
];

/// The granted capabilities whose risk has a policy, and that neither the directive nor who grants them acknowledges,
/// each risk once.
fn unacknowledged<'p>(
    composed: &Composed<'p>,
    project: &'p Project<'_>,
    policy: Policy,
) -> Vec<(&'p str, &'p Permission)> {
    let (Some(_), Some(risks), Some((file, permissions))) =
        (project.protocol.tools, project.risks(), composed.granting())
    else {
        return Vec::new();
    };
    let granting = file.directive().map(|directive| directive.acknowledged.as_slice()).unwrap_or_default();
    let acknowledged = || composed.directive.acknowledged.iter().chain(granting);
    let mut found: Vec<(&str, &Permission)> = Vec::new();
    for permission in permissions {
        let Some((risk, own)) = risks.of_capability(&permission.capability) else { continue };
        let is_new = found.iter().all(|(known, _)| *known != risk);
        if own == policy && is_new && acknowledged().all(|field| field.as_str().trim() != risk) {
            found.push((risk, permission));
        }
    }
    found
}
