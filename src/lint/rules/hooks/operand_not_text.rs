use crate::condition::Form;
use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};

use super::conditions::each_part;
use super::{operand_fault, report};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR314",
    name: "operand_not_text",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an operator whose value is of the wrong type",
    help: "put the value of contains and regex into quotes, and write a list for in",
    rationale: "\
`contains` and `regex` look for a text, `in` looks through a list. With a value of another type the comparison \
is false, and the released package fails at some of them. In a directive a `value` that reads as a number, \
`true` or `false` is one, and never a list (Directives, \"Reading a directive\" and \"Configuration and hooks\").",
    bad: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    condition:
      path: directive
      op: contains
      value: 2024
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
        <condition path="directive_body" op="contains" value="404"/>
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
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook id="deploy_rules" event="thread_started">
        <condition path="directive_body" op="contains" value="HTTP 404"/>
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
};

fn check(hook: &Hook, _: Option<&File>, _: &Project<'_>, found: &mut Findings<'_>) {
    each_part(hook, &mut |form, part| {
        let Form::Comparison(comparison) = form else { return };
        let (Some(fault), Some(at)) = (operand_fault(comparison), part.place("value")) else { return };
        match fault {
            Some(problem) => drop(report(found, problem, &at)),
            None => {
                found.at(at, "`in` needs a list as its value, so the condition is false").help("write a list: [a, b]");
            }
        }
    });
}
