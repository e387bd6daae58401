use crate::condition::Truth;
use crate::item::{Directive, Hook};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::protocol::Scope;
use crate::text::Span;

use super::placeholders::Code;
use super::uses::{self, By, Of};

pub(super) const RULE: Rule = Rule {
    code: "RR206",
    name: "input_placeholder_kept",
    group: Group::Inputs,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "hook text with an `{input:…}` that stays as written when no input is given",
    help: "write ${inputs.NAME}, which prints nothing then",
    rationale: "\
The `{input:…}` of hook text are filled in only when some input was given; a default of the directive does not count, \
and even `{input:NAME?}` and `{input:NAME|default}` stay as written. Found is the text of an item that a hook brings \
into the prompt of a directive which may be asked for without any input (Directives, \"Inputs and interpolation\").",
    bad: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: house_rules
    event: thread_started
    action: {primary: fetch, item_type: knowledge, item_id: house/rules}
=== .ai/directives/tidy.md
```xml
<directive name="tidy" version="1.0.0">
  <metadata>
    <description>Tidy up</description>
  </metadata>
</directive>
```

Tidy up.
=== .ai/knowledge/house/rules.md
```yaml
name: rules
```

Answer in {input:language|English}.
"#,
    ),
    good: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: house_rules
    event: thread_started
    condition: {path: inputs.language, op: exists}
    action: {primary: fetch, item_type: knowledge, item_id: house/rules}
=== .ai/directives/tidy.md
```xml
<directive name="tidy" version="1.0.0">
  <metadata>
    <description>Tidy up</description>
  </metadata>
</directive>
```

Tidy up.
=== .ai/knowledge/house/rules.md
```yaml
name: rules
```

Answer in ${inputs.language}.
"#,
    ),
    fix: FixKind::None,
    check: Check::Hook(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/tidy.md
```xml
<directive name="tidy" version="1.0.0">
  <metadata>
    <description>Tidy up</description>
    <hooks>
      <hook id="language" event="build_system_prompt">
        <action primary="execute" item_type="knowledge" item_id="house/rules"/>
      </hook>
    </hooks>
  </metadata>
  <inputs>
    <input name="language" type="string" default="English">In which language</input>
  </inputs>
</directive>
```

Tidy up, and say so in {input:language}.
=== .ai/knowledge/house/rules.md
```yaml
name: rules
```

Answer in `{input:language}`.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: house_rules
    event: thread_started
    action: {primary: fetch, item_type: knowledge, item_id: house/rules}
=== .ai/directives/tidy.md
```xml
<directive name="tidy" version="1.0.0">
  <metadata>
    <description>Tidy up</description>
  </metadata>
  <inputs>
    <input name="language" type="string" required="true">In which language</input>
  </inputs>
</directive>
```

Tidy up.
=== .ai/knowledge/house/rules.md
```yaml
name: rules
```

Answer in {input:language}; inputs are written as `{input:name}`.
"#,
    ),
};

fn check(hook: &Hook, file: Option<&File>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() || project.protocol.context == Scope::None {
        return;
    }
    for (asked, item) in uses::items(hook, project) {
        let code = Code::of(item.source.as_ref().map_or("", |source| source.text()));
        let uses = uses::of_file(item).into_iter();
        let kept = uses.filter_map(|it| match (it.of, it.by) {
            (Of::One(name), By::Placeholder { at, .. }) => Some((name, at)),
            _ => None,
        });
        for (name, at) in kept {
            let is_example = || code.has(at.range().start);
            if may_be_kept(name, &is_example, hook, file, project) {
                tell(name, &at, asked, item, project, found);
            }
        }
    }
}

fn tell(name: &str, at: &Span, asked: &Span, item: &File, project: &Project<'_>, found: &mut Findings<'_>) {
    let message = format!("`{}` in `{}` stays as written when no input is given", at.text(), item.id);
    let help =
        format!("write ${{inputs.{name}}}, which prints nothing then, or give the hook a condition on inputs.{name}");
    let finding = match project.is_of_project(item) {
        true => found.at(at, message).related(asked, "a hook brings it in here"),
        // Only what asks for it can be changed here.
        false => found.at(asked, message),
    };
    finding.help(help);
}

/// Whether the hook applies to a directive that may be asked for without inputs. In code, where an example may stand,
/// only a name that such a directive declares counts.
fn may_be_kept(
    name: &str,
    is_example: &dyn Fn() -> bool,
    hook: &Hook,
    file: Option<&File>,
    project: &Project<'_>,
) -> bool {
    let counts = |directive: &Directive| {
        let is_free = directive.inputs.iter().all(|input| !input.required || input.default.is_some());
        is_free && (!is_example() || directive.inputs.iter().any(|input| input.name.as_str() == name))
    };
    let applies = |file: &File, directive: &Directive| {
        // With an unknown condition it may well depend on the input itself.
        counts(directive) && project.composed(file, directive).truth(hook) == Truth::True
    };
    match file {
        Some(file) => file.directive().is_some_and(|directive| applies(file, directive)),
        None => project.directives().any(|(file, directive)| applies(file, directive)),
    }
}
