use std::collections::HashSet;

use crate::fill::assemble::chain_text;
use crate::fill::interpolate::pipes_outside_hook;
use crate::lint::rules::{Findings, ItemKind, Project, has_context};
use crate::text::Traced;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    if !project.protocol.pipes {
        return;
    }
    for (_, directive) in project.linted_directives() {
        for diagnostic in pipes_outside_hook(&Traced::file(&directive.body)) {
            found.diagnosed(&diagnostic, || (&directive.body).into());
        }
    }
    let mut seen = HashSet::new();
    let placed = project.directives().flat_map(|(_, directive)| directive.context.items());
    for id in placed.filter(|_| has_context(project)) {
        let file = project.find(ItemKind::Knowledge, id.as_str()).filter(|file| file.is_linted);
        let Some(item) = file.filter(|file| seen.insert(&file.id)).and_then(|file| file.knowledge()) else { continue };
        for diagnostic in chain_text(id.as_str(), item, project.protocol).iter().flat_map(pipes_outside_hook) {
            found.diagnosed(&diagnostic, || (&id.span).into()).related(&id.span, "it is placed here");
        }
    }
}
