use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR009",
    name: "context_tag_ignored",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an element of <context> that adds nothing",
    help: "use one of: system, before, after, suppress",
    rationale: "\
A `<context>` has four kinds of entries: `<system>`, `<before>`, `<after>` and `<suppress>`. Any other is passed \
over without a word, and the knowledge that it names never reaches the model (Prompt Rendering 1.2.0, \"Context \
Injection from <context> Directive Metadata\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <sytem>deploy/rules</sytem>
    </context>
  </metadata>
</directive>
```

Do what the description says.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <system>deploy/rules</system>
    </context>
  </metadata>
</directive>
```

Do what the description says.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    fix: FixKind::None,
    check: Check::Diagnosed,
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <context>
      <sytem>deploy/rules</sytem>
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
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <!-- <sytem>deploy/rules</sytem> -->
      <after>deploy/rules</after>
    </context>
  </metadata>
</directive>
```

Do what the description says.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
};
