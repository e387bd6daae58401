use crate::lint::rules::{Check, Findings, Problem, Project, has_context};

pub const CHECK: Check = Check::Project(check);

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let is_declared = project.configuration.as_ref().is_none_or(|it| it.limit_defaults.is_some());
    if is_declared || !has_context(project) {
        return;
    }
    let mut limits = project.linted().filter_map(|file| file.directive()?.limits.first());
    if let Some(limit) = limits.next() {
        found.problem(Problem::LimitsUnchecked, &limit.span);
    }
}
