//! Problems that only appear when the prompt of a directive is rendered.

use crate::fill::directive_prompt::own_prompt;
use crate::lint::rules::{Directive, Finding, Findings, ItemField, Project};
use crate::text::Traced;

/// Whether a field is missing or empty.
pub(super) fn is_empty(field: &Option<ItemField>) -> bool {
    field.as_ref().is_none_or(|field| field.text.is_empty())
}

/// Renders the prompt and reports the problem that the rule is about. Slow, so callers run a cheap check first.
pub(super) fn report(
    directive: &Directive,
    project: &Project<'_>,
    found: &mut Findings<'_>,
    fix: impl Fn(&mut Finding),
) {
    let (content, body) = (Traced::file(&directive.content), Traced::file(&directive.body));
    // A failing template is not a fault of the directive.
    let Ok((_, diagnostics)) = own_prompt(directive, content, body, project.protocol, None) else { return };
    for diagnostic in diagnostics {
        if found.is_about(&diagnostic.problem) {
            fix(found.diagnosed(&diagnostic, || (&directive.content).into()));
        }
    }
}
