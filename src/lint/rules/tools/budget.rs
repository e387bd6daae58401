//! Granted tools that the budget leaves out of palettes.

use std::collections::HashMap;

use crate::item::Permission;
use crate::lint::rules::{Findings, Project, name_first};
use crate::palette::capability::{CapabilityPattern, Reach};
use crate::palette::{self, PaletteRequest};
use crate::prompt::{DecisionOutcome, Declared, Grant};
use crate::protocol::ToolRules;

/// Further distinct sets of grants over the budget are not checked.
const MOST_PALETTES: usize = 1_000;

/// The tools over the budget: the capability that grants each, its id, and the reason.
type OverBudgetTools = Vec<(String, String, String)>;

/// Reports the tools of the `wanted` capabilities that are left out.
pub(super) fn left_out_of_palettes(
    project: &Project<'_>,
    found: &mut Findings<'_>,
    wanted: fn(&CapabilityPattern) -> bool,
) {
    let (Some(rules), Some(configuration)) = (project.protocol.tools, project.configuration.as_ref()) else { return };
    let preload = configuration.tool_preload.as_ref();
    let Some(room) = palette::budget_characters(preload) else { return };
    let mut known: HashMap<Vec<&str>, OverBudgetTools> = HashMap::new();
    for (_, directive) in project.directives().filter(|(file, it)| file.is_linted && !it.permissions.is_empty()) {
        let permissions = &directive.permissions;
        let granted = permissions.iter().filter_map(|it| project.granted(&it.capability));
        // Tools granted twice count twice here, so that most directives need no palette.
        if granted.map(|granted| granted.characters).sum::<usize>() <= room {
            continue;
        }
        let set: Vec<&str> = permissions.iter().map(|it| it.capability.as_str()).collect();
        if !known.contains_key(&set) && known.len() >= MOST_PALETTES {
            continue;
        }
        let left_out = known.entry(set).or_insert_with(|| left_out(permissions, project, rules));
        report(permissions, left_out, found, wanted);
    }
}

fn left_out(permissions: &[Permission], project: &Project<'_>, rules: ToolRules) -> OverBudgetTools {
    let by = |capability: &str| Declared { by: capability.to_string(), span: None };
    let grants = permissions.iter().map(|it| Grant { capability: it.capability.clone(), by: by(&it.capability) });
    let grants: Vec<Grant> = grants.collect();
    let preload = project.configuration.as_ref().and_then(|it| it.tool_preload.as_ref());
    let request = PaletteRequest { grants: &grants, declared: true, outputs: None, preload };
    let Ok(palette) = palette::build(&request, project.tiers, rules) else { return Vec::new() };
    let over = palette.decisions.into_iter().filter(|decision| decision.outcome == DecisionOutcome::OverBudget);
    over.filter_map(|decision| Some((decision.by?.by, decision.name, decision.why))).collect()
}

fn report(
    permissions: &[Permission],
    left_out: &OverBudgetTools,
    found: &mut Findings<'_>,
    wanted: fn(&CapabilityPattern) -> bool,
) {
    for permission in permissions {
        let reach = Reach::of(&permission.capability, true);
        if !reach.is_some_and(|reach| wanted(&reach.pattern)) {
            continue;
        }
        let own: Vec<_> = left_out.iter().filter(|(capability, ..)| *capability == permission.capability).collect();
        if own.is_empty() {
            continue;
        }
        let named = name_first(own.iter().map(|(_, id, why)| format!("`{id}` ({why})")));
        let what = if own.len() == 1 { "a granted tool does" } else { "granted tools do" };
        found.at(&permission.span, format!("{what} not fit the budget: {named}"));
    }
}
