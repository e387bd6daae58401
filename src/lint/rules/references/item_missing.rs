use crate::lint::pages::RR106 as RULE;
use crate::lint::project::PlacementOutcome;
use crate::lint::rules::{Composed, Findings, ItemKind, Project};

use super::ids::Dangling;
use super::suppression::may_be_routed;

pub fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let own = composed.context.iter().filter(|placed| placed.by.id == composed.leaf.id && placed.file.is_none());
    for placed in own {
        // A hook may set a parent under which the item is not suppressed.
        if matches!(placed.becomes, PlacementOutcome::Suppressed) && !may_be_routed(composed, project) {
            continue;
        }
        // One finding per directive; a base that lists it too gets its own.
        if matches!(placed.becomes, PlacementOutcome::Duplicate(first) if first.span.source() == placed.id.span.source())
        {
            continue;
        }
        let dangling = Dangling::find(ItemKind::Knowledge, placed.id.as_str(), project);
        let Some(dangling) = dangling.filter(|dangling| !dangling.is_left_to_id_case(project)) else { continue };
        let requested_by = composed.leaf.id.clone();
        dangling.report(ItemKind::Knowledge, placed.id, requested_by, found, RULE.help);
    }
}
