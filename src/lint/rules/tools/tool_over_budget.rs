use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::palette::capability::Pattern;

use super::budget::left_out_of_palettes;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR402",
    name: "tool_over_budget",
    group: Group::Tools,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a tool that is granted by its id and does not fit the budget",
    help: "raise tool_preload.max_tokens of resilience.yaml, or grant fewer tools",
    rationale: "\
The definitions of granted tools have to fit `tool_preload.max_tokens`, four characters a token; the primary \
actions are taken off first. A tool that does not fit is left out of the palette without an error, so the model \
is not told of it although a capability names it (Directives, \"Tools\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
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
=== .ai/config/agent/resilience.yaml
tool_preload:
  max_tokens: 20
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
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
=== .ai/config/agent/resilience.yaml
tool_preload:
  max_tokens: 2000
"#,
    ),
    fix: FixKind::None,
    check: Check::Project(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/deploy.md
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
=== .ai/config/agent/resilience.yaml
tool_preload:
  max_tokens: 20
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute>
        <tool>deploy.*</tool>
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
=== .ai/config/agent/resilience.yaml
tool_preload:
  max_tokens: 20
"#,
    ),
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    left_out_of_palettes(project, found, |pattern| matches!(pattern, Pattern::Exact(_)));
}
