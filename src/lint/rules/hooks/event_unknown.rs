use crate::diagnostic::Problem;
use crate::item::{EVENTS, Hook};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::nearest::nearest;

use super::place_of;
use super::report;
use super::words::{rewrite, surely_meant};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR301",
    name: "event_unknown",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a hook that waits for no event of a thread",
    help: "use build_system_prompt, thread_started, thread_continued or resolve_extends",
    rationale: "\
A hook applies when the event that it waits for happens. A name that no thread ever fires, or none at all, is no \
error anywhere: the hook is read, merged and passed over, so what it would bring in is missing without a word \
(Directives, \"Configuration and hooks\").",
    bad: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_strated
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
    fix: FixKind::ChangesPrompt,
    check: Check::Hook(check),
    #[cfg(test)]
    composed: Example(concat!(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook id="deploy_rules" event="thread_start">
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
    event: after_step
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
    if hook.fires() {
        return;
    }
    let Some(at) = place_of(hook, "event") else { return };
    let nearest = nearest(&hook.event, EVENTS.into_iter());
    let problem = Problem::EventUnknown { hook: hook.name().to_string(), event: hook.event.clone(), nearest };
    let finding = report(found, problem, &at);
    let meant = surely_meant(&hook.event, EVENTS.into_iter());
    if let Some((meant, edit)) = meant.and_then(|meant| Some((meant, rewrite(&at, &hook.event, meant)?))) {
        finding.fix(format!("wait for {meant}"), vec![edit]);
    }
}
