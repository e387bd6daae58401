use super::misplaced::{self, Reason};
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR045",
    name: "declaration_misplaced",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a declaration in a place where nothing reads it",
    help: "move it to where it belongs",
    rationale: "\
Permissions, limits, the model, context and hooks are declared in `<metadata>`, inputs and outputs beside it. A \
declaration at the other place is read over: `<permissions>` in the root grants nothing although the prompt shows \
it, and `<inputs>` in the metadata declare none. The same holds for entries without the element around them, such as \
a `<before>` outside `<context>` (Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <limits turns="6" />
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
  </metadata>
  <context>
    <before>deploy/rules</before>
  </context>
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
    <author>ops</author>
  </metadata>
  <description>Deploy</description>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(_: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| !part.is_repeated) {
        if let Some(Reason::Belongs(parent)) = misplaced::of(part) {
            found.at(&part.span, format!("<{}> stands outside <{parent}>, where nothing reads it", part.tag));
        }
    }
}
