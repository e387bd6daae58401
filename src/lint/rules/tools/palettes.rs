//! Palettes with colliding or overlong tool names.

use std::collections::BTreeMap;

use strum::VariantArray;

use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::item::Permission;
use crate::lint::project::FileKind;
use crate::lint::rules::{LintFile, Project};
use crate::palette::capability::{Primary, Reach};
use crate::palette::{self, PaletteRequest, api_name, search};
use crate::prompt::{Declared, Grant};
use crate::store::{ItemKind, TierKind};

/// The most palettes built per group of tools.
const MOST_PALETTES: usize = 20;

/// Groups the tool ids of all tiers by API name, and keeps the `wanted` groups; empty if no tool is granted.
pub(super) fn tools_in_question(project: &Project<'_>, wanted: impl Fn(&[String]) -> bool) -> Vec<Vec<String>> {
    if project.protocol.tools.is_none() || project.directives().all(|(_, directive)| directive.permissions.is_empty()) {
        return Vec::new();
    }
    let own = project.files.iter().filter(|file| file.kind == FileKind::Item(ItemKind::Tool));
    let own = own.map(|file| file.id.clone());
    let tiers = project.tiers.list().iter().enumerate().filter(|(_, tier)| tier.kind != TierKind::Project);
    let others = tiers.flat_map(|(tier, _)| search::readable(project.tiers, tier, ItemKind::Tool).0);
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for id in own.chain(others.map(|hit| hit.id)) {
        let ids = by_name.entry(api_name(&id)).or_default();
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    by_name.into_values().filter(|ids| wanted(ids)).collect()
}

/// The first palette, in order of directives, with a problem of at least `least` of the tools: the problem, and the
/// permission that grants one of them.
pub(super) fn first_problem(
    project: &Project<'_>,
    ids: &[String],
    least: usize,
    is_wanted: &dyn Fn(&Problem) -> bool,
) -> Option<(Diagnostic, Location)> {
    let reaches = |permissions: &[Permission]| -> Vec<Reach> {
        permissions.iter().filter_map(|it| Reach::of(&it.capability, true)).collect()
    };
    let covers = |reach: &Reach, id: &str| reach.covers(Primary::Execute, ItemKind::Tool, id);
    // Any grant may add primaries; the palette decides which.
    let is_primary = |id: &str| Primary::VARIANTS.iter().any(|primary| primary.tool_id() == id);
    let granting = project.directives().filter(|(_, directive)| {
        !directive.permissions.is_empty() && {
            let reaches = reaches(&directive.permissions);
            let may_hold = |id: &&String| is_primary(id) || reaches.iter().any(|reach| covers(reach, id));
            ids.iter().filter(may_hold).count() >= least
        }
    });
    granting.take(MOST_PALETTES).find_map(|(_, directive)| {
        let diagnostic = problems(project, &directive.permissions)?.into_iter().find(|it| is_wanted(&it.problem))?;
        let of_one = |it: &&Permission| {
            Reach::of(&it.capability, true).is_some_and(|reach| ids.iter().any(|id| covers(&reach, id)))
        };
        let by = directive.permissions.iter().find(of_one)?;
        Some((Diagnostic::new(diagnostic.problem), Location::from(&by.span)))
    })
}

fn problems(project: &Project<'_>, permissions: &[Permission]) -> Option<Vec<Diagnostic>> {
    let by = |it: &Permission| Declared { by: String::new(), span: Some(it.span.clone()) };
    let grants: Vec<Grant> =
        permissions.iter().map(|it| Grant { capability: it.capability.clone(), by: by(it) }).collect();
    let preload = project.configuration.as_ref().and_then(|it| it.tool_preload.as_ref());
    let request = PaletteRequest { grants: &grants, declared: true, outputs: None, preload };
    Some(palette::build(&request, project.tiers, project.protocol.tools?).ok()?.diagnostics)
}

/// The last of the tools that the project defines.
pub(super) fn own_tool(project: &Project<'_>, ids: &[String]) -> Option<Location> {
    let is_one = |file: &&LintFile| file.kind == FileKind::Item(ItemKind::Tool) && ids.contains(&file.id);
    let file = project.files.iter().rfind(|file| is_one(file) && project.is_of_project(file))?;
    Some(project.location(file))
}
