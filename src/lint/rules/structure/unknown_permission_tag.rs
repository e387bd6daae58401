use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR010",
    name: "unknown_permission_tag",
    group: Group::Structure,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "an element of <permissions> that no protocol word names",
    help: "use the words of the protocol: execute, fetch, sign; or acknowledge",
    rationale: "\
What a directive may do is granted by the words of the protocol. A word that it does not have is no grant that could \
be ignored: the directive is refused. `<search>` and `<load>` belong to older protocols, where `<fetch>` stands now \
(Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <search><tool>rye.file-system.read</tool></search>
    </permissions>
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
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute><tool>rye.file-system.read</tool></execute>
    </permissions>
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
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <permissions>
      <search><tool>rye.file-system.read</tool></search>
    </permissions>
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
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <acknowledge risk="low">Reads files only</acknowledge>
      <execute><tool>rye.file-system.read</tool></execute>
    </permissions>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};
