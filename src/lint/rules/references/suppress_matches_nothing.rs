use crate::assemble::suppressible_names;
use crate::lint::finding::Findings;
use crate::lint::project::{Composed, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::nearest::nearest;

use super::suppression::unmatched;
use super::{id_case, suppress_base_name};

pub(super) const RULE: Rule = Rule {
    code: "RR104",
    name: "suppress_matches_nothing",
    group: Group::References,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a `<suppress>` that matches nothing in any prompt it acts on",
    help: "remove it, or write the id of a hook or of an item as the prompt has it",
    rationale: "\
A `<suppress>` leaves out the hook of that id, the hook whose only action names that item, and the items of that id that \
the chain places. It acts on the prompt of its own directive and on those of all directives that extend it, so a base \
may well suppress what only its children bring in. One that matches nothing in any of them does nothing: the layer was \
renamed, or never stood there (Directives, \"Configuration and hooks\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
    <context>
      <before>deploy/rules</before>
      <suppress>deploy/checklist</suppress>
    </context>
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
<directive name="deploy" version="1.0.0" extends="team">
  <metadata>
    <description>Deploy the service</description>
    <context>
      <suppress>deploy/rules</suppress>
    </context>
  </metadata>
</directive>
```

Deploy the service.
=== .ai/directives/team.md
```xml
<directive name="team" version="1.0.0">
  <metadata>
    <description>What the team agreed on</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Work as the team agreed.
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
    <context><suppress>deploy/checklist</suppress></context>
  </metadata>
</directive>
```

Tell what you do.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
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
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>What all deployments share</description>
    <context>
      <suppress>deploy/rules</suppress>
      <suppress>ctx_environment</suppress>
    </context>
  </metadata>
</directive>
```

Tell what you do.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
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
};

/// Of how many suppressions of one directive it is asked what was meant.
const MOST_COMPARED: usize = 100;

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    for (index, unmatched) in unmatched(composed, project).into_iter().enumerate() {
        let name = unmatched.field.as_str();
        // Two rules that know what was meant.
        let is_base_name = !unmatched.by_last_segment.is_empty() && project.options.speaks(&suppress_base_name::RULE);
        let is_case = !unmatched.by_case.is_empty() && project.options.speaks(&id_case::RULE);
        if is_base_name || is_case {
            continue;
        }
        let finding = found.at(&unmatched.field.span, format!("`{name}` suppresses nothing"));
        if let Some(help) = never(name, project) {
            finding.help(help);
        } else if index < MOST_COMPARED
            && let Some(near) = nearest(name, unmatched.ids.iter().copied())
        {
            finding.help(format!("did you mean `{near}`?"));
        }
    }
}

/// Why a hook that is there is not suppressed by that name.
fn never(name: &str, project: &Project<'_>) -> Option<String> {
    let mut hooks = project.configured_hooks();
    hooks.find_map(|hook| {
        let names_item = || hook.actions.iter().any(|it| it.item_id.as_ref().is_some_and(|id| id.as_str() == name));
        if suppressible_names(hook).any(|id| id == name) && !hook.shapes_messages() {
            Some(format!("hooks of {} cannot be suppressed: give hook {} a condition", hook.event, hook.name()))
        } else if hook.actions.len() > 1 && hook.shapes_messages() && names_item() {
            Some(format!("a hook with several actions is suppressed by its own id alone: `{}`", hook.name()))
        } else {
            None
        }
    })
}
