use crate::condition::Truth;
use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};

use super::conditions::{each_part, judged_blindly};
use super::{place_of, report};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR309",
    name: "routing_without_target",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a routing hook that sets no parent",
    help: "add set_extends, or remove the hook",
    rationale: "\
A `resolve_extends` hook exists to set the parent of a directive. One without `set_extends` sets none, and yet \
the first whose condition holds ends the search, so the hooks after it are not asked (Directives, \"Configuration \
and hooks\", \"Routing\").",
    bad: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: route_deploy
    event: resolve_extends
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      extends_from: base
"#,
        deploying!(),
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
  </metadata>
</directive>
```

Start here.
"#,
    )),
    good: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: route_deploy
    event: resolve_extends
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      set_extends: base
"#,
        deploying!(),
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
  </metadata>
</directive>
```

Start here.
"#,
    )),
    fix: FixKind::None,
    check: Check::Hook(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: route_deploy
    event: resolve_extends
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      set_extends: ""
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
  </metadata>
</directive>
```

Start here.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: route_deploy
    event: resolve_extends
    condition:
      path: directive
      op: contains
      value: deploy
    actions:
      - primary: fetch
        item_type: knowledge
        item_id: deploy/rules
      - set_extends: base
"#,
        deploying!(),
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
  </metadata>
</directive>
```

Start here.
"#,
        rules_of_deploying!(),
    )),
};

fn check(hook: &Hook, _: Option<&File>, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(rules) = project.protocol.routing else { return };
    if !hook.routes() || hook.parent().is_some() || is_misplaced(hook) {
        return;
    }
    let Some(at) = place_of(hook, "id") else { return };
    let name = hook.name().to_string();
    match judged_blindly(hook).truth {
        // It is never asked for a parent.
        Some(Truth::False) => {}
        Some(Truth::True) => {
            report(found, Problem::RoutingWithoutTarget { hook: name, stops: rules.without_target_stops }, &at);
        }
        // Whether it matches is known in a render alone.
        _ => {
            let does = if rules.without_target_stops { "ends the search all the same" } else { "is passed over" };
            found.at(&at, format!("hook {name} sets no parent; where its condition holds, it {does}"));
        }
    }
}

/// Whether the parent is named, in a place where nothing reads it. That is said there.
fn is_misplaced(hook: &Hook) -> bool {
    let mut is_there = hook.written.get("set_extends").is_some();
    each_part(hook, &mut |_, part| is_there |= part.node().is_some_and(|node| node.get("set_extends").is_some()));
    is_there
}
