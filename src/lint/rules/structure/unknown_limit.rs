use crate::fill::assemble;
use crate::lint::rules::{Check, Directive, Findings, LintFile, Project, has_context};

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(configuration) = project.configuration.as_ref().filter(|_| has_context(project)) else {
        return;
    };
    for limit in &directive.limits {
        if let Some(problem) = assemble::unknown_limit(configuration.limit_defaults.as_ref(), &limit.name) {
            found.problem(problem, &limit.span);
        }
    }
}
