use crate::lint::rules::{Check, Findings, Hook, LintFile, Problem, Project};

use super::place_of;

pub const CHECK: Check = Check::Hook(check);

fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() {
        return;
    }
    let name = || hook.name().to_string();
    if hook.actions.is_empty()
        && let Some(at) = place_of(hook, "id")
    {
        found.at(at, format!("hook {} has no action, so it adds nothing", name()));
    }
    for action in &hook.actions {
        if let (Some(reason), Some(at)) = (action.missing_part().or_else(|| action.unknown_primary()), &action.span) {
            found.problem(Problem::ActionIncomplete { hook: name(), reason }, at);
        } else if let (Some(kind), Some(at)) = (action.unknown_kind(), &action.span) {
            found.at(
                at,
                format!("hook {} asks for the kind `{kind}`, which does not exist, so no thread starts", name()),
            );
        }
    }
}
