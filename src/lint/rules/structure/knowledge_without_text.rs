use super::uses::{self, Use, User};
use crate::diagnostic::{Diagnostic, Problem};
use crate::item::{Knowledge, NoText, TextPlace};
use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule {
    code: "RR017",
    name: "knowledge_without_text",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a knowledge item that contributes nothing",
    help: "put the text after the ```yaml block",
    rationale: "\
An item that a directive places gives its text: what follows its `yaml` block, or the `body` of a pure YAML file. \
Without one it adds nothing, and nobody is told: the directive runs without the knowledge that it relies on \
(Directives, \"Knowledge\").",
    bad: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```


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
        r#"=== .ai/knowledge/deploy/rules.yaml
name: rules
text: Never deploy on a Friday.
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
        r#"=== .ai/knowledge/deploy/rules.yaml
name: rules
body: Never deploy on a Friday.
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
    let is_placed = |asked: &Use<'_>| matches!(asked.by, User::Chain) && !asked.takes_hook_text(project);
    uses::report(project, found, |id, item| (!item.has_text()).then(|| problem(id, item)), is_placed);

    // An item that nobody asks for yet is without its text all the same.
    let linted = project.linted().filter_map(|file| Some((file, file.knowledge()?)));
    let empty: Vec<_> = linted.filter(|(_, item)| !item.has_text() && is_meant_to_have_text(item)).collect();
    if empty.is_empty() {
        return;
    }
    let used: HashSet<&str> = uses::uses(project).map(|asked| asked.id.as_str()).collect();
    for (file, item) in empty {
        if !used.contains(file.id.as_str()) && uses::counts(project, file) {
            let diagnostic = Diagnostic::at(problem(&file.id, item), project.location(file));
            found.diagnosed(&diagnostic, || project.location(file));
        }
    }
}

fn problem(id: &str, item: &Knowledge) -> Problem {
    Problem::KnowledgeWithoutText { id: id.to_string(), reason: item.why_no_text() }
}

/// Whether an item that nothing asks for wants to be more than data or notes.
fn is_meant_to_have_text(item: &Knowledge) -> bool {
    let has_content = item.metadata.get("content").is_some();
    match item.place {
        TextPlace::Block(_) | TextPlace::Key(_) => !has_content,
        TextPlace::Nowhere(reason) => reason == NoText::NotYaml,
    }
}
