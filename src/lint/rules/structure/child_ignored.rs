use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR033",
    name: "child_ignored",
    group: Group::Structure,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "an element of <inputs> or <outputs> that declares nothing",
    help: "declare each with its own element: <output> in <outputs>, <input> in <inputs>",
    rationale: "\
Only `<input>` in `<inputs>` and `<output>` in `<outputs>` declare anything. Other elements there, such as the \
`<success>` and `<failure>` of older directives, are passed over; with nothing else, nothing counts as declared \
(Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <outputs>
    <success>It runs</success>
  </outputs>
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
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="log" type="string">What was done</output>
  </outputs>
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
  <outputs>
    <success>It runs</success>
  </outputs>
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
  <outputs>
    <!-- <success>It runs</success> -->
    <output name="url" type="string">Where it runs</output>
  </outputs>
</directive>
```

Do what the description says.
"#,
    ),
};
