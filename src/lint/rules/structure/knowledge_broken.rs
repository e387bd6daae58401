use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::fill::assemble;
use crate::lint::project::{FileContent, FileKind};
use crate::lint::rules::{Check, Findings, ItemKind, LintFile, Project};

use super::uses;

pub const CHECK: Check = Check::Project(check);

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
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
        let finding = found.problem(problem, &item_use.id.span);
        if let Some(at @ Location::Span(_)) = &fault.at {
            finding.related(at.clone(), "the error is here");
        }
    }
}

/// The error in the metadata of an item.
fn fault(file: &LintFile) -> Option<&Diagnostic> {
    let is_item = file.kind == FileKind::Item(ItemKind::Knowledge) && matches!(file.content, FileContent::Nothing);
    let mut diagnostics = file.diagnostics.iter().filter(|_| is_item && file.source.is_some());
    diagnostics.find(|it| it.severity() == Severity::Error && !it.problem.is_limit())
}
