use crate::condition::{Comparison, Form, OPERATORS};
use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::nearest::nearest;

use super::conditions::each_part;
use super::report;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR302",
    name: "operator_unknown",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a condition with an operator that there is not",
    help: "use one of: eq, ne, gt, gte, lt, lte, in, contains, regex, exists",
    rationale: "\
A comparison with an unknown operator is false, whatever it looks at. Under `not` it is true for the same \
reason. Either way the condition no longer asks what its author meant to ask, and nothing says so (Directives, \
\"Configuration and hooks\").",
    bad: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    condition:
      path: directive
      op: includes
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
        <condition path="inputs.mode" op="equals" value="fast"/>
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
      not:
        path: directive
        op: ne
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

/// What other languages call them.
const OTHER_NAMES: [(&str, &str); 12] = [
    ("==", "eq"),
    ("=", "eq"),
    ("equals", "eq"),
    ("is", "eq"),
    ("!=", "ne"),
    ("not_eq", "ne"),
    (">", "gt"),
    (">=", "gte"),
    ("<", "lt"),
    ("<=", "lte"),
    ("includes", "contains"),
    ("matches", "regex"),
];

fn check(hook: &Hook, _: Option<&File>, _: &Project<'_>, found: &mut Findings<'_>) {
    each_part(hook, &mut |form, part| {
        let Form::Comparison(Comparison { operator, .. }) = form else { return };
        let Some(at) = part.place("op").filter(|_| !OPERATORS.contains(&operator.as_str())) else { return };
        let finding = report(found, Problem::OperatorUnknown { operator: operator.clone() }, &at);
        let other = OTHER_NAMES.iter().find(|(name, _)| name == operator).map(|(_, known)| known.to_string());
        if let Some(meant) = other.or_else(|| nearest(operator, OPERATORS.into_iter())) {
            finding.help(format!("did you mean `{meant}`?"));
        }
    });
}
