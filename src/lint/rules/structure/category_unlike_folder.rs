use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR006",
    name: "category_unlike_folder",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a directive whose category is not its folder",
    help: "write the folder below .ai/directives as the category, or move the file",
    rationale: "\
The category of a directive is the folder in which it lies. Hooks that choose a parent see the category as it is \
written, so that one left over from another folder sends the directive into the wrong chain (Context Injection, \
\"Dynamic Routing via resolve_extends Hooks\"). A directive in no folder may say what it likes.",
    bad: Example(
        r#"=== .ai/directives/app/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <category>web</category>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    good: Example(
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
    fix: FixKind::None,
    check: Check::Directive(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/app/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <category>web</category>
  </metadata>
</directive>
```

Do what the description says.
=== .ai/directives/app/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="app/base">
  <metadata>
    <description>Deploy</description>
    <category>app</category>
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
    <category>tools</category>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(file: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(category) = directive.category.as_ref().filter(|category| !category.text.is_empty()) else { return };
    let Some((folder, _)) = file.id.rsplit_once('/') else { return };
    if category.as_str() != folder {
        let message = format!("the category is `{}`, but the directive lies in `{folder}`", category.as_str());
        found.at(&category.span, message);
    }
}
