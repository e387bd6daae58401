use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};

use super::{place_of, report};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR303",
    name: "position_unknown",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a hook at a position that there is not",
    help: "write before or after",
    rationale: "\
A hook stands before or after what it accompanies. Any other word counts as `before`, so a text that was meant \
to have the last word comes first (Directives, \"Configuration and hooks\").",
    bad: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    position: end
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
    position: after
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
    check: Check::Hook(check),
    #[cfg(test)]
    composed: Example(concat!(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook id="deploy_rules" event="thread_started" position="bottom">
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

fn check(hook: &Hook, _: Option<&File>, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(position) = hook.position.as_deref().filter(|word| !matches!(*word, "before" | "after")) else { return };
    if let Some(at) = place_of(hook, "position") {
        let (hook, position) = (hook.name().to_string(), position.to_string());
        report(found, Problem::PositionUnknown { hook, position }, &at);
    }
}
