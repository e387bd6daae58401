use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR320",
    name: "invalid_hooks",
    group: Group::Hooks,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "hooks that cannot be read",
    help: "a hook is a map with id, event and action; hooks stand in a list",
    rationale: "\
Hooks stand in a list, each a map, and so does each action. Where they do not, the configuration as a whole is \
refused, and with it every prompt (Directives, \"Configuration and hooks\").",
    bad: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  deploy_rules:
    id: deploy_rules
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
    check: Check::Diagnosed,
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    condition:
      path: directive
      op: contains
      value: deploy
    action: deploy/rules
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
        r#"=== .ai/config/agent/hooks.yaml
hooks:
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy what is ready.
"#,
    ),
};
