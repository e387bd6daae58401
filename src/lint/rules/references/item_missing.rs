use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::finding::Findings;
use crate::lint::project::{Becomes, Composed, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::store::ItemKind;

use super::ids::Dangling;
use super::suppression::may_be_routed;

pub(super) const RULE: Rule = Rule {
    code: "RR106",
    name: "item_missing",
    group: Group::References,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a knowledge item in `<context>` that no tier has",
    help: "add the item or correct the id",
    rationale: "\
A `<system>`, `<before>` or `<after>` that names an item which no tier has adds nothing: the prompt is rendered without \
it, and the model never learns that something is missing. It is told where the item is named, not in every directive \
that inherits it (Directives, \"Knowledge\" and \"Chain\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
    <context><before>deploy/rule</before></context>
  </metadata>
</directive>
```

Deploy the service.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
    <context><before>deploy/rules</before></context>
  </metadata>
</directive>
```

Deploy the service.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    fix: FixKind::None,
    check: Check::Composed(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>What all deployments share</description>
    <context><system>deploy/identity</system></context>
  </metadata>
</directive>
```

Tell what you do.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
    <context>
      <system>rye/agent/core/Identity</system>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Deploy the service.
=== user:.ai/knowledge/deploy/rules.yml
name: rules
body: Never deploy on a Friday.
"#,
    ),
};

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let own = composed.context.iter().filter(|asked| asked.by.id == composed.leaf.id && asked.file.is_none());
    for asked in own {
        // Under one parent it may be suppressed, and under one that a hook sets not.
        if matches!(asked.becomes, Becomes::Suppressed(_)) && !may_be_routed(composed, project) {
            continue;
        }
        // Once is enough for a directive; a base that asks for it too has to be put right as well.
        if matches!(asked.becomes, Becomes::Duplicate(first) if first.span.source() == asked.id.span.source()) {
            continue;
        }
        let id = asked.id.as_str();
        let dangling = Dangling::find(ItemKind::Knowledge, id, project);
        let Some(dangling) = dangling.filter(|dangling| !dangling.is_told_by_case(project)) else { continue };
        let asked_by = composed.leaf.id.clone();
        let problem = Problem::ItemMissing { kind: "knowledge", id: id.to_string(), asked_by };
        let finding = found.diagnosed(&Diagnostic::at(problem, &asked.id.span), || project.location(asked.by));
        finding.help(dangling.help(RULE.help));
    }
}
