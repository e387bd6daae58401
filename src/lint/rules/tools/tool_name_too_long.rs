use crate::diagnostic::Problem;
use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::palette::api_name;

use super::palettes::{Sight, tools_in_question};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR404",
    name: "tool_name_too_long",
    group: Group::Tools,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a tool whose API name is too long",
    help: "shorten the path of the tool",
    rationale: "\
The APIs of the providers take names of at most 64 characters. A tool's name there is its id, folders included, \
so a deep path is refused together with the whole request (Directives, \"Tools\").",
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
=== .ai/tools/deploy/a-tool-that-carries-its-whole-story-in-its-own-name-and-more.yaml
description: Push what is ready
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
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute>
        <tool>deploy.a-tool-that-carries-its-whole-story-in-its-own-name-and-more</tool>
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
=== .ai/tools/deploy/a-tool-that-carries-its-whole-story-in-its-own-name-and-more.yaml
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
=== .ai/tools/deploy/a-tool-that-carries-its-whole-story-in-its-own-name-and-more.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
"#,
    ),
};

/// Most characters of a name.
const LONGEST: usize = 64;

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let long = tools_in_question(project, |ids| ids.iter().any(|id| api_name(id).chars().count() > LONGEST));
    let sight = Sight::new(project);
    for id in long.into_iter().flatten() {
        let name_of_it = api_name(&id);
        let is_it = |problem: &Problem| matches!(problem, Problem::ToolNameTooLong { name } if *name == name_of_it);
        let ids = [id];
        if let Some((diagnostic, by)) = sight.first(&ids, 1, &is_it) {
            let at = sight.tool(&ids).unwrap_or_else(|| by.clone());
            found.diagnosed(&diagnostic, || at).related(by, "granted here");
        }
    }
}
