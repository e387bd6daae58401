use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, Problem};
use crate::item::Permission;
use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::store::ItemKind;

pub(super) const RULE: Rule = Rule {
    code: "RR409",
    name: "primary_missing",
    group: Group::Tools,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a granted action without a tool that carries it out",
    help: "add the bundle that has the tool, or give the tool of the project a schema",
    rationale: "\
Whoever may execute, fetch or sign anything is given `rye/execute`, `rye/fetch` or `rye/sign` as a tool. Where \
no tier has it with a schema that can be read, the model holds the permission and has nothing to call \
(Directives, \"Tools\").",
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
=== .ai/tools/rye/execute.py
print("executed")
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
=== .ai/tools/rye/execute.py
print("executed")
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
      <fetch>*</fetch>
    </permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/tools/rye/execute.py
print("executed")
"#,
    ),
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let mut said = HashSet::new();
    for (_, directive) in project.directives().filter(|(file, it)| file.is_linted && !it.permissions.is_empty()) {
        for permission in &directive.permissions {
            let Some(granted) = project.granted(&permission.capability) else { return };
            for diagnostic in &granted.diagnostics {
                if let Problem::PrimaryMissing { id } = &diagnostic.problem
                    && said.insert(id.clone())
                {
                    report(id, diagnostic, permission, project, found);
                }
            }
        }
    }
}

/// Said once, where the tool is if the project has it, else where it is first granted.
fn report(id: &str, diagnostic: &Diagnostic, by: &Permission, project: &Project<'_>, found: &mut Findings<'_>) {
    match project.find(ItemKind::Tool, id) {
        // It may well be one for the system that runs it, which reads what it imports.
        Some(file) if file.source.as_ref().is_some_and(|source| source.text().contains("CONFIG_SCHEMA")) => {}
        Some(file) if project.is_of_project(file) => {
            found.diagnosed(diagnostic, || project.location(file)).related(&by.span, "granted here");
        }
        _ => {
            found.diagnosed(diagnostic, || (&by.span).into());
        }
    }
}
