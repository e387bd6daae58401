use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR023",
    name: "root_attributes_hidden",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "attributes of <directive> that something in front hides",
    help: "begin the block with <directive, and write &gt; for a > in its attributes",
    rationale: "\
Name, version and parent are found by a pattern that wants the block to begin with `<directive` and ends at the \
first `>`. After a comment or a declaration none of them is found: the prompt has no name, and the directive extends \
nothing (Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<!-- What runs on Mondays -->
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <!-- What runs on Mondays -->
  <metadata>
    <description>Deploy</description>
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
        r#"=== .ai/directives/base.md
```xml
<!-- Nobody runs this -->
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
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
        r#"=== .ai/directives/deploy.md
<!-- What runs on Mondays -->

```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};
