use super::misplaced::{self, Reason};
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR046",
    name: "tag_misspelt",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an element whose name is almost one that counts",
    help: "correct the name",
    rationale: "\
An element of the block that no rule knows is read over. When its name is one letter away from one that counts, or \
is its singular or plural, what it declares is missing from the prompt or from what is granted, and nothing says so \
(Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permission>
      <execute><tool>rye.file-system.read</tool></execute>
    </permission>
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
    check: Check::Directive(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <contexts>
      <before>deploy/rules</before>
    </contexts>
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
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <content>Deployments</content>
    <mode>strict</mode>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(_: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| !part.is_repeated) {
        if let Some(Reason::Misspelt(meant)) = misplaced::of(part) {
            let finding = found.at(&part.span, format!("nothing reads <{}>", part.tag));
            finding.help(format!("did you mean <{meant}>?"));
        }
    }
}
