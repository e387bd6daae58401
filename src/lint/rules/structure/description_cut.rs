use crate::item::{Directive, Within};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR049",
    name: "description_cut",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a description that ends where an element begins in it",
    help: "write the description without elements, or < as &lt;",
    rationale: "\
The description of a directive or of an output is the text up to the first element in it. What stands in that \
element and behind it reaches nobody (Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy to <env>staging</env> and check</description>
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
    <description>Deploy to &lt;env&gt; and check</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    fix: FixKind::None,
    check: Check::Directive(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
  </metadata>
  <outputs>
    <output name="url" type="string">Where <b>it</b> runs</output>
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
    <description>Deploy to <![CDATA[<env>]]> and check</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(_: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in &directive.unread {
        if matches!(part.within, Within::Description | Within::Output) {
            found.at(&part.span, format!("the description ends before <{}>", part.tag));
        }
    }
}
