use crate::item::{Hook, ROUTING_EVENT};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::protocol::Scope;

use super::place_of;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR310",
    name: "event_not_fired",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a hook that waits for an event that never reaches it",
    help: "put a routing hook into hooks.yaml or builtin_hooks, or use another event",
    rationale: "\
An event may be known and yet never reach a hook. `resolve_extends` asks only the hooks.yaml of project and user \
and the built-in hooks, so a directive cannot set its parent by a hook of its own; in `rye-2` nothing fires it, \
and `rye-1` fires no event at all. Such a hook is read and never asked (Directives, \"Protocols\" and \
\"Configuration and hooks\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook id="route" event="resolve_extends">
        <action set_extends="base"/>
      </hook>
    </hooks>
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
    good: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: route
    event: resolve_extends
    condition:
      path: directive
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
    composed: Example(concat!(
        r#"=== .ai/config/agent/hook_conditions.yaml
context_hooks:
  - id: route
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
    #[cfg(test)]
    near_miss: Example(concat!(
        r#"=== .ai/config/agent/hook_conditions.yaml
builtin_hooks:
  - id: route
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
};

fn check(hook: &Hook, _: Option<&File>, project: &Project<'_>, found: &mut Findings<'_>) {
    let protocol = project.protocol;
    let is_routing = hook.event == ROUTING_EVENT;
    let why = match protocol.routing {
        _ if !hook.fires() => return,
        _ if protocol.context == Scope::None => format!("{} fires no event", protocol.name),
        None if is_routing => format!("{} never fires {ROUTING_EVENT}", protocol.name),
        Some(_) if is_routing && !hook.routes() => {
            format!("{ROUTING_EVENT} asks only builtin_hooks and the hooks.yaml of project and user")
        }
        _ => return,
    };
    if let Some(at) = place_of(hook, "event") {
        found.at(at, format!("hook {} is never asked: {why}", hook.name()));
    }
}
