use crate::diagnostic::{Diagnostic, Problem};
use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::protocol::Scope;
use crate::store::{ItemKind, TierKind};

use super::ids::{Dangling, item_of};

pub(super) const RULE: Rule = Rule {
    code: "RR107",
    name: "hook_item_missing",
    group: Group::References,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an action of a hook that names an item which no tier has",
    help: "add the item or correct the id",
    rationale: "\
When a hook applies and its item is in no tier, the hook adds nothing, and every prompt that it should shape goes without. \
An id with `${…}` is known only when the hook runs, so nothing is said about it. A tool of the `rye/` namespace may be \
part of a runtime that is not installed here: without a system bundle on disk nothing is said about those either \
(Directives, \"Knowledge\" and \"Configuration and hooks\").",
    bad: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: house_rules
    event: thread_started
    action: {primary: fetch, item_type: knowledge, item_id: house/rule}
=== .ai/knowledge/house/rules.md
```yaml
name: rules
```

Ask before you delete.
"#,
    ),
    good: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: house_rules
    event: thread_started
    action: {primary: fetch, item_type: knowledge, item_id: house/rules}
=== .ai/knowledge/house/rules.md
```yaml
name: rules
```

Ask before you delete.
"#,
    ),
    fix: FixKind::None,
    check: Check::Hook(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
    <hooks>
      <hook id="runbook" event="thread_started">
        <action primary="fetch" item_type="directive" item_id="deploy/runbook"/>
      </hook>
    </hooks>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: rules_of_the_model
    event: thread_started
    action: {primary: fetch, item_type: knowledge, item_id: "house/${model}"}
=== .ai/knowledge/house/general.md
```yaml
name: general
```

Ask before you delete.
"#,
    ),
};

fn check(hook: &Hook, _file: Option<&File>, project: &Project<'_>, found: &mut Findings<'_>) {
    if project.protocol.context == Scope::None {
        return;
    }
    for action in &hook.actions {
        let Some((kind, id)) = item_of(action) else { continue };
        let dangling = Dangling::find(kind, id.as_str(), project);
        let Some(dangling) = dangling.filter(|dangling| !dangling.is_told_by_case(project)) else { continue };
        if kind != ItemKind::Knowledge && id.as_str().starts_with("rye/") && !has_bundle(project) {
            continue;
        }
        let asked_by = format!("hook {}", hook.name());
        let problem = Problem::ItemMissing { kind: kind.into_str(), id: id.as_str().to_string(), asked_by };
        let finding = found.diagnosed(&Diagnostic::at(problem, &id.span), || (&id.span).into());
        finding.help(dangling.help(RULE.help));
    }
}

/// Whether a bundle other than the embedded one, which has few tools, stands below the project.
fn has_bundle(project: &Project<'_>) -> bool {
    project.tiers.list().iter().any(|tier| tier.kind == TierKind::System && tier.root.is_some())
}
