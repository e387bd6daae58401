use super::prompt;
use crate::diagnostic::Problem;
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR013",
    name: "outputs_unnamed",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "outputs of which none has a name",
    help: "give each <output> a name",
    rationale: "\
The model is asked to return the outputs by their names. Where none has one, the request is left out of the prompt \
altogether, although a tool to return results is still offered (Directives, \"Return instruction\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <outputs>
    <output type="string">Where it runs</output>
    <output type="string">What was done</output>
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
    <output name="log" type="string">What was done</output>
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
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
  </metadata>
  <outputs>
    <output type="string">Where it runs</output>
    <output type="string">What was done</output>
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
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <outputs>
  </outputs>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(_: &File, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if !directive.outputs.is_empty() && directive.outputs.iter().all(|output| prompt::is_empty(&output.name)) {
        prompt::report(directive, project, found, |problem| matches!(problem, Problem::OutputsUnnamed), |_| {});
    }
}
