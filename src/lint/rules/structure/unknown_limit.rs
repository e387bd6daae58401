use crate::assemble;
use crate::diagnostic::Diagnostic;
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::protocol::Scope;

pub(super) const RULE: Rule = Rule {
    code: "RR011",
    name: "unknown_limit",
    group: Group::Structure,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "a limit that resilience.yaml does not declare",
    help: "use a declared name, or declare it under limits.defaults of resilience.yaml",
    rationale: "\
The names of limits are those of `limits.defaults` in the merged `resilience.yaml`. A directive with any other is \
refused rather than run without the limit that its author meant (Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <limits max_turns="6" />
  </metadata>
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
    <limits turns="6" />
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
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <limits max_turns="6" />
  </metadata>
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
    <limits retries="6" />
  </metadata>
</directive>
```

Do what the description says.
=== .ai/config/agent/resilience.yaml
limits:
  defaults:
    retries: 2
"#,
    ),
};

fn check(_: &File, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(configuration) = project.configuration.as_ref().filter(|_| project.protocol.context != Scope::None) else {
        return;
    };
    for limit in &directive.limits {
        if let Some(problem) = assemble::unknown_limit(configuration.limit_defaults.as_ref(), &limit.name) {
            found.diagnosed(&Diagnostic::at(problem, &limit.span), || (&limit.span).into());
        }
    }
}
