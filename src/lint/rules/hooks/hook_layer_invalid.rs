use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR304",
    name: "hook_layer_invalid",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a hook whose layer is no number",
    help: "write a number, or leave the layer out",
    rationale: "\
Hooks are sorted by their layers. A layer that is no number cannot be compared, so the hook takes the layer of \
where it is declared, and its text may stand at another place than its author chose (Directives, \"Reading a \
directive\").",
    bad: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    layer: first
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
        deploying!(),
        rules_of_deploying!(),
    )),
    good: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    layer: 1
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
        deploying!(),
        rules_of_deploying!(),
    )),
    fix: FixKind::None,
    check: Check::Diagnosed,
    #[cfg(test)]
    composed: Example(concat!(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook id="deploy_rules" event="thread_started" layer="last">
        <action primary="fetch" item_type="knowledge" item_id="deploy/rules"/>
      </hook>
    </hooks>
  </metadata>
</directive>
```

Deploy what is ready.
"#,
        rules_of_deploying!(),
    )),
    #[cfg(test)]
    near_miss: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    layer: '2'
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
        deploying!(),
        rules_of_deploying!(),
    )),
};
