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
    message: "an empty `<permissions>`, which declares nothing",
    help: "say what is granted, or remove the block",
    rationale: "\
An empty block reads as if nothing were granted, and it declares nothing: the permissions are those of the parents, \
and where these declare none either, the model has all primary actions (Directives, \"Tools\").",
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

fn check(_: &File, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(rules) = project.protocol.tools else { return };
    let Some(block) = directive.places.get("permissions").filter(|block| is_empty(block.text())) else { return };
    // A hook may give it a parent where it names none.
    let otherwise =
        if rules.undeclared_primaries { ", or all primary actions where none of them declares any" } else { "" };
    let whose = format!("the permissions are those of its parents{otherwise}");
    found.at(block, format!("this `<permissions>` is empty and declares nothing: {whose}"));
}

/// Whether an element holds nothing but blanks.
fn is_empty(element: &str) -> bool {
    // A comment, as any element, has a tag of its own.
    let tags = element.matches('<').count();
    let inside = element.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</"));
    match tags {
        1 => element.ends_with("/>"),
        2 => inside.is_some_and(|(text, _)| text.trim().is_empty()),
        _ => false,
    }
}
