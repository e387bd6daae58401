//! The actions of hooks, and the texts that they insert.

use crate::fill::assemble::{kind_help, list_to_override};
use crate::fill::interpolate::hook::has_placeholder;
use crate::fill::interpolate::{unknown_pipes, would_print_null};
use crate::lint::placeholders::{HookPlaceholder, of_hook};
use crate::lint::project::HookText;
use crate::lint::rules::{
    Directive, Findings, Hook, ItemKind, LintFile, Location, Problem, Project, Span, applies_to, whole_project,
};
use crate::read::item::{HookAction, HookOrigin};
use crate::read::protocol::HookItems;
use crate::read::store::last_segment;
use crate::text::python;

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

pub fn hook_kind_missing(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() {
        return;
    }
    // A hook of the system tier loses its text in the prompts of the project, which can replace it.
    let is_replaceable = list_to_override(hook).is_some() && project.linted_directives().next().is_some();
    for action in hook.actions.iter().filter(|action| action.adds_text()) {
        let (Some(id), Some(at)) = (&action.item_id, &action.span) else { continue };
        let is_there = !has_placeholder(id.as_str()) && project.find(ItemKind::Tool, id.as_str()).is_some();
        let Some(kind) = action.meant_kind(is_there) else { continue };
        let at = if is_replaceable { whole_project() } else { Location::from(at) };
        let problem = Problem::HookKindMissing {
            hook: hook.name().to_string(),
            id: id.as_str().to_string(),
            executes: is_there.then(|| action.executes()),
            help: kind_help(hook, kind),
        };
        found.problem(problem, at);
    }
}

pub fn tag_with_placeholder(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if project.protocol.hook_items != HookItems::Kind || !hook.shapes_messages() || !hook.wraps() {
        return;
    }
    for action in hook.actions.iter().filter(|action| action.adds_text() && action.meant_kind(true).is_none()) {
        let Some(id) = &action.item_id else { continue };
        let tag = last_segment(id.as_str());
        if has_placeholder(tag) {
            let problem = Problem::TagWithPlaceholder { hook: hook.name().to_string(), tag: tag.to_string() };
            found.problem(problem, &id.span);
        }
    }
}

/// Calls a function with each placeholder with pipes in the texts of a hook, as written, and with its place.
fn with_pipes(hook: &Hook, project: &Project<'_>, mut each: impl FnMut(&HookPlaceholder<'_>, &str, &Span)) {
    if !project.protocol.pipes || !hook.shapes_messages() {
        return;
    }
    for HookText { id, text, .. } in project.hook_texts(hook) {
        for it in of_hook(text.text(), project.protocol).filter(|it| it.pipes.is_some()) {
            let at = text.slice(it.range.clone()).span().unwrap_or_else(|| id.span.clone());
            each(&it, &text.text()[it.range.clone()], &at);
        }
    }
}

pub fn pipe_unknown(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    with_pipes(hook, project, |it, _, at| {
        for problem in it.pipes.into_iter().flat_map(unknown_pipes) {
            found.problem(problem, at);
        }
    });
}

pub fn pipe_null(hook: &Hook, file: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    with_pipes(hook, project, |it, written, at| {
        // An alternative that is not an input usually has a value.
        let inputs = || it.paths.iter().map(|path| input(path)).collect::<Option<Vec<_>>>();
        let may_lack_all = |inputs: Vec<&str>| {
            applies_to(hook, file, project, |directive| !inputs.iter().any(|name| always_has(directive, name)))
        };
        if it.pipes.is_some_and(would_print_null) && inputs().is_some_and(may_lack_all) {
            found.at(at, format!("`{written}` prints nothing without the input: null goes through no pipe"));
        }
    });
}

/// The input that a path begins with.
fn input(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("inputs.")?;
    Some(&rest[..python::word(rest)])
}

/// Whether a directive never runs without an input. Hooks do not see defaults.
fn always_has(directive: &Directive, name: &str) -> bool {
    let mut declared = directive.inputs.iter().filter(|input| input.name.as_str() == name);
    declared.any(|input| input.required && input.default.is_none())
}

pub fn position_unknown(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(position) = hook.position.as_deref().filter(|word| !matches!(*word, "before" | "after")) else { return };
    if let Some(at) = place_of(hook, "position") {
        let (hook, position) = (hook.name().to_string(), position.to_string());
        found.problem(Problem::PositionUnknown { hook, position }, &at);
    }
}

pub fn hook_without_id(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    if let (HookOrigin::Project, None, Some(at)) = (hook.origin, &hook.id, &hook.span) {
        found.at(at, "this hook has no id, so directives cannot suppress it by id");
    }
}

#[cfg(test)]
mod hook_kind_missing_tests {
    use crate::lint::rule::{RR324, RR326};
    use crate::lint::testing::messages_of;

    #[test]
    fn a_placeholder_may_name_any_tool() {
        let files = "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: h\n    event: thread_started\n    \
                     action: {primary: execute, item_type: knowledge, item_id: '${model}'}\n";
        let expected =
            ".ai/config/agent/hooks.yaml:4: hook h asks for the tool `${model}`, because its action has no `kind`";
        assert_eq!(messages_of(&RR324, files, "rye-4"), [expected]);
        assert_eq!(messages_of(&RR326, files, "rye-4"), [""; 0]);
    }
}

#[cfg(test)]
mod hook_without_id_tests {
    use crate::lint::rule::RR323 as RULE;
    use crate::lint::testing::messages_of;

    #[test]
    fn only_hooks_of_the_project_are_reported() {
        let entry = |id: &str| {
            format!("  - {id}event: thread_started\n    action: {{primary: fetch, item_type: knowledge, item_id: r}}\n")
        };
        let list = format!("hooks:\n{}{}{}", entry("id: one\n    "), entry("id:\n    "), entry(""));
        let files = format!(
            "=== .ai/config/agent/hooks.yaml\n{list}=== user:.ai/config/agent/hooks.yaml\n{list}\
             === .ai/knowledge/r.md\n```yaml\nname: r\n```\n\nR.\n"
        );
        let message = "this hook has no id, so directives cannot suppress it by id";
        let expected = [5, 8].map(|line| format!(".ai/config/agent/hooks.yaml:{line}: {message}"));
        assert_eq!(messages_of(&RULE, &files, "rye-3"), expected);
    }
}
