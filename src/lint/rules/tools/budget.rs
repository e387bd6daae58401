//! Granted tools that the budget leaves out of palettes.

use std::collections::HashMap;

use crate::fill::palette;
use crate::fill::palette::capability::{CapabilityPattern, Reach};
use crate::lint::rules::{Findings, Project, name_first, whole_project};
use crate::prompt::DecisionOutcome;
use crate::read::item::Permission;
use crate::read::yaml::YamlNode;

/// The maximum number of distinct sets of grants whose palettes are built to find the tools left out.
const MOST_PALETTES: usize = 1_000;

/// The tools over the budget: the capability that grants each, its id, and the reason.
type OverBudgetTools = Vec<(String, String, String)>;

pub fn tool_over_budget(project: &Project<'_>, found: &mut Findings<'_>) {
    left_out_of_palettes(project, found, |pattern| matches!(pattern, CapabilityPattern::Exact(_)));
}

pub fn pattern_over_budget(project: &Project<'_>, found: &mut Findings<'_>) {
    left_out_of_palettes(project, found, |pattern| matches!(pattern, CapabilityPattern::Below(_)));
}

pub fn tool_budget_invalid(project: &Project<'_>, found: &mut Findings<'_>) {
    let preload = project.configuration.as_ref().and_then(|configuration| configuration.tool_preload.as_ref());
    for diagnostic in preload.into_iter().flat_map(palette::budget_problems) {
        found.diagnosed(&diagnostic, whole_project);
    }
}

/// Reports the tools of the `wanted` capabilities that are left out.
fn left_out_of_palettes(project: &Project<'_>, found: &mut Findings<'_>, wanted: fn(&CapabilityPattern) -> bool) {
    let Some(configuration) = project.configuration.as_ref().filter(|_| project.protocol.tools.is_some()) else {
        return;
    };
    let preload = configuration.tool_preload.as_ref();
    let Some(room) = palette::budget_characters(preload) else { return };
    let mut known: HashMap<Vec<&str>, OverBudgetTools> = HashMap::new();
    for (_, directive) in project.linted_directives().filter(|(_, it)| !it.permissions.is_empty()) {
        let permissions = &directive.permissions;
        let granted = permissions.iter().filter_map(|it| project.granted(&it.capability));
        // An upper bound, because a tool granted twice counts twice. Most directives stay below it and need no palette.
        if granted.map(|granted| granted.characters).sum::<usize>() <= room {
            continue;
        }
        let set: Vec<&str> = permissions.iter().map(|it| it.capability.as_str()).collect();
        if !known.contains_key(&set) && known.len() >= MOST_PALETTES {
            continue;
        }
        let left_out = known.entry(set).or_insert_with_key(|set| left_out(set, preload, project));
        let is_wanted = |it: &&Permission| Reach::of(&it.capability, true).is_some_and(|reach| wanted(&reach.pattern));
        for permission in permissions.iter().filter(is_wanted) {
            let own: Vec<_> = left_out.iter().filter(|(capability, ..)| *capability == permission.capability).collect();
            let what = match own.len() {
                0 => continue,
                1 => "a granted tool does",
                _ => "granted tools do",
            };
            let named = name_first(own.iter().map(|(_, id, why)| format!("`{id}` ({why})")));
            found.at(&permission.span, format!("{what} not fit the budget: {named}"));
        }
    }
}

fn left_out(capabilities: &[&str], preload: Option<&YamlNode>, project: &Project<'_>) -> OverBudgetTools {
    let palette = project.palette(capabilities.iter().copied(), preload).unwrap_or_default();
    let over = palette.decisions.into_iter().filter(|decision| decision.outcome == DecisionOutcome::OverBudget);
    over.filter_map(|decision| Some((decision.by?.by, decision.name, decision.why))).collect()
}
