use crate::lint::rules::{Check, Directive, Findings, LintFile, Project, Rule, pages};

use super::prompt;

pub const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR034 };

fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if prompt::is_empty(&directive.name) && !directive.outputs.is_empty() {
        prompt::report(directive, project, found, |_| {});
    }
}
