use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::palette::capability::Pattern;

use super::budget::left_out_of_palettes;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR412",
    name: "pattern_over_budget",
    group: Group::Tools,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a capability for a folder of tools that do not all fit the budget",
    help: "raise tool_preload.max_tokens of resilience.yaml, or name the tools that are needed",
    rationale: "\
The definitions of granted tools have to fit `tool_preload.max_tokens`, four characters a token. Tools that only \
a pattern covers come after those that are named, in byte order of paths, and those that do not fit are left out \
without an error: which ones the model is told of hangs on their names and sizes.\n\n\
A bare `*` grants whatever there is, and nobody counts on each of them: what is left out of that is not reported \
(Directives, \"Tools\").",
    bad: Example(
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
    good: Example(
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
        <tool>deploy.*</tool>
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
    <permissions>*</permissions>
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
    left_out_of_palettes(project, found, |pattern| matches!(pattern, Pattern::Below(_)));
}
