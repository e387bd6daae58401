use super::prompt;
use crate::diagnostic::Problem;
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR035",
    name: "empty_prompt",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a directive whose own prompt is empty",
    help: "give the directive a name, a description or a body",
    rationale: "\
A directive without name, description, permissions, body and outputs says nothing to the model. Its place in the \
user message stays all the same, so that a blank line is left over (Directives, \"Configuration and hooks\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive version="1.0.0">
  <metadata>
    <author>ops</author>
  </metadata>
</directive>
```
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    fix: FixKind::None,
    check: Check::Directive(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
```xml
<directive version="1.0.0">
  <metadata>
    <author>ops</author>
  </metadata>
</directive>
```
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive version="1.0.0">
  <metadata>
    <author>ops</author>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(_: &File, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_silent = prompt::is_empty(&directive.name) && prompt::is_empty(&directive.description);
    if is_silent && directive.body.range().is_empty() {
        prompt::report(directive, project, found, |problem| matches!(problem, Problem::EmptyPrompt), |_| {});
    }
}
