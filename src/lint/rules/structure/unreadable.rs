use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::limits;
use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::store::TierKind;

pub(super) const RULE: Rule = Rule {
    code: "RR004",
    name: "unreadable",
    group: Group::Structure,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "a file that cannot be read, or holds more than is read",
    help: "put a regular file of a sensible size there that everybody may read",
    rationale: "\
Only regular files are read, up to a limit, and YAML that unfolds to more than anyone writes is refused. A file that \
is there but cannot be read is no missing item: the prompt that needs it is not made (Directives, \"Where items \
are\").",
    bad: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f]
h: &h [*g, *g, *g, *g, *g, *g, *g, *g, *g]
i: &i [*h, *h, *h, *h, *h, *h, *h, *h, *h]
name: rules
```

Never deploy on a Friday.
"#,
    ),
    good: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    fix: FixKind::None,
    check: Check::Project(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f]
h: &h [*g, *g, *g, *g, *g, *g, *g, *g, *g]
i: &i [*h, *h, *h, *h, *h, *h, *h, *h, *h]
name: rules
```

Never deploy on a Friday.
=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <context>
      <before>deploy/rules</before>
    </context>
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
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
days: &days [friday, saturday]
closed: *days
quiet: *days
```

Never deploy on a Friday.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    for file in &project.files {
        for diagnostic in file.diagnostics.iter().filter(|it| is_unreadable(it)) {
            found.diagnosed(diagnostic, || project.location(file));
        }
    }
    if project.is_chained_too_long() {
        let at = Location::File { tier: "".into(), path: String::new(), revision: None, position: None };
        let limit = limits::LINT_CHAINED;
        found
            .at(at, format!("more than the limit of {limit} directives in all chains, whose context is not looked at"));
    }
    for file in project.linted().filter(|file| project.is_costly(file)) {
        found.at(
            project.location(file),
            "the patterns of its conditions take longer than they may, and are not looked at",
        );
    }
    // Of a folder, or of a file that no item is: the finding belongs to the project as a whole.
    let of_project =
        |label: &str| project.tiers.list().iter().any(|tier| tier.kind == TierKind::Project && *tier.label == *label);
    for diagnostic in project.diagnostics.iter().filter(|it| is_unreadable(it)) {
        let Some(Location::File { tier, path, .. }) = &diagnostic.at else { continue };
        let is_file = project.files.iter().any(|file| file.path == *path);
        if of_project(tier) && !is_file {
            let at = Location::File { tier: "".into(), path: String::new(), revision: None, position: None };
            found.at(at, format!("`{path}`: {}", diagnostic.message()));
        }
    }
}

fn is_unreadable(diagnostic: &Diagnostic) -> bool {
    use Problem::{NameNotUtf8, NotAFile, OverLimit, TooLarge, Unreadable, YamlTooLarge};
    matches!(
        diagnostic.problem,
        Unreadable { .. } | NameNotUtf8 | NotAFile { .. } | TooLarge { .. } | YamlTooLarge { .. } | OverLimit { .. }
    )
}
