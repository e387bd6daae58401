use crate::lint::rules::{Check, Directive, Findings, LintFile, Project};

use super::prompt;

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if !directive.outputs.is_empty() && directive.outputs.iter().all(|output| prompt::is_empty(&output.name)) {
        prompt::report(directive, project, found, |_| {});
    }
}
