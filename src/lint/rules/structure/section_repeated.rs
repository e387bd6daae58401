use crate::item::{Directive, Within};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR047",
    name: "section_repeated",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a section that stands twice, of which one counts",
    help: "put both into one",
    rationale: "\
There is one `<metadata>`, one `<inputs>` and one `<outputs>`: a second is not read. In `<metadata>` it is the other \
way round: of two `<permissions>` or `<context>` the last one counts, and the first grants and adds nothing \
(Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <system>deploy/rules</system>
    </context>
    <context>
      <before>deploy/steps</before>
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
=== .ai/knowledge/deploy/steps.md
```yaml
name: steps
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
      <before>deploy/steps</before>
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
=== .ai/knowledge/deploy/steps.md
```yaml
name: steps
```

Never deploy on a Friday.
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
    <output name="url" type="string">Where it runs</output>
    <output name="log" type="string">What was done</output>
  </outputs>
  <outputs>
    <output name="page" type="string">Where it runs</output>
    <output name="notes" type="string">What was done</output>
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
  <raw>one</raw>
  <raw>two</raw>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(_: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| part.is_repeated) {
        found.at(
            &part.span,
            match part.within {
                Within::Root => format!("another <{}> stands before this one, which is not read", part.tag),
                _ => format!("another <{}> follows this one, which does not count", part.tag),
            },
        );
    }
}
