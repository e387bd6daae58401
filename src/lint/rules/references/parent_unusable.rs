use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::lint::finding::Findings;
use crate::lint::project::{Composed, End, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

use super::chain::Broken;

pub(super) const RULE: Rule = Rule {
    code: "RR103",
    name: "parent_unusable",
    group: Group::References,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an `extends` that names a directive which cannot be read",
    help: "repair that directive",
    rationale: "\
A parent without a usable block is no error. The chain ends there, silently: its context, its permissions and its own \
parents are missing from the prompt, which is rendered as if the directive extended nothing (Directives, \"Chain\").",
    bad: Example(
        r#"=== .ai/directives/base.md
# Base

Nobody has written the block yet.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/base.md
# Base

```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>What all directives share</description>
  </metadata>
</directive>
```

Tell what you do.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
    fix: FixKind::None,
    check: Check::Composed(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="shared/base">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy the service.
=== user:.ai/directives/shared/base.md
```xml
<directive name="base" version="1.0.0" extends="shared/root">
  <metadata>
    <description>What the user always wants</description>
    <category>shared</category>
  </metadata>
</directive>
```

Work carefully.
=== user:.ai/directives/shared/root.md
```xml
<directive name="root" version="1.0.0">
```

Never closed.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/base.md
# Base

```xml
<directive name="base" version="1.0.0"/>
```
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
};

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let End::Unusable(file) = composed.end else { return };
    let Some(broken) = Broken::behind(1, composed, project) else { return };
    let error = file.diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
    let reason = error.map_or_else(|| "it cannot be parsed".to_string(), Diagnostic::message);
    let problem = Problem::ParentUnusable { id: file.id.clone(), reason };
    let finding = found.diagnosed(&Diagnostic::at(problem, broken.at()), || broken.at());
    let place = error.and_then(|error| error.at.clone()).unwrap_or_else(|| project.location(file));
    finding.related(place, "this is wrong with it");
}
