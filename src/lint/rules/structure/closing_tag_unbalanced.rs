use super::prompt;
use crate::diagnostic::Problem;
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR034",
    name: "closing_tag_unbalanced",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a prompt whose opening and closing tag do not match",
    help: "give the directive a name",
    rationale: "\
With outputs, whether `</directive>` is written depends on the description of the last one instead of the \
directive's own. Without a name the prompt may then open a tag that it never closes, or close one that it never \
opened (Directives, \"Return instruction\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="log" type="string"></output>
  </outputs>
</directive>
```

Do what the description says.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="log" type="string"></output>
  </outputs>
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
    <description>Base</description>
  </metadata>
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="log" type="string"></output>
  </outputs>
</directive>
```

Do what the description says.
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
    <description>Deploy</description>
  </metadata>
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="log" type="string">What was done</output>
  </outputs>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(_: &File, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if prompt::is_empty(&directive.name) && !directive.outputs.is_empty() {
        prompt::report(
            directive,
            project,
            found,
            |problem| matches!(problem, Problem::ClosingTagUnbalanced { .. }),
            |_| {},
        );
    }
}
