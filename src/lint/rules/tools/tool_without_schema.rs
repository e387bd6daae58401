use crate::diagnostic::Problem;
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::palette::capability::{Pattern, Reach};

pub(super) const RULE: Rule = Rule {
    code: "RR407",
    name: "tool_without_schema",
    group: Group::Tools,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a granted tool without a schema",
    help: "declare CONFIG_SCHEMA, or config_schema in YAML, as a literal",
    rationale: "\
What the model is told of a tool is its schema, read from the file without running it: `CONFIG_SCHEMA` as a \
literal, or `config_schema` or `parameters` in YAML. A tool without one is skipped, although a capability names \
it. Tools that a pattern happens to cover are not reported (Directives, \"Tools\").",
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
=== .ai/tools/deploy/push.py
print("pushed")
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
    check: Check::Directive(check),
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
=== .ai/tools/deploy/push.py
print("pushed")
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
=== .ai/tools/deploy/push.py
print("pushed")
=== .ai/tools/deploy/pull.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
"#,
    ),
};

fn check(_: &File, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    for permission in &directive.permissions {
        let Some(Reach { pattern: Pattern::Exact(id), .. }) = Reach::of(&permission.capability, true) else { continue };
        let Some(granted) = project.granted(&permission.capability) else { return };
        for diagnostic in &granted.diagnostics {
            // A primary without one is another rule's.
            if matches!(&diagnostic.problem, Problem::ToolWithoutSchema { id: of, .. } if *of == id) {
                let finding = found.at(&permission.span, diagnostic.message());
                if let Some(at) = &diagnostic.at {
                    finding.related(at.clone(), "the tool is here");
                }
            }
        }
    }
}
