use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR003",
    name: "invalid_utf8",
    group: Group::Structure,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "a file that is not UTF-8",
    help: "save the file as UTF-8",
    rationale: "\
Items are read as UTF-8, and a byte that cannot be decoded makes the whole file unreadable: a directive is refused, \
and a knowledge item stops every prompt that asks for it (Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md (Latin-1)
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Grüße an alle.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Grüße an alle.
"#,
    ),
    fix: FixKind::None,
    check: Check::Diagnosed,
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md (Latin-1)
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
  </metadata>
</directive>
```

Grüße an alle.
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
        r#"=== .ai/directives/deploy.md (Latin-1)
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Hello to all.
"#,
    ),
};
