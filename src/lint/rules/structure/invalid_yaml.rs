use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR042",
    name: "invalid_yaml",
    group: Group::Structure,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "YAML that is not valid",
    help: "correct the file at the place that is named",
    rationale: "\
The block of a knowledge item and the files of the configuration are YAML. An item whose block cannot be read is \
left out of every prompt; a file of the configuration that cannot be read stops all of them (Directives, \
\"Knowledge\" and \"Configuration and hooks\").",
    bad: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: [rules
```

Never deploy on a Friday.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    good: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    fix: FixKind::None,
    check: Check::Diagnosed,
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: [rules
```

Never deploy on a Friday.
=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: "[rules"
```

Never deploy on a Friday.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};
