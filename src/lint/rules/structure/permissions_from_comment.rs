use crate::lint::rules::{Check, Directive, Findings, LintFile, Project};
use crate::read::protocol::PromptPart;

use super::prompt;

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_commented = directive.comments.iter().any(|comment| comment.text().contains("<permissions>"));
    if is_commented && project.protocol.parts.contains(&PromptPart::Permissions) {
        prompt::report(directive, project, found, |_| {});
    }
}
