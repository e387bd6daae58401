use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR041",
    name: "duplicate_key",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a key that stands twice in one map",
    help: "remove one of the two",
    rationale: "\
Of two equal keys the last one counts, in knowledge and in configuration. The first is lost without a word, which is \
rarely what a merge or a copy was meant to do (Directives, \"Knowledge\").",
    bad: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
name: laws
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
name: rules
name: laws
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
name: rules
links:
  - name: one
  - name: two
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
