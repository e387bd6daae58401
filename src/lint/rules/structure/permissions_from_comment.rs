use super::prompt;
use crate::diagnostic::Problem;
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{LintFile, Project};
use crate::lint::rule::{Check, Rule};
use crate::lint::rules::pages;
use crate::protocol::PromptPart;

pub(super) const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR031 };

fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_commented = directive.comments.iter().any(|comment| comment.text().contains("<permissions>"));
    if is_commented && project.protocol.parts.contains(&PromptPart::Permissions) {
        prompt::report(directive, project, found, |problem| matches!(problem, Problem::PermissionsFromComment), |_| {});
    }
}
