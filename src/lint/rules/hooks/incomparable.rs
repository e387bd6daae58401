use crate::condition::{Comparison, Form};
use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::value::{Value, order};

use super::conditions::each_part;
use super::contexts::{Holds, held};
use super::report;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR313",
    name: "incomparable",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "values that have no order",
    help: "compare numbers with numbers and text with text",
    rationale: "\
`gt`, `gte`, `lt` and `lte` put numbers or texts in order, never one with the other: such a comparison is false, \
and the released package fails at it. A number in quotes is a text (Directives, \"Configuration and hooks\").",
    bad: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    condition:
      path: depth
      op: gt
      value: '1'
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
      path: depth
      op: gt
      value: 1
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
        <condition path="directive" op="lt" value="3"/>
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
      path: inputs.level
      op: gt
      value: '1'
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
        deploying!(),
        rules_of_deploying!(),
    )),
};

fn check(hook: &Hook, _: Option<&File>, project: &Project<'_>, found: &mut Findings<'_>) {
    each_part(hook, &mut |form, part| {
        let Form::Comparison(Comparison { path, operator, expected: Some(expected), .. }) = form else { return };
        if !matches!(operator.as_str(), "gt" | "gte" | "lt" | "lte") {
            return;
        }
        let Some(sample) = sample(&hook.event, path, project) else { return };
        if let (Err(refused), Some(at)) = (order(&sample, expected), part.place("value")) {
            report(found, Problem::Incomparable { left: refused.left, right: refused.right }, &at);
        }
    });
}

/// A value of the type that stands at a path, where that is known.
fn sample(event: &str, path: &str, project: &Project<'_>) -> Option<Value> {
    match held(event, path)? {
        Holds::Text if !path.contains('.') => Some(Value::from("")),
        Holds::Number if !path.contains('.') => Some(Value::from(0)),
        Holds::Truth if !path.contains('.') => Some(Value::from(false)),
        Holds::Limits => {
            let defaults = project.configuration.as_ref()?.limit_defaults.as_ref()?;
            // A directive may write a text, but no number is compared with it then.
            defaults.get(&Value::from(path.strip_prefix("limits.")?)).filter(|value| value.as_str().is_none()).cloned()
        }
        _ => None,
    }
}
