use crate::condition::Truth;
use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::placeholders::{self, Placeholder, Shows};
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
interpolation\": the text of hook items is filled in). `${directive_body}` shows the body with all its inputs. Items \
that `<system>` places are never filled in.",
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

/// Whether a directive that a hook may apply to has an input in its body, which the path `directive_body` shows filled in.
fn has_body_with_input(hook: &Hook, project: &Project<'_>) -> bool {
    project.directives().any(|(file, directive)| {
        placeholders::of_directive(directive.body.text()).any(|it| it.is_input())
            && project.composed(file, directive).truth(hook) != Truth::False
    })
}

/// The most places that are told of one text.
const MOST: usize = 20;

fn check(hook: &Hook, _: Option<&File>, project: &Project<'_>, found: &mut Findings<'_>) {
    if hook.event != "build_system_prompt" || project.protocol.context == Scope::None {
        return;
    }
    for HookText { action, file, text } in project.hook_texts(hook) {
        let mut holds_inputs = None;
        let mut is_input = |it: &Placeholder| {
            let is_body =
                || matches!(&it.shows, Shows::Paths(paths) if paths.iter().any(|path| path == "directive_body"));
            it.is_input() || is_body() && *holds_inputs.get_or_insert_with(|| has_body_with_input(hook, project))
        };
        let inputs = placeholders::of_hook(text.text(), project.protocol).filter(|it| is_input(it));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::said;

    fn of(condition: &str, text: &str, body: &str) -> Vec<String> {
        let files = format!(
            "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: h\n    event: build_system_prompt\n    \
             condition: {condition}\n    action: {{primary: fetch, item_type: knowledge, item_id: r}}\n\
             === .ai/knowledge/r.md\n```yaml\nname: r\n```\n\n{text}\n=== .ai/directives/a.md\n```xml\n\
             <directive name=\"a\" version=\"1\"><metadata><description>D</description></metadata>\
             <inputs><input name=\"x\"/></inputs></directive>\n```\n\n{body}\n"
        );
        said(&RULE, &files, "rye-3")
    }

    #[test]
    fn the_body_of_a_directive_shows_its_inputs() {
        let at = |written: &str| {
            vec![format!(".ai/knowledge/r.md:5: `{written}` is placed in the system message by hook h")]
        };
        assert_eq!(of("{}", "${directive_body}", "Go, {input:x}."), at("${directive_body}"));
        assert_eq!(of("{}", "${model || directive_body}", "Go, ${inputs.x}."), at("${model || directive_body}"));
        assert_eq!(of("{}", "${inputs.x.y}", "Go."), at("${inputs.x.y}"));
        assert_eq!(of("{}", "${directive_body}", "Go, {env:HOME}."), [""; 0], "no input stands in it");
        let other = "{path: directive, value: b}";
        assert_eq!(of(other, "${directive_body}", "Go, {input:x}."), [""; 0], "it is for other directives");
    }
}
