use crate::lint::rules::{Check, Directive, Findings, LintFile, Project, Rule, pages};
use crate::protocol::PromptPart;

use super::prompt;

pub const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR031 };

fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_commented = directive.comments.iter().any(|comment| comment.text().contains("<permissions>"));
    if is_commented && project.protocol.parts.contains(&PromptPart::Permissions) {
        prompt::report(directive, project, found, |_| {});
    }
}
