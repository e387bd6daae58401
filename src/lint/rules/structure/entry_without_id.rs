use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR043",
    name: "entry_without_id",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an entry without an id that is lost when the tiers are merged",
    help: "give it an id",
    rationale: "\
Lists of the configuration are merged by `id` as soon as the lower tier has ids. An entry of the higher tier without \
one can then replace nothing and is not appended either: it is dropped (Directives, \"Configuration and hooks\").",
    bad: Example(
        r#"=== .ai/config/agent/hook_conditions.yaml
context_hooks:
  - event: thread_started
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    good: Example(
        r#"=== .ai/config/agent/hook_conditions.yaml
context_hooks:
  - id: house_rules
    event: thread_started
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    fix: FixKind::None,
    check: Check::Diagnosed,
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/agent/hook_conditions.yaml
context_hooks:
  - event: build_system_prompt
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/config/agent/hook_conditions.yaml
infra_hooks:
  - event: thread_started
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
};
