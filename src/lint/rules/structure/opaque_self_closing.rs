use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR027",
    name: "opaque_self_closing",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an empty opaque element that swallows what follows it",
    help: "remove it, or write an opening and a closing tag",
    rationale: "\
A `<raw/>`, `<template/>` or `<example/>` is not the empty element that it looks like: the section runs on to the \
next closing tag of that name, and inputs, outputs or metadata between the two are not read (Directives, \"Reading a \
directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <raw/>
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="log" type="string">What was done</output>
  </outputs>
  <raw>a &lt; b</raw>
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
  </metadata>
  <raw></raw>
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="log" type="string">What was done</output>
  </outputs>
  <raw>a &lt; b</raw>
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
  </metadata>
  <raw/>
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="log" type="string">What was done</output>
  </outputs>
  <raw>a &lt; b</raw>
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
  </metadata>
  <raw/>
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="log" type="string">What was done</output>
  </outputs>
</directive>
```

Do what the description says.
"#,
    ),
};
