use std::collections::HashSet;

use super::placeholders::{Kind, placeholders, texts};
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR205",
    name: "env_without_default",
    group: Group::Inputs,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "an `{env:…}` without a default",
    help: "write {env:NAME:default}",
    rationale: "\
Where the variable is not set, the placeholder stays in the prompt as written, and nobody is told. What the model reads \
then depends on the machine that it runs on. A default, which may be empty, says what stands there instead (Directives, \
\"Inputs and interpolation\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy to the cluster {env:CLUSTER}.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy to the cluster {env:CLUSTER:staging}.
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
    <description>What all deployments share</description>
    <permissions>
      <execute><tool>deploy.{env:CLUSTER}</tool></execute>
    </permissions>
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
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy to {env:CLUSTER}, which nothing fills in here</description>
  </metadata>
</directive>
```

Deploy to the cluster {env:CLUSTER:}, as ${CLUSTER} says.
"#,
    ),
};

fn check(_file: &File, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
    let mut seen = HashSet::new();
    for text in texts(directive) {
        let open = placeholders(text.text()).filter(|it| it.kind == Kind::Environment && it.default.is_none());
        for it in open {
            let span = text.slice(it.range);
            // Each variable once, however often it is named.
            if !seen.insert(it.name.to_string()) {
                continue;
            }
            let message = format!("where {} is not set, `{}` stays as written", it.name, span.text());
            found.at(&span, message).help(format!("write {{env:{}:default}}", it.name));
        }
    }
}
