use crate::condition::{Comparison, Form, pattern};
use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::value::Value;

use super::conditions::each_part;
use super::report;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR305",
    name: "invalid_pattern",
    group: Group::Hooks,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "a pattern that does not compile",
    help: "write the pattern as the re module of Python takes it",
    rationale: "\
A condition with `regex` searches with a pattern of Python. One that does not compile ends the thread at the \
first prompt that asks the condition, which may be long after it was written (Directives, \"Configuration and \
hooks\").",
    bad: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    condition:
      path: directive
      op: regex
      value: 'deploy(_prod'
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
      op: regex
      value: 'deploy(_prod)?'
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
        <condition path="inputs.mode" op="regex" value="*fast"/>
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
        <condition path="inputs.mode" op="contains" value="*fast"/>
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

fn check(hook: &Hook, _: Option<&File>, project: &Project<'_>, found: &mut Findings<'_>) {
    if project.has_costly_patterns(hook) {
        return;
    }
    each_part(hook, &mut |form, part| {
        let Form::Comparison(Comparison { operator, expected: Some(Value::Str(pattern)), .. }) = form else { return };
        if operator != "regex" {
            return;
        }
        if let (Some(reason), Some(at)) = (pattern::refusal(pattern), part.place("value")) {
            report(found, Problem::InvalidPattern { pattern: pattern.clone(), reason }, &at);
        }
    });
}
