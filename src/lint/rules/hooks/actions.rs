use crate::lint::rules::{Findings, Hook, ItemKind, LintFile, Problem, Project, Span};
use crate::read::item::HookAction;
use crate::read::protocol::HookItems;

use super::place_of;

fn actions(hook: &Hook) -> impl Iterator<Item = (&HookAction, &Span)> {
    let all = hook.actions.iter().filter(|_| hook.shapes_messages());
    all.filter_map(|action| Some((action, action.span.as_ref()?)))
}

pub fn action_incomplete(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    if hook.shapes_messages()
        && hook.actions.is_empty()
        && let Some(at) = place_of(hook, "id")
    {
        found.at(at, format!("hook {} has no action, so it adds nothing", hook.name()));
    }
    for (action, at) in actions(hook) {
        if let Some(reason) = action.missing_part().or_else(|| action.unknown_primary()) {
            found.problem(action.incomplete(hook.name(), reason), at);
        } else if let Some(kind) = action.unknown_kind() {
            let name = hook.name();
            found.at(at, format!("hook {name} asks for the kind `{kind}`, which does not exist, so no thread starts"));
        }
    }
}

pub fn action_not_run(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    for (action, at) in actions(hook).filter(|(action, _)| action.executes()) {
        let Some((kind, id)) = action.item().filter(|_| action.missing_part().is_none()) else { continue };
        let runs = match action.names_item {
            HookItems::ItemType => kind != ItemKind::Knowledge,
            // A directive runs inside the thread and adds no text.
            HookItems::Kind => {
                kind == ItemKind::Tool && action.meant_kind(true).is_none() && project.find(kind, id.as_str()).is_some()
            }
        };
        if runs {
            let what = format!("{} {}", kind.into_str(), id.as_str());
            found.problem(Problem::ActionNotRun { hook: hook.name().to_string(), what }, at);
        }
    }
}

pub fn primary_foreign(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    for (action, at) in actions(hook).filter(|(action, _)| action.missing_part().is_none()) {
        let Some(primary) = action.primary().filter(|_| action.unknown_primary().is_none()) else { continue };
        if !project.protocol.permission_words.iter().any(|word| word == primary) {
            let [hook, primary] = [hook.name(), primary].map(str::to_string);
            let protocol = project.protocol.name.clone();
            found.problem(Problem::PrimaryForeign { hook, primary, protocol }, at);
        }
    }
}
