use crate::assemble::{missing_part, unknown_primary};
use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};

use super::report;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR316",
    name: "primary_foreign",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an action word that the protocol does not have",
    help: "use the words of the protocol: load and execute in rye-2, fetch and execute in rye-3",
    rationale: "\
The word for reading an item changed: `load` in `rye-2` is `fetch` in `rye-3`. Every word is understood here, so \
that the prompt can be shown, but the system that runs the thread may not know it (Directives, \"Knowledge\", \
\"Hook actions\").",
    bad: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: load
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
      <hook id="deploy_rules" event="thread_started">
        <action primary="load" item_type="knowledge" item_id="deploy/rules"/>
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
      primary: execute
      item_type: knowledge
      item_id: deploy/rules
"#,
        deploying!(),
        rules_of_deploying!(),
    )),
};

fn check(hook: &Hook, _: Option<&File>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() {
        return;
    }
    for action in hook.actions.iter().filter(|action| missing_part(action).is_none()) {
        let (Some(primary), Some(at)) = (&action.primary, &action.span) else { continue };
        if unknown_primary(primary).is_none() && !project.protocol.permission_words.contains(primary) {
            let (hook, primary, protocol) = (hook.name().to_string(), primary.clone(), project.protocol.name.clone());
            report(found, Problem::PrimaryForeign { hook, primary, protocol }, at);
        }
    }
}
