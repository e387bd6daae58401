use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR029",
    name: "outputs_in_metadata",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "<outputs> in <metadata>, where they declare nothing",
    help: "move it out of <metadata>, beside it",
    rationale: "\
Outputs are declared in the root of the block. In `<metadata>` they are kept as text: the prompt does not ask for \
them, and no tool to return them is offered (Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <outputs>
      <output name="url" type="string">Where it runs</output>
      <output name="log" type="string">What was done</output>
    </outputs>
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
    <outputs>
      <output name="url" type="string">Where it runs</output>
      <output name="log" type="string">What was done</output>
    </outputs>
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
    <!-- <outputs>  <output name="url" type="string">Where it runs</output>  <output name="log" type="string">What was done</output></outputs> -->
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
};
