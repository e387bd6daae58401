use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::lint::scope::Patterns;

pub(super) const RULE: Rule = Rule {
    code: "RR903",
    name: "path_setting_unused",
    group: Group::Lint,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a pattern of `lint.paths` that matches no file, or a rule that finds nothing there",
    help: "correct it, or take it away",
    rationale: "\
An entry of `lint.paths` in `.ai/config/rye-render.yaml` sets other levels for the files that its patterns match, as a \
`.gitignore` in the project's folder would. Where a pattern matches nothing, its files are gone or were renamed, or it is \
misspelt: rules then speak about files that were meant to be left alone, or the next file of that name is left alone \
unseen. What begins with `!` takes files back in and is not looked at. Likewise a rule that is ignored by its name in \
files in which it finds nothing: such an entry allows what nobody does, until somebody does it.",
    bad: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  paths:
    - {files: [legacy/], ignore: [RR007]}
=== .ai/directives/old/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy a service</description>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
    good: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  paths:
    - {files: [old/], ignore: [RR007]}
=== .ai/directives/old/deploy.md
```xml
<directive name="deploy">
  <metadata>
    <description>Deploy a service</description>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
    fix: FixKind::None,
    check: Check::Project(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  paths:
    - files: [/.ai/knowledge/deploy/, /knowledge/deploy/rules.md]
      ignore: [RR503]
=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Work on a service</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Work on the service.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy a service</description>
  </metadata>
</directive>
```

Deploy the service.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
category: deploy
```

Never deploy on a Friday.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/config/rye-render.yaml
lint:
  paths:
    - {files: ["*.md", "!deploy.md"], rules: {RR007: note}}
=== .ai/directives/old/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy a service</description>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let files = || project.files.iter().filter(|file| project.is_of_project(file));
    let written = project.options.paths.iter().flat_map(|entry| &entry.patterns);
    for (pattern, at) in written.filter(|(pattern, _)| !pattern.starts_with('!')) {
        let Ok(alone) = Patterns::new([pattern.as_str()].into_iter()) else { continue };
        if let Some(at) = at.as_ref().filter(|_| !files().any(|file| alone.matches(&file.path))) {
            found.at(at, format!("`{pattern}` matches no file of the project that is read"));
        }
    }
}
