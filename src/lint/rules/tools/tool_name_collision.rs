use crate::diagnostic::Problem;
use crate::lint::finding::Findings;
use crate::lint::project::Project;

use super::palettes::{Sight, tools_in_question};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR403",
    name: "tool_name_collision",
    group: Group::Tools,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "two tools with one API name",
    help: "rename one: `/` and `-` both become `_`",
    rationale: "\
The API takes names without slashes and hyphens, so each becomes an underscore. Two granted tools whose ids \
differ in nothing else have one name there, and the API refuses the request or calls the wrong one (Directives, \
\"Tools\").",
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
=== .ai/tools/deploy/push-now.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
=== .ai/tools/deploy/push_now.yaml
description: Push at once what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
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
=== .ai/tools/deploy/pull-now.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
=== .ai/tools/deploy/push_now.yaml
description: Push at once what is ready
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
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute>
        <tool>deploy.push-now</tool>
        <tool>deploy.push_now</tool>
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
=== .ai/tools/deploy/push-now.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
=== .ai/tools/deploy/push_now.yaml
description: Push at once what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
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
        <tool>deploy.push-now</tool>
      </execute>
    </permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/tools/deploy/push-now.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
=== .ai/tools/deploy/push_now.yaml
description: Push at once what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
"#,
    ),
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let sight = Sight::new(project);
    for ids in tools_in_question(project, |ids| ids.len() > 1) {
        let is_it = |problem: &Problem| match problem {
            Problem::ToolNameCollision { ids: of, .. } => of.iter().any(|id| ids.contains(id)),
            _ => false,
        };
        if let Some((diagnostic, by)) = sight.first(&ids, 2, &is_it) {
            let at = sight.tool(&ids).unwrap_or_else(|| by.clone());
            found.diagnosed(&diagnostic, || at).related(by, "granted here");
        }
    }
}
