use crate::lint::rules::{Check, Directive, Findings, LintFile, Project};

use super::prompt;

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if prompt::is_empty(&directive.name) && !directive.outputs.is_empty() {
        prompt::report(directive, project, found, |_| {});
    }
}
