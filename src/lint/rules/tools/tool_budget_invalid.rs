use crate::diagnostic::Location;
use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::palette::budget_problems;

pub(super) const RULE: Rule = Rule {
    code: "RR410",
    name: "tool_budget_invalid",
    group: Group::Tools,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a budget of tools that is no number",
    help: "write a number of tokens",
    rationale: "\
`tool_preload.max_tokens` of `resilience.yaml` says how many tokens the definitions of tools may take. What is \
no number is passed over, and 2,000 counts, whatever was meant (Directives, \"Tools\").",
    bad: Example(
        r#"=== .ai/config/agent/resilience.yaml
tool_preload:
  max_tokens: plenty
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute>
        <tool>deploy.push</tool>
      </execute>
    </permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/tools/deploy/push.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
"#,
    ),
    good: Example(
        r#"=== .ai/config/agent/resilience.yaml
tool_preload:
  max_tokens: 4000
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute>
        <tool>deploy.push</tool>
      </execute>
    </permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/tools/deploy/push.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
"#,
    ),
    fix: FixKind::None,
    check: Check::Project(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/agent/resilience.yaml
tool_preload:
  max_tokens: '4000'
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute>
        <tool>deploy.push</tool>
      </execute>
    </permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/directives/release.md
```xml
<directive name="release" version="1.0.0" extends="deploy">
  <metadata>
    <description>Release</description>
  </metadata>
</directive>
```

Release what is ready.
=== .ai/tools/deploy/push.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/config/agent/resilience.yaml
tool_preload:
  max_tokens: 1500.5
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute>
        <tool>deploy.push</tool>
      </execute>
    </permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/tools/deploy/push.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
"#,
    ),
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let preload = project.configuration.as_ref().and_then(|configuration| configuration.tool_preload.as_ref());
    for diagnostic in preload.into_iter().flat_map(budget_problems) {
        found.diagnosed(&diagnostic, || Location::File {
            tier: "".into(),
            path: String::new(),
            revision: None,
            position: None,
        });
    }
}
