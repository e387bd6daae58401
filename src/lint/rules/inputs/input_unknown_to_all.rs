use std::collections::HashSet;

use crate::decide::condition::Truth;
use crate::lint::rules::{Findings, LintFile, Project, has_context};
use crate::read::item::{Hook, HookOrigin};
use crate::text::nearest::nearest;

use super::uses;

pub fn check(hook: &Hook, _file: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_routed = hook.routes() && project.protocol.routing.is_some();
    let is_run = is_routed || hook.shapes_messages() && has_context(project);
    let Some(at) = hook.condition.span.as_ref().filter(|_| is_run) else { return };
    // A hook of a directive only applies to that directive, and one of another tier does not belong to the project.
    if hook.origin == HookOrigin::Directive || !project.is_project_tier(at.source().tier()) {
        return;
    }
    let mut open: HashSet<String> = uses::of_condition(hook).into_iter().filter_map(|it| it.of).collect();
    if open.is_empty() {
        return;
    }
    let (mut declared, mut has_any) = (HashSet::new(), false);
    for (file, directive) in project.directives() {
        let names = || directive.inputs.iter().map(|input| input.name.as_str());
        declared.extend(names());
        // After the first, only a directive that declares an `open` name, or no inputs at all, changes the result.
        if open.is_empty() || has_any && !directive.inputs.is_empty() && !names().any(|name| open.contains(name)) {
            continue;
        }
        if project.composed(file, directive).truth(hook) == Truth::False {
            continue;
        }
        if directive.inputs.is_empty() {
            return;
        }
        has_any = true;
        for name in names() {
            open.remove(name);
        }
    }
    let mut open: Vec<String> = open.into_iter().filter(|_| has_any).collect();
    open.sort_unstable();
    for name in open {
        let message = format!("hook {} applies to no directive that declares the input `{name}`", hook.name());
        let finding = found.at(at, message);
        finding.suggest(nearest(&name, declared.iter().copied()));
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR210 as RULE;
    use crate::lint::testing::messages_of;

    const DIRECTIVE: &str = "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
                             <description>D</description></metadata>\n<inputs><input name=\"x\"/></inputs></directive>\n\
                             ```\n\nGo, {input:x}.\n=== .ai/knowledge/r.md\n```yaml\nname: r\n```\n\nR.\n";

    fn of(file: &str, key: &str, event: &str, condition: &str, protocol: &str) -> Vec<String> {
        let action = match event {
            "resolve_extends" => "{set_extends: a}",
            _ => "{primary: fetch, item_type: knowledge, item_id: r}",
        };
        let hook = format!("{key}:\n  - id: h\n    event: {event}\n    condition: {condition}\n    action: {action}\n");
        messages_of(&RULE, &format!("=== {file}\n{hook}{DIRECTIVE}"), protocol)
    }

    const HOOKS: &str = ".ai/config/agent/hooks.yaml";

    fn at(file: &str, input: &str) -> String {
        format!("{file}:4: hook h applies to no directive that declares the input `{input}`")
    }

    #[test]
    fn hooks_of_the_project_are_reported_wherever_it_declares_them() {
        let y = "{path: inputs.y.z, op: exists}";
        assert_eq!(of(HOOKS, "hooks", "thread_started", y, "rye-3"), [at(HOOKS, "y")]);
        let conditions = ".ai/config/agent/hook_conditions.yaml";
        assert_eq!(of(conditions, "infra_hooks", "thread_started", y, "rye-2"), [at(conditions, "y")]);
        assert_eq!(of(&format!("user:{HOOKS}"), "hooks", "thread_started", y, "rye-3"), [""; 0]);
        assert_eq!(of(HOOKS, "hooks", "thread_started", y, "rye-1"), [""; 0]);
        assert_eq!(of(HOOKS, "hooks", "resolve_extends", y, "rye-3"), [at(HOOKS, "y")]);
        assert_eq!(of(HOOKS, "hooks", "resolve_extends", y, "rye-2"), [""; 0], "it never runs");
        assert_eq!(of(HOOKS, "hooks", "after_complete", y, "rye-3"), [""; 0], "its context is not documented");
    }

    #[test]
    fn every_input_of_a_condition_gets_a_finding() {
        let nested = "{any: [{path: inputs.z}, {not: {all: [{path: inputs.y}, {path: inputs.x}, {path: inputs.y}]}}]}";
        assert_eq!(of(HOOKS, "hooks", "thread_started", nested, "rye-3"), [at(HOOKS, "y"), at(HOOKS, "z")]);
        for fine in [
            "{path: inputs}",
            "{path: ''}",
            "{path: model}",
            "{}",
            "{all: [{path: directive, value: b}, {path: inputs.y}]}",
        ] {
            assert_eq!(of(HOOKS, "hooks", "thread_started", fine, "rye-3"), [""; 0], "{fine}");
        }
    }
}
