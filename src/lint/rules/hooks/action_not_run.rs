use crate::lint::rules::{Check, Findings, Hook, ItemKind, LintFile, Problem, Project};

pub const CHECK: Check = Check::Hook(check);

fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() {
        return;
    }
    let executed = hook.actions.iter().filter(|action| action.executes() && action.meant_kind().is_none());
    for action in executed.filter(|action| action.missing_part().is_none()) {
        let (Some((kind, id)), Some(at)) = (action.item(), &action.span) else { continue };
        if kind != ItemKind::Knowledge {
            let what = format!("{} {}", kind.into_str(), id.as_str());
            found.problem(Problem::ActionNotRun { hook: hook.name().to_string(), what }, at);
        }
    }
}
