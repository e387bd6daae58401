use crate::fill::interpolate::unknown_pipes;
use crate::lint::placeholders::of_hook;
use crate::lint::rules::{Findings, Hook, LintFile, Project};

pub fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !project.protocol.pipes || !hook.shapes_messages() {
        return;
    }
    for (action, text) in project.hook_texts(hook).into_iter().map(|it| (it.action, it.text)) {
        let Some(id) = &action.item_id else { continue };
        for placeholder in of_hook(text.text(), project.protocol) {
            for problem in placeholder.pipes.into_iter().flat_map(unknown_pipes) {
                let at = text.slice(placeholder.range.clone()).span().unwrap_or_else(|| id.span.clone());
                found.problem(problem, &at);
            }
        }
    }
}
