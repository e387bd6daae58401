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

use crate::lint::project::Policy;
use crate::lint::rules::{Composed, Findings, Project, Rule};

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

/// Reports granted capabilities under a policy that are acknowledged neither by the directive nor by the one that grants
/// them, one per risk.
fn report_unacknowledged(
    composed: &Composed<'_>,
    project: &Project<'_>,
    found: &mut Findings<'_>,
    policy: Policy,
    effect: &str,
) {
    let (Some(_), Some(risks), Some((file, permissions))) =
        (project.protocol.tools, project.risks(), composed.granting())
    else {
        return;
    };
    let granting = file.directive().map(|directive| directive.acknowledged.as_slice()).unwrap_or_default();
    let acknowledged = || composed.directive.acknowledged.iter().chain(granting);
    let mut reported: Vec<&str> = Vec::new();
    for permission in permissions {
        let Some((risk, own)) = risks.of_capability(&permission.capability) else { continue };
        if own == policy && !reported.contains(&risk) && acknowledged().all(|field| field.as_str().trim() != risk) {
            reported.push(risk);
            found
                .at(
                    &permission.span,
                    format!("`{}` grants {risk} risk without `<acknowledge>`: {effect}", permission.capability),
                )
                .help(format!("add <acknowledge risk=\"{risk}\"> with the reason to <permissions>, or grant less"));
        }
    }
}
