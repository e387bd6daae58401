//! Palettes in which tools of doubtful names meet.

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

/// For one question at most this many palettes are built.
const MOST_PALETTES: usize = 20;

/// The ids of tools of all tiers by their API names, where `asks` says so; nothing where nobody grants a tool.
pub(super) fn tools_in_question(project: &Project<'_>, asks: impl Fn(&[String]) -> bool) -> Vec<Vec<String>> {
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
    by_name.into_values().filter(|ids| asks(ids)).collect()
}

/// Looks into the palettes of directives.
pub(super) struct PaletteSight<'p> {
    project: &'p Project<'p>,
}

impl<'p> PaletteSight<'p> {
    pub fn new(project: &'p Project<'p>) -> Self {
        Self { project }
    }

    /// The first palette, in order of directives, that has a problem with those tools, of which it must hold at least
    /// `least`: the problem, and the permission that grants one of them.
    pub fn first(
        &self,
        ids: &[String],
        least: usize,
        is_it: &dyn Fn(&Problem) -> bool,
    ) -> Option<(Diagnostic, Location)> {
        let reaches = |permissions: &[Permission]| -> Vec<Reach> {
            permissions.iter().filter_map(|it| Reach::of(&it.capability, true)).collect()
        };
        let covers = |reach: &Reach, id: &str| reach.covers(Primary::Execute, ItemKind::Tool, id);
        // Whatever is granted brings primaries in; which, the palette says.
        let is_primary = |id: &str| Primary::VARIANTS.iter().any(|primary| primary.tool_id() == id);
        let granting = self.project.directives().filter(|(_, directive)| {
            // Most directives grant nothing.
            !directive.permissions.is_empty() && {
                let reaches = reaches(&directive.permissions);
                let may_hold = |id: &&String| is_primary(id) || reaches.iter().any(|reach| covers(reach, id));
                ids.iter().filter(may_hold).count() >= least
            }
        });
        granting.take(MOST_PALETTES).find_map(|(_, directive)| {
            let diagnostic = self.problems(&directive.permissions)?.into_iter().find(|it| is_it(&it.problem))?;
            let of_one = |it: &&Permission| {
                Reach::of(&it.capability, true).is_some_and(|reach| ids.iter().any(|id| covers(&reach, id)))
            };
            let by = directive.permissions.iter().find(of_one)?;
            Some((Diagnostic::new(diagnostic.problem), Location::from(&by.span)))
        })
    }

    fn problems(&self, permissions: &[Permission]) -> Option<Vec<Diagnostic>> {
        let project = self.project;
        let by = |it: &Permission| Declared { by: String::new(), span: Some(it.span.clone()) };
        let grants: Vec<Grant> =
            permissions.iter().map(|it| Grant { capability: it.capability.clone(), by: by(it) }).collect();
        let preload = project.configuration.as_ref().and_then(|it| it.tool_preload.as_ref());
        let request = PaletteRequest { grants: &grants, declared: true, outputs: None, preload };
        Some(palette::build(&request, project.tiers, project.protocol.tools?).ok()?.diagnostics)
    }

    /// The file of the last of those tools that the project has.
    pub fn tool(&self, ids: &[String]) -> Option<Location> {
        let is_one = |file: &&LintFile| file.kind == FileKind::Item(ItemKind::Tool) && ids.contains(&file.id);
        let file = self.project.files.iter().rfind(|file| is_one(file) && self.project.is_of_project(file))?;
        Some(self.project.location(file))
    }
}
