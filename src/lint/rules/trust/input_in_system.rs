use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::placeholders;
use crate::lint::project::{File, HookText, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::protocol::Scope;

pub(super) const RULE: Rule = Rule {
    code: "RR617",
    name: "input_in_system",
    group: Group::Trust,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an input that is placed in the system message",
    help: "let the hook wait for `thread_started` instead, or move the placeholder into the body of the directive",
    rationale: "\
Models are taught to obey the system message before all else. Whoever gives the value of an input writes there: a \
ticket, a page or an answer of another agent may then order what only the author may (Directives, \"Inputs and \
interpolation\": the text of hook items is filled in). Items that `<system>` places are never filled in.",
    bad: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: team_rules
    event: build_system_prompt
    layer: 3
    position: before
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/role
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <inputs><input name="target" type="string" required="true">Where to</input></inputs>
</directive>
```

Deploy to {input:target}.
=== .ai/knowledge/deploy/role.md
```yaml
name: role
```

You deploy to ${inputs.target}.
"#,
    ),
    good: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: team_rules
    event: build_system_prompt
    layer: 3
    position: before
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/role
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <inputs><input name="target" type="string" required="true">Where to</input></inputs>
</directive>
```

Deploy to {input:target}.
=== .ai/knowledge/deploy/role.md
```yaml
name: role
```

You deploy what was reviewed.
"#,
    ),
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
      <hook id="role" event="build_system_prompt" layer="1" position="before">
        <action primary="fetch" item_type="knowledge" item_id="deploy/role"/>
      </hook>
    </hooks>
  </metadata>
  <inputs><input name="target" type="string" required="true">Where to</input></inputs>
</directive>
```

Deploy to {input:target}.
=== .ai/knowledge/deploy/role.md
```yaml
name: role
```

You deploy to {input:target}.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: team_rules
    event: thread_started
    layer: 3
    position: before
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/target
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context><system>deploy/role</system></context>
  </metadata>
  <inputs><input name="target" type="string" required="true">Where to</input></inputs>
</directive>
```

Deploy to {input:target}.
=== .ai/knowledge/deploy/role.md
```yaml
name: role
```

Write `{input:target}` where the target goes.
=== .ai/knowledge/deploy/target.md
```yaml
name: target
```

The target is ${inputs.target}.
"#,
    ),
};

/// The most places that are told of one text.
const MOST: usize = 20;

fn check(hook: &Hook, _: Option<&File>, project: &Project<'_>, found: &mut Findings<'_>) {
    if hook.event != "build_system_prompt" || project.protocol.context == Scope::None {
        return;
    }
    for HookText { action, file, text } in project.hook_texts(hook) {
        let inputs = placeholders::of_hook(text.text(), project.protocol).filter(|it| it.is_input());
        for placeholder in inputs.take(MOST) {
            let written = &text.text()[placeholder.range.clone()];
            let message = format!("`{written}` is placed in the system message by hook {}", hook.name());
            let in_text = text.slice(placeholder.range.clone()).span().filter(|_| file.is_linted);
            let asked = action.item_id.as_ref().map(|id| &id.span);
            if let Some(place) = in_text.as_ref().or(asked) {
                found.at(place, message);
            }
        }
    }
}
