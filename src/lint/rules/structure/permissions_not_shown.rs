use crate::lint::rules::{Directive, Edit, Finding, Findings, LintFile, Project, Span};
use crate::read::protocol::PromptPart;

use super::prompt;

pub fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let text = directive.content.text();
    if directive.permissions.is_empty()
        || text.contains("<permissions>")
        || !project.protocol.parts.contains(&PromptPart::Permissions)
    {
        return;
    }
    prompt::report(directive, project, found, |finding| fix(directive, finding));
}

/// The attributes are never read, so they can be removed.
fn fix(directive: &Directive, finding: &mut Finding) {
    let text = directive.content.text();
    let mut tags = text.match_indices("<permissions").map(|(at, _)| at);
    let (Some(start), None) = (tags.next(), tags.next()) else { return };
    let Some(end) = text[start..].find('>').map(|at| start + at + 1) else { return };
    let tag: Span = directive.content.slice(start..end);
    let is_hidden = directive.comments.iter().any(|comment| comment.range().contains(&tag.range().start));
    // A `>` in a quoted value would end the tag too early.
    let quotes = tag.text().matches(['"', '\'']).count();
    if !is_hidden && quotes.is_multiple_of(2) && !tag.text().ends_with("/>") {
        finding.at = (&tag).into();
        finding.fix("remove the attributes", [Edit::replace(&tag, "<permissions>")]);
    }
}
