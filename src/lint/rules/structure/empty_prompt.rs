use super::prompt;
use crate::diagnostic::Problem;
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{LintFile, Project};
use crate::lint::rule::{Check, Rule};
use crate::lint::rules::pages;

pub(super) const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR035 };

fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_silent = prompt::is_empty(&directive.name) && prompt::is_empty(&directive.description);
    if is_silent && directive.body.range().is_empty() {
        prompt::report(directive, project, found, |problem| matches!(problem, Problem::EmptyPrompt), |_| {});
    }
}
