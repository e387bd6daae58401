use crate::lint::rules::{Findings, LintFile, Project};
use crate::read::item::{Hook, HookOrigin};

pub fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    if let (HookOrigin::Project, None, Some(at)) = (hook.origin, &hook.id, &hook.span) {
        found.at(at, "this hook has no id, so directives cannot suppress it by id");
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR323 as RULE;
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
