use crate::fill::assemble::hook_kind;
use crate::fill::interpolate::hook::has_placeholder;
use crate::lint::rules::{Findings, Hook, ItemKind, LintFile, Problem, Project};

pub fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() {
        return;
    }
    for action in hook.actions.iter().filter(|action| action.missing_part().is_none()) {
        let (Some(kind), Some(id), Some(at)) = (action.meant_kind(), &action.item_id, &action.span) else { continue };
        let is_there = !has_placeholder(id.as_str()) && project.find(ItemKind::Tool, id.as_str()).is_some();
        let problem = Problem::HookKindMissing {
            hook: hook.name().to_string(),
            id: id.as_str().to_string(),
            executes: is_there.then(|| action.executes()),
            help: hook_kind::help(hook, kind),
        };
        found.problem(problem, at);
    }
}
