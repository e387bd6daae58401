use crate::item::{Directive, Within};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR048",
    name: "limit_ignored",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a limit that is written as an element",
    help: "write it as an attribute: <limits turns=\"6\" />",
    rationale: "\
Limits are the attributes of `<limits>`. Elements in it are not read, so that what they say is not limited and the \
defaults of `resilience.yaml` hold (Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <limits>
      <turns>6</turns>
    </limits>
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
    <limits turns="6" />
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
    <limits turns="6">
      <tokens>5000</tokens>
    </limits>
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
    <limits turns="6">Six turns are enough</limits>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(_: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| part.within == Within::Limits) {
        found.at(&part.span, format!("<{}> in <limits> limits nothing", part.tag));
    }
}
