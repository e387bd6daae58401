use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::finding::Findings;
use crate::lint::project::{Composed, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

use super::ids::rewrite;
use super::suppression::unmatched;

pub(super) const RULE: Rule = Rule {
    code: "RR105",
    name: "suppress_base_name",
    group: Group::References,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a suppression that names only the last segment of an id",
    help: "write the whole id",
    rationale: "\
A `<suppress>` is compared with the ids of hooks and items as they are written. The last segment of an id alone never \
matches, so the layer stays in the prompt although its author believes it gone (Directives, \"Configuration and \
hooks\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>deploy/rules</before>
      <suppress>rules</suppress>
    </context>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <context><before>deploy/rules</before></context>
  </metadata>
</directive>
```

Base.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy</description>
    <context><suppress>deploy/rules</suppress></context>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    fix: FixKind::ChangesPrompt,
    check: Check::Composed(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <context><before>deploy/rules</before></context>
  </metadata>
</directive>
```

Base.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy</description>
    <context><suppress>rules</suppress></context>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>rules</before>
      <suppress>rules</suppress>
    </context>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
};

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    for unmatched in unmatched(composed, project) {
        let Some(id) = unmatched.by_last_segment.first() else { continue };
        let field = unmatched.field;
        let problem = Problem::SuppressBaseName { name: field.as_str().to_string(), id: id.to_string() };
        let finding = found.diagnosed(&Diagnostic::at(problem, &field.span), || project.location(composed.leaf));
        // Where two layers end so, nobody knows which one was meant.
        if let ([id], Some(edit)) = (unmatched.by_last_segment.as_slice(), rewrite(field, id)) {
            finding.fix(format!("write `{id}`"), vec![edit]);
        }
    }
}
