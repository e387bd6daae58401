use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::protocol::Scope;

pub(super) const RULE: Rule = Rule {
    code: "RR012",
    name: "limits_unchecked",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "limits whose names nothing declares",
    help: "add limits.defaults to .ai/config/agent/resilience.yaml, or name the bundle that has it with --system",
    rationale: "\
Without a `resilience.yaml` in any tier nobody knows which limits there are, so that a misspelt one is taken as it \
stands and limits nothing. It is reported once, at the first directive that sets a limit (Directives, \"Reading a \
directive\").",
    bad: Example(
        r#"=== no other tier
=== .ai/directives/deploy.md
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
    good: Example(
        r#"=== no other tier
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <limits turns="6" />
  </metadata>
</directive>
```

Do what the description says.
=== .ai/config/agent/resilience.yaml
limits:
  defaults:
    turns: 10
"#,
    ),
    fix: FixKind::None,
    check: Check::Project(check),
    #[cfg(test)]
    composed: Example(
        r#"=== no other tier
=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <limits turns="6" />
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
        r#"=== no other tier
=== .ai/directives/deploy.md
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
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let is_declared = project.configuration.as_ref().is_none_or(|it| it.limit_defaults.is_some());
    if is_declared || project.protocol.context == Scope::None {
        return;
    }
    let mut limits = project.linted().filter_map(|file| file.directive()?.limits.first());
    if let Some(limit) = limits.next() {
        found.diagnosed(&Diagnostic::at(Problem::LimitsUnchecked, &limit.span), || (&limit.span).into());
    }
}
