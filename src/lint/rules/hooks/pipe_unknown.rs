use crate::fill::interpolate::unknown_pipes;
use crate::lint::placeholders::of_hook;
use crate::lint::rules::{Findings, Hook, LintFile, Problem, Project};

pub fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !project.protocol.pipes || !hook.shapes_messages() {
        return;
    }
    for (action, text) in project.hook_texts(hook).into_iter().map(|it| (it.action, it.text)) {
        let Some(id) = &action.item_id else { continue };
        for placeholder in of_hook(text.text(), project.protocol) {
            let written = &text.text()[placeholder.range];
            for pipe in unknown_pipes(written.trim_start_matches("${").trim_end_matches('}')) {
                found.problem(Problem::PipeUnknown { pipe: pipe.to_string() }, &id.span);
            }
        }
    }
}
