//! The tools of prompts: colliding and overlong names, and the budget.

use std::collections::{BTreeMap, HashMap};

use crate::fill::palette::capability::{CapabilityPattern, Primary, Reach};
use crate::fill::palette::{self, api_name};
use crate::lint::project::FileKind;
use crate::lint::rules::{Findings, LintFile, Location, Problem, Project, name_first, whole_project};
use crate::prompt::DecisionOutcome;
use crate::read::item::Permission;
use crate::read::listing;
use crate::read::store::{ItemKind, TierKind};
use crate::read::yaml::YamlNode;

/// The maximum number of palettes built per group of tools.
const MOST_PALETTES: usize = 20;

/// Groups the tool ids of all tiers by API name, and keeps the `wanted` groups; empty if no tool is granted.
fn tools_in_question(project: &Project<'_>, wanted: impl Fn(&[String]) -> bool) -> Vec<Vec<String>> {
    if project.protocol.tools.is_none() || project.directives().all(|(_, directive)| directive.permissions.is_empty()) {
        return Vec::new();
    }
    let own = project.files.iter().filter(|file| file.kind == FileKind::Item(ItemKind::Tool));
    let own = own.map(|file| file.id.clone());
    let tiers = project.tiers.list().iter().enumerate().filter(|(_, tier)| tier.kind != TierKind::Project);
    let others = tiers.flat_map(|(tier, _)| listing::readable_in(project.tiers, tier, ItemKind::Tool));
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for id in own.chain(others.map(|hit| hit.id)) {
        let ids = by_name.entry(api_name(&id)).or_default();
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    by_name.into_values().filter(|ids| wanted(ids)).collect()
}

/// Reports the first palette, in order of directives, that may hold at least `least` of the tools and has the problem:
/// at the tool if it is in the project, or else at the permission that grants one of them.
pub(super) fn report(
    project: &Project<'_>,
    found: &mut Findings<'_>,
    ids: &[String],
    least: usize,
    is_wanted: impl Fn(&Problem) -> bool,
) {
    let reach = |it: &Permission| Reach::of(&it.capability, true);
    let covers = |reach: &Reach, id: &str| reach.covers(Primary::Execute, ItemKind::Tool, id);
    // Any grant may add primaries; the palette decides which.
    let granting = project.directives().map(|(_, directive)| &directive.permissions).filter(|permissions| {
        let reaches: Vec<Reach> = permissions.iter().filter_map(reach).collect();
        let may_hold = |id: &&String| Primary::is_primary(id) || reaches.iter().any(|reach| covers(reach, id));
        !permissions.is_empty() && ids.iter().filter(may_hold).count() >= least
    });
    let preload = project.configuration.as_ref().and_then(|it| it.tool_preload.as_ref());
    let first = granting.take(MOST_PALETTES).find_map(|permissions| {
        let palette = project.palette(permissions.iter().map(|it| it.capability.as_str()), preload)?;
        let problem = palette.diagnostics.into_iter().map(|it| it.problem).find(&is_wanted)?;
        let covers_one = |reach: Reach| ids.iter().any(|id| covers(&reach, id));
        Some((problem, permissions.iter().find(|it| reach(it).is_some_and(covers_one))?))
    });
    if let Some((problem, by)) = first {
        let at = own_tool(project, ids).unwrap_or_else(|| Location::from(&by.span));
        found.problem(problem, at).related(&by.span, "granted here");
    }
}

/// The last of the tools that the project defines.
fn own_tool(project: &Project<'_>, ids: &[String]) -> Option<Location> {
    let is_one = |file: &&LintFile| file.kind == FileKind::Item(ItemKind::Tool) && ids.contains(&file.id);
    let file = project.files.iter().rfind(|file| is_one(file) && project.is_of_project(file))?;
    Some(project.location(file))
}

/// The maximum length of a tool name in the API, in characters.
const LONGEST: usize = 64;

pub fn tool_name_collision(project: &Project<'_>, found: &mut Findings<'_>) {
    for ids in tools_in_question(project, |ids| ids.len() > 1) {
        let is_wanted = |problem: &Problem| match problem {
            Problem::ToolNameCollision { ids: colliding, .. } => colliding.iter().any(|id| ids.contains(id)),
            _ => false,
        };
        report(project, found, &ids, 2, is_wanted);
    }
}

pub fn tool_name_too_long(project: &Project<'_>, found: &mut Findings<'_>) {
    let long = tools_in_question(project, |ids| ids.iter().any(|id| api_name(id).chars().count() > LONGEST));
    for id in long.into_iter().flatten() {
        let name_of_it = api_name(&id);
        let is_wanted = |problem: &Problem| matches!(problem, Problem::ToolNameTooLong { name } if *name == name_of_it);
        report(project, found, &[id], 1, is_wanted);
    }
}

/// The maximum number of distinct sets of grants whose palettes are built to find the tools left out.
const MOST_SETS: usize = 1_000;

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
        if !known.contains_key(&set) && known.len() >= MOST_SETS {
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
