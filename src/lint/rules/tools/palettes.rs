//! Palettes with colliding or overlong tool names.

use std::collections::BTreeMap;

use crate::fill::palette::api_name;
use crate::fill::palette::capability::{Primary, Reach};
use crate::lint::project::FileKind;
use crate::lint::rules::{Findings, LintFile, Location, Problem, Project};
use crate::read::item::Permission;
use crate::read::listing;
use crate::read::store::{ItemKind, TierKind};

/// The maximum number of palettes built per group of tools.
const MOST_PALETTES: usize = 20;

/// Groups the tool ids of all tiers by API name, and keeps the `wanted` groups; empty if no tool is granted.
pub(super) fn tools_in_question(project: &Project<'_>, wanted: impl Fn(&[String]) -> bool) -> Vec<Vec<String>> {
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
