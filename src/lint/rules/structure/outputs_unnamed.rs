use crate::lint::rules::{Check, Directive, Findings, LintFile, Project, Rule, pages};

use super::prompt;

pub const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR013 };

fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if !directive.outputs.is_empty() && directive.outputs.iter().all(|output| prompt::is_empty(&output.name)) {
        prompt::report(directive, project, found, |_| {});
    }
}
