use crate::decide::ChainEnd;
use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::lint::rules::{Composed, Findings, Project};

use super::chain::Broken;

pub fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let ChainEnd::Unusable(parent) = composed.end() else { return };
    let file = project.indexed_file(parent);
    let Some(broken) = Broken::behind(1, composed, project) else { return };
    let error = file.diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
    let reason = error.map_or_else(|| "it cannot be parsed".to_string(), Diagnostic::message);
    let problem = Problem::ParentUnusable { id: file.id.clone(), reason };
    let finding = found.problem(problem, broken.at());
    let place = error.and_then(|error| error.at.clone()).unwrap_or_else(|| project.location(file));
    finding.related(place, "the error is here");
}
