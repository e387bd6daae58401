use crate::lint::pages::RR107 as RULE;
use crate::lint::rules::{Findings, Hook, LintFile, Project, has_context};
use crate::read::store::{ItemKind, TierKind};

use super::ids::{Dangling, item_of};

pub fn check(hook: &Hook, _file: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !has_context(project) {
        return;
    }
    // An action without a kind is left to `hook_kind_missing`.
    for action in hook.actions.iter().filter(|action| action.meant_kind(false).is_none()) {
        let Some((kind, id)) = item_of(action) else { continue };
        let dangling = Dangling::find(kind, id.as_str(), project);
        let Some(dangling) = dangling.filter(|dangling| !dangling.is_left_to_id_case(project)) else { continue };
        if kind != ItemKind::Knowledge && id.as_str().starts_with("rye/") && !has_bundle(project) {
            continue;
        }
        let requested_by = format!("hook {}", hook.name());
        dangling.report(kind, id, requested_by, found, RULE.help);
    }
}

/// Whether a system bundle is installed besides the embedded one, which has few tools.
fn has_bundle(project: &Project<'_>) -> bool {
    project.tiers.list().iter().any(|tier| tier.kind == TierKind::System && tier.root.is_some())
}
