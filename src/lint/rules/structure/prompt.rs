//! Problems that only appear when the prompt of a directive is rendered. Rendering is slow, so each rule first rules
//! out most directives.

use crate::fill::directive_prompt::own_prompt;
use crate::lint::rules::{Directive, Finding, Findings, ItemField, Project};
use crate::read::protocol::{PromptPart, Protocol};
use crate::text::Traced;

pub(super) fn is_empty(field: &Option<ItemField>) -> bool {
    field.as_ref().is_none_or(|field| field.text.is_empty())
}

pub fn empty_prompt(directive: &Directive, _: &Protocol) -> bool {
    is_empty(&directive.name) && is_empty(&directive.description) && directive.body.range().is_empty()
}

pub fn closing_tag_unbalanced(directive: &Directive, _: &Protocol) -> bool {
    is_empty(&directive.name) && !directive.outputs.is_empty()
}

pub fn outputs_unnamed(directive: &Directive, _: &Protocol) -> bool {
    !directive.outputs.is_empty() && directive.outputs.iter().all(|output| is_empty(&output.name))
}

pub fn permissions_from_comment(directive: &Directive, protocol: &Protocol) -> bool {
    protocol.parts.contains(&PromptPart::Permissions)
        && directive.comments.iter().any(|comment| comment.text().contains("<permissions>"))
}

/// Renders the prompt and reports the problem that the rule is about.
pub fn report(directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>, fix: impl Fn(&mut Finding)) {
    let (content, body) = (Traced::file(&directive.content), Traced::file(&directive.body));
    // A failing template is not a fault of the directive.
    let Ok((_, diagnostics)) = own_prompt(directive, content, body, project.protocol, None) else { return };
    for diagnostic in diagnostics {
        if found.is_about(&diagnostic.problem) {
            fix(found.diagnosed(&diagnostic, || (&directive.content).into()));
        }
    }
}
