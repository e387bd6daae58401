use crate::assemble::{missing_part, unknown_primary};
use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};

use super::{place_of, report};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR315",
    name: "action_incomplete",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an action that cannot be understood",
    help: "give the action primary, item_type and item_id",
    rationale: "\
A hook brings in what its action names: by `primary` how, by `item_type` of which kind, by `item_id` which one. \
An action that lacks one of these, or uses a word that there is not, is skipped; so is a hook without any action \
(Directives, \"Knowledge\", \"Hook actions\").",
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
      primary: fetch
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
        <action primary="fetch" item_type="knowlege" item_id="deploy/rules"/>
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
    actions:
      - primary: fetch
        item_type: knowledge
        item_id: deploy/rules
"#,
        deploying!(),
        rules_of_deploying!(),
    )),
};

fn check(hook: &Hook, _: Option<&File>, _: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() {
        return;
    }
    let name = || hook.name().to_string();
    if hook.actions.is_empty()
        && let Some(at) = place_of(hook, "id")
    {
        found.at(at, format!("hook {} has no action, so it adds nothing", name()));
    }
    for action in &hook.actions {
        let unknown = || action.primary.as_deref().and_then(unknown_primary);
        if let (Some(reason), Some(at)) = (missing_part(action).or_else(unknown), &action.span) {
            report(found, Problem::ActionIncomplete { hook: name(), reason }, at);
        }
    }
}
