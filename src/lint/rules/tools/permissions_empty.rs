use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR413",
    name: "permissions_empty",
    group: Group::Tools,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a `<permissions>` that grants nothing, and so declares nothing",
    help: "say what is granted, or remove the block",
    rationale: "\
A block that grants nothing reads as if nothing were allowed, and it declares nothing: the permissions are those of the \
parents, and where these declare none either, the model has all primary actions. That goes for an empty block, for one \
with nothing but a text or a comment, and for `<execute></execute>` (Directives, \"Reading a directive\" and \"Tools\").\n\n\
One that acknowledges a risk is taken at its word.",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions></permissions>
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
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute><tool>deploy.*</tool></execute>
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
      <execute><tool>deploy.*</tool></execute>
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
    <permissions></permissions>
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
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <acknowledge risk="low">Reads files only</acknowledge>
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

fn check(file: &File, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(rules) = project.protocol.tools else { return };
    let Some(block) = directive.places.get("permissions") else { return };
    // Of a directive that is refused nothing is known to be granted, whatever stands there.
    if file.directive().is_none() || !directive.permissions.is_empty() || !directive.acknowledged.is_empty() {
        return;
    }
    // A hook may give it a parent where it names none.
    let otherwise =
        if rules.undeclared_primaries { ", or all primary actions where none of them declares any" } else { "" };
    let whose = format!("the permissions are those of its parents{otherwise}");
    found.at(block, format!("this `<permissions>` grants nothing, and so declares nothing: {whose}"));
}
