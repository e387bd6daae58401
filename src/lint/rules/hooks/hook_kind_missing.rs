use crate::fill::assemble::{kind_help, list_to_override};
use crate::fill::interpolate::hook::has_placeholder;
use crate::lint::rules::{Findings, Hook, ItemKind, LintFile, Location, Problem, Project, whole_project};

pub fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
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

#[cfg(test)]
mod tests {
    use crate::lint::pages::{RR324, RR326};
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
