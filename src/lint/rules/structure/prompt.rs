//! What shows only in the directive's own prompt.

use crate::diagnostic::{Diagnostic, Problem};
use crate::directive_prompt::own_prompt;
use crate::item::{Directive, ItemField};
use crate::lint::rules::{Finding, Findings, Project};
use crate::text::Traced;

/// Whether nothing is declared, or nothing but the empty text.
pub(super) fn is_empty(field: &Option<ItemField>) -> bool {
    field.as_ref().is_none_or(|field| field.text.is_empty())
}

/// Reports what making the prompt says, as far as it is wanted. Dear: something cheap should have been asked before.
pub(super) fn report(
    directive: &Directive,
    project: &Project<'_>,
    found: &mut Findings<'_>,
    is_wanted: fn(&Problem) -> bool,
    put_right: impl Fn(&mut Finding),
) {
    let (content, body) = (Traced::file(&directive.content), Traced::file(&directive.body));
    // A template of the protocol that fails is no fault of the directive.
    let Ok((_, diagnostics)) = own_prompt(directive, content, body, project.protocol) else { return };
    for diagnostic in diagnostics.iter().filter(|it: &&Diagnostic| is_wanted(&it.problem)) {
        put_right(found.diagnosed(diagnostic, || (&directive.content).into()));
    }
}
