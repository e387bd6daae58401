use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR001",
    name: "no_xml_block",
    group: Group::Structure,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "a directive without an xml block that can be used",
    help: "add a line ```xml, the <directive> element, and a line ```",
    rationale: "\
A directive is read from the first `xml` fence that no longer fence hides. Without one there is nothing to run: the \
directive is refused, and a child that extends it gets nothing from it (Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/hello.md
# Hello

Say hello to whoever asks.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/hello.md
# Hello

```xml
<directive name="hello" version="1.0.0">
  <metadata>
    <description>Say hello</description>
  </metadata>
</directive>
```

Say hello to whoever asks.
"#,
    ),
    fix: FixKind::None,
    check: Check::Diagnosed,
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
Nothing but words.
=== .ai/directives/hello.md
```xml
<directive name="hello" version="1.0.0" extends="base">
  <metadata><description>Say hello</description></metadata>
</directive>
```

Say hello.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/hello.md
````
```xml
<directive name="hello" version="1.0.0">
  <metadata><description>Say hello</description></metadata>
</directive>
```

Say hello.
"#,
    ),
};
