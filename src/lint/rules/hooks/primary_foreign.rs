use crate::lint::rules::{Check, Findings, Hook, LintFile, Problem, Project};

pub const CHECK: Check = Check::Hook(check);

fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() {
        return;
    }
    for action in hook.actions.iter().filter(|action| action.missing_part().is_none()) {
        let (Some(primary), Some(at)) = (action.primary(), &action.span) else { continue };
        if action.unknown_primary().is_none() && !project.protocol.permission_words.iter().any(|word| word == primary) {
            let (hook, primary, protocol) =
                (hook.name().to_string(), primary.to_string(), project.protocol.name.clone());
            found.problem(Problem::PrimaryForeign { hook, primary, protocol }, at);
        }
    }
}
