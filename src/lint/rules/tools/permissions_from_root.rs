use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::finding::Findings;
use crate::lint::project::{Composed, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR408",
    name: "permissions_from_root",
    group: Group::Tools,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "permissions that come from the far end of the chain",
    help: "declare permissions in the directive itself",
    rationale: "\
A directive without permissions has those of the ancestor nearest the *root* that declares some. What its own \
parent declares, most often to narrow them, does not count, so the directive may do more than the one it extends \
(Directives, \"Chain\").",
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
=== .ai/directives/middle.md
```xml
<directive name="middle" version="1.0.0" extends="deploy">
  <metadata>
    <description>Between</description>
    <permissions>
      <execute>
        <tool>deploy.push</tool>
      </execute>
    </permissions>
  </metadata>
</directive>
```

Stand between.
=== .ai/directives/release.md
```xml
<directive name="release" version="1.0.0" extends="middle">
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
=== .ai/directives/middle.md
```xml
<directive name="middle" version="1.0.0" extends="deploy">
  <metadata>
    <description>Between</description>
    <permissions>
      <execute>
        <tool>deploy.push</tool>
      </execute>
    </permissions>
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
        <tool>deploy.*</tool>
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
    <permissions>
      <execute>
        <tool>deploy.push</tool>
      </execute>
    </permissions>
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
        <tool>deploy.push</tool>
      </execute>
    </permissions>
  </metadata>
</directive>
```

Release what is ready.
=== .ai/directives/hotfix.md
```xml
<directive name="hotfix" version="1.0.0" extends="middle">
  <metadata>
    <description>Fix</description>
  </metadata>
</directive>
```

Fix it.
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

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !composed.directive.permissions.is_empty() || composed.inherited.declaring < 2 {
        return;
    }
    let chain = composed.chain();
    let mut declaring = chain.iter().filter(|member| member.directive.is_some_and(|it| !it.permissions.is_empty()));
    let Some(root) = declaring.next() else { return };
    let skipped: Vec<_> = declaring.collect();
    let ids = skipped.iter().map(|member| member.file.id.clone()).collect();
    let problem = Problem::PermissionsFromRoot { from: root.file.id.clone(), skipped: ids };
    // The render points at the root; what has to be changed is here.
    let at = match &composed.directive.extends {
        Some(extends) => (&extends.span).into(),
        None => project.location(composed.leaf),
    };
    let finding = found.diagnosed(&Diagnostic { problem, at: Some(at) }, || project.location(composed.leaf));
    for member in [root].into_iter().chain(skipped.last().copied()) {
        if let Some(first) = member.directive.and_then(|directive| directive.permissions.first()) {
            finding.related(&first.span, format!("`{}` declares its permissions here", member.file.id));
        }
    }
}
