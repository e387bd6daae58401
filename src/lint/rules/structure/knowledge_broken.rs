use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::fill::assemble;
use crate::lint::project::{FileContent, FileKind};
use crate::lint::rules::{Findings, ItemKind, LintFile, Project};

use super::uses;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let broken: HashMap<&str, (&LintFile, &Diagnostic)> = project
        .files
        .iter()
        .filter_map(|file| Some((file.id.as_str(), (file, fault(file)?))))
        .filter(|(_, (file, _))| uses::counts(project, file))
        .collect();
    if broken.is_empty() {
        return;
    }
    for item_use in uses::uses(project).filter(|item_use| item_use.parses(project)) {
        let Some((file, fault)) = broken.get(item_use.id.as_str()) else { continue };
        let problem = Problem::KnowledgeBroken { id: file.id.clone(), reason: assemble::reason_of(fault) };
        // A different rule reports the block itself.
        let place = fault.at.clone().filter(|at| matches!(at, Location::Span(_)));
        found.problem(problem, &item_use.id.span).related_if(place, "the error is here");
    }
}

fn fault(file: &LintFile) -> Option<&Diagnostic> {
    let is_item = file.kind == FileKind::Item(ItemKind::Knowledge) && matches!(file.content, FileContent::Nothing);
    let mut diagnostics = file.diagnostics.iter().filter(|_| is_item && file.source.is_some());
    diagnostics.find(|it| it.severity() == Severity::Error && !it.problem.is_limit())
}
