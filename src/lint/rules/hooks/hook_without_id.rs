use crate::item::{Hook, HookOrigin};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};

use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR323",
    name: "hook_without_id",
    group: Group::Hooks,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a hook of a project that has no id",
    help: "give it an `id`",
    rationale: "\
A directive leaves a layer out by naming it in `<suppress>`, and output calls a hook by its id. A hook of \
`hooks.yaml` without one is called `?`, and no directive can suppress it by id (Directives, \"Configuration and hooks\").",
    bad: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - event: thread_started
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
title: Rules of deploying
version: 1.0.0
entry_type: reference
category: deploy
```

Never deploy on a Friday.
"#,
    ),
    good: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
title: Rules of deploying
version: 1.0.0
entry_type: reference
category: deploy
```

Never deploy on a Friday.
"#,
    ),
    fix: FixKind::None,
    check: Check::Hook(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - event: build_system_prompt
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
title: Rules of deploying
version: 1.0.0
entry_type: reference
category: deploy
```

Never deploy on a Friday.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook event="thread_started">
        <action primary="fetch" item_type="knowledge" item_id="deploy/rules"/>
      </hook>
    </hooks>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
title: Rules of deploying
version: 1.0.0
entry_type: reference
category: deploy
```

Never deploy on a Friday.
"#,
    ),
};

fn check(hook: &Hook, _: Option<&File>, _: &Project<'_>, found: &mut Findings<'_>) {
    if let (HookOrigin::Project, None, Some(at)) = (hook.origin, &hook.id, &hook.span) {
        found.at(at, "this hook has no id, so that no directive can suppress it by one");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::said;

    #[test]
    fn hooks_of_the_project_alone_are_told() {
        let entry = |id: &str| {
            format!("  - {id}event: thread_started\n    action: {{primary: fetch, item_type: knowledge, item_id: r}}\n")
        };
        let list = format!("hooks:\n{}{}{}", entry("id: one\n    "), entry("id:\n    "), entry(""));
        let files = format!(
            "=== .ai/config/agent/hooks.yaml\n{list}=== user:.ai/config/agent/hooks.yaml\n{list}\
             === .ai/knowledge/r.md\n```yaml\nname: r\n```\n\nR.\n"
        );
        let message = "this hook has no id, so that no directive can suppress it by one";
        let expected = [5, 8].map(|line| format!(".ai/config/agent/hooks.yaml:{line}: {message}"));
        assert_eq!(said(&RULE, &files, "rye-3"), expected);
    }
}
