use super::uses;
use crate::assemble;
use crate::diagnostic::{Diagnostic, Problem};
use crate::diagnostic::{Location, Severity};
use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::lint::project::{Content, File, FileKind};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::store::ItemKind;
use std::collections::HashMap;

pub(super) const RULE: Rule = Rule {
    code: "RR038",
    name: "knowledge_broken",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a knowledge item that is left out because its YAML is broken",
    help: "correct the yaml block of the item",
    rationale: "\
An item whose YAML block cannot be read is left out of the prompt, and the prompt is made without it. It is reported \
where the item is asked for; what is wrong with the block is said at the block (Directives, \"Knowledge\").",
    bad: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: [rules
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
name: [rules
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
name: [rules
```

Never deploy on a Friday.
"#,
    ),
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let broken: HashMap<&str, (&File, &Diagnostic)> = project
        .files
        .iter()
        .filter_map(|file| Some((file.id.as_str(), (file, fault(file)?))))
        .filter(|(_, (file, _))| uses::counts(project, file))
        .collect();
    if broken.is_empty() {
        return;
    }
    for asked in uses::uses(project).filter(|asked| asked.parses(project)) {
        let Some((file, fault)) = broken.get(asked.id.as_str()) else { continue };
        let problem = Problem::KnowledgeBroken { id: file.id.clone(), reason: assemble::reason_of(fault) };
        // The block itself is reported as no valid YAML.
        let finding = found.diagnosed(&Diagnostic::at(problem, &asked.id.span), || (&asked.id.span).into());
        if let Some(at @ Location::Span(_)) = &fault.at {
            finding.related(at.clone(), "the block is broken here");
        }
    }
}

/// What is wrong with the metadata of an item.
fn fault(file: &File) -> Option<&Diagnostic> {
    let is_item = file.kind == FileKind::Item(ItemKind::Knowledge) && matches!(file.content, Content::Nothing);
    let mut diagnostics = file.diagnostics.iter().filter(|_| is_item && file.source.is_some());
    diagnostics.find(|it| it.severity() == Severity::Error && !it.problem.is_limit())
}
