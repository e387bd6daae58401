use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR005",
    name: "name_unlike_file",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a directive whose name is not that of its file",
    help: "give the directive the name of its file, or rename the file",
    rationale: "\
A directive is found by the path of its file, while the model is told the name that stands in it. When the two \
differ, what a log or an answer calls the directive cannot be found under that name, most often since a file was \
copied (Prompt Rendering 1.2.0, \"What's INCLUDED in the Prompt\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="release" version="1.0.0">
  <metadata>
    <description>Deploy</description>
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
<directive name="release" version="1.0.0">
  <metadata>
    <description>Base</description>
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
        r#"=== .ai/directives/app/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <category>app</category>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(file: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(name) = directive.name.as_ref().filter(|name| !name.text.is_empty()) else { return };
    // The whole id is as good a name.
    if name.as_str() != file.stem() && name.as_str() != file.id {
        let message = format!("the directive is called `{}`, its file `{}`", name.as_str(), file.stem());
        found.at(&name.span, message);
    }
}
