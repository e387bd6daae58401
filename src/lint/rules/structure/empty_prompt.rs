use crate::lint::rules::{Check, Directive, Findings, LintFile, Project};

use super::prompt;

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_silent = prompt::is_empty(&directive.name) && prompt::is_empty(&directive.description);
    if is_silent && directive.body.range().is_empty() {
        prompt::report(directive, project, found, |_| {});
    }
}
