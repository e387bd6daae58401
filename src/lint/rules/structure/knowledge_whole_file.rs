use super::uses;
use crate::assemble;
use crate::diagnostic::Problem;
use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR036",
    name: "knowledge_whole_file",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a knowledge item that a hook injects as a whole file",
    help: "put the text after the ```yaml block",
    rationale: "\
A hook takes the first of three that is not empty: the key `content`, the text, the file. An item without text of \
its own is therefore injected as the whole file, with its YAML block and, where it is signed, its signature \
(Directives, \"Knowledge\").",
    bad: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```


=== .ai/config/agent/hooks.yaml
hooks:
  - id: house_rules
    event: thread_started
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
    ),
    good: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
=== .ai/config/agent/hooks.yaml
hooks:
  - id: house_rules
    event: thread_started
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
    ),
    fix: FixKind::None,
    check: Check::Project(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```


=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook id="rules" event="thread_started">
        <action primary="fetch" item_type="knowledge" item_id="deploy/rules" />
      </hook>
    </hooks>
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
content: Never deploy on a Friday.
```


=== .ai/config/agent/hooks.yaml
hooks:
  - id: house_rules
    event: thread_started
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
    ),
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let problem = |id: &str, item: &_| {
        let problem = assemble::hook_text_problem(id, item);
        problem.filter(|problem| matches!(problem, Problem::KnowledgeWholeFile { .. }))
    };
    uses::report(project, found, problem, |asked| asked.takes_hook_text(project));
}
