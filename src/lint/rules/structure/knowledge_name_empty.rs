use super::uses;
use crate::diagnostic::Problem;
use crate::item::Knowledge;
use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR039",
    name: "knowledge_name_empty",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a knowledge item with an empty name that a hook wraps",
    help: "give it a name",
    rationale: "\
The text of a hook stands in an element that is called as the item is. An empty name counts as none, and the last \
segment of the id takes its place (Directives, \"Knowledge\").",
    bad: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: ""
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
name: ""
```

Never deploy on a Friday.
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
name: ""
```

Never deploy on a Friday.
=== .ai/config/agent/hooks.yaml
hooks:
  - id: house_rules
    event: thread_started
    wrap: false
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
    ),
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let problem = |id: &str, item: &Knowledge| {
        let is_empty = item.metadata.get("name").is_some_and(|name| !name.value().is_true());
        is_empty.then(|| Problem::KnowledgeNameEmpty { id: id.to_string() })
    };
    uses::report(project, found, problem, |asked| asked.takes_name(project));
}
