use std::collections::HashSet;

use crate::lint::rules::{Diagnostic, Findings, ItemKind, Problem, Project};
use crate::read::item::Permission;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let mut reported = HashSet::new();
    for (_, directive) in project.linted_directives().filter(|(_, it)| !it.permissions.is_empty()) {
        for permission in &directive.permissions {
            let Some(granted) = project.granted(&permission.capability) else { return };
            for diagnostic in &granted.diagnostics {
                if let Problem::PrimaryMissing { id } = &diagnostic.problem
                    && reported.insert(id.clone())
                {
                    report(id, diagnostic, permission, project, found);
                }
            }
        }
    }
}

/// Reported once: at the tool if it is in the project, or else at the first grant.
fn report(id: &str, diagnostic: &Diagnostic, by: &Permission, project: &Project<'_>, found: &mut Findings<'_>) {
    match project.find(ItemKind::Tool, id) {
        // A system that resolves its imports may run it.
        Some(file) if file.source.as_ref().is_some_and(|source| source.text().contains("CONFIG_SCHEMA")) => {}
        Some(file) if project.is_of_project(file) => {
            found.diagnosed(diagnostic, || project.location(file)).related(&by.span, "granted here");
        }
        _ => {
            found.diagnosed(diagnostic, || (&by.span).into());
        }
    }
}
