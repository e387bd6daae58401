use crate::assemble::missing_part;
use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::store::ItemKind;

use super::report;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR319",
    name: "action_not_run",
    group: Group::Hooks,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a hook that runs a tool or a directive",
    help: "nothing is run here: read what the tool adds in a thread that ran",
    rationale: "\
A hook may execute a tool or a directive and add what that returns. Nothing is run here, so the rendered prompt \
is without it; the layer is listed as not run (Directives, \"Knowledge\", \"Hook actions\").",
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
      primary: execute
      item_type: tool
      item_id: rye/file-system/read
"#,
        deploying!(),
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
      primary: execute
      item_type: knowledge
      item_id: deploy/rules
"#,
        deploying!(),
        rules_of_deploying!(),
    )),
    fix: FixKind::None,
    check: Check::Hook(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook id="deploy_rules" event="thread_started">
        <action primary="execute" item_type="tool" item_id="rye/file-system/read"/>
      </hook>
    </hooks>
  </metadata>
</directive>
```

Deploy what is ready.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: after_step
    action:
      primary: execute
      item_type: tool
      item_id: rye/file-system/read
"#,
        deploying!(),
    )),
};

fn check(hook: &Hook, _: Option<&File>, _: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() {
        return;
    }
    let executed = hook.actions.iter().filter(|action| action.primary.as_deref() == Some("execute"));
    for action in executed.filter(|action| missing_part(action).is_none()) {
        let (Some((kind, id)), Some(at)) = (action.item(), &action.span) else { continue };
        if kind != ItemKind::Knowledge {
            let what = format!("the run of {} {}", kind.into_str(), id.as_str());
            report(found, Problem::ActionNotRun { hook: hook.name().to_string(), what }, at);
        }
    }
}
