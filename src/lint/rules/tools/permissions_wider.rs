use crate::lint::finding::Findings;
use crate::lint::project::{Composed, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::palette::fnmatch;

pub(super) const RULE: Rule = Rule {
    code: "RR405",
    name: "permissions_wider",
    group: Group::Tools,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "permissions that go beyond those of the parent",
    help: "extend a directive that grants as much, or grant less",
    rationale: "\
A directive that declares permissions replaces those that it would have from its chain. What it grants beyond \
them is not taken away, although a base that grants little was most likely chosen, or written, to keep what \
extends it within bounds (Directives, \"Chain\").",
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
=== .ai/directives/release.md
```xml
<directive name="release" version="1.0.0" extends="deploy">
  <metadata>
    <description>Release</description>
    <permissions>
      <execute>
        <tool>deploy.*</tool>
      </execute>
    </permissions>
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
=== .ai/directives/release.md
```xml
<directive name="release" version="1.0.0" extends="deploy">
  <metadata>
    <description>Release</description>
    <permissions>
      <execute>
        <tool>deploy.push</tool>
      </execute>
    </permissions>
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
    fix: FixKind::None,
    check: Check::Composed(check),
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
=== .ai/directives/middle.md
```xml
<directive name="middle" version="1.0.0" extends="deploy">
  <metadata>
    <description>Between</description>
  </metadata>
</directive>
```

Stand between.
=== .ai/directives/release.md
```xml
<directive name="release" version="1.0.0" extends="middle">
  <metadata>
    <description>Release</description>
    <permissions>
      <execute>
        <tool>rye.file-system.read</tool>
      </execute>
    </permissions>
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
    <permissions>
      <execute>
        <tool>deploy/push</tool>
      </execute>
    </permissions>
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
};

/// More capabilities are counted, not named.
const MOST_NAMED: usize = 3;

fn check(composed: &Composed<'_>, _: &Project<'_>, found: &mut Findings<'_>) {
    let own = &composed.directive.permissions;
    // What the directive would have if it declared nothing.
    let (false, Some((parent, allowed))) = (own.is_empty(), composed.inherited.first) else { return };
    let is_allowed = |capability: &str| allowed.iter().any(|it| fnmatch::matches(capability, &it.capability));
    let wider: Vec<_> = own.iter().filter(|it| !is_allowed(&it.capability)).collect();
    let Some(first) = wider.first() else { return };
    let mut named: Vec<String> = wider.iter().take(MOST_NAMED).map(|it| format!("`{}`", it.capability)).collect();
    if wider.len() > MOST_NAMED {
        named.push(format!("{} more", wider.len() - MOST_NAMED));
    }
    let message = format!("`{}` grants what `{}` does not: {}", composed.leaf.id, parent.id, named.join(", "));
    found.at(&first.span, message).related(&allowed[0].span, "the permissions of the chain begin here");
}
