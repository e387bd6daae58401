use crate::lint::allow::Allowance;
use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR902",
    name: "allowance_invalid",
    group: Group::Lint,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an allowance that cannot be honoured",
    help: "write `rye-render: allow CODE reason` where nothing is sent or signed",
    rationale: "\
An allowance names rules that there are, by code or name and separated by commas, and gives a reason. It never changes \
what a model receives: so it stands in a comment of `hooks.yaml` or other configuration, of the `yaml` block of a \
knowledge item, or of a directive's `xml` block outside `<permissions>` and opaque sections. Everywhere else it would be \
sent: with the body, with the permissions, which are shown as written, or with a file that a hook puts into a prompt \
whole (Directives, \"Knowledge\", \"Reading a directive\"). In a signed file it would break the signature. There a \
setting for the path does the same.",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy a service</description>
    <context>
      <before>deploy/rules</before>
      <!-- rye-render: allow RR105 -->
      <suppress>deploy/rules</suppress>
    </context>
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
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy a service</description>
    <context>
      <before>deploy/rules</before>
      <!-- rye-render: allow RR105 a hook of the next release has this name -->
      <suppress>rules</suppress>
    </context>
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
    fix: FixKind::None,
    check: Check::Allowances(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: show
    event: thread_started
    action:
      primary: fetch
      item_type: directive
      item_id: deploy
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <!-- rye-render: allow RR105 the hook sends every byte of this file -->
  <metadata>
    <description>Deploy a service</description>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/knowledge/linting.md
```yaml
name: linting
```

To let a finding be, write `<!-- rye-render: allow RR105 reason -->`:

```xml
<!-- rye-render: allow RR105 a hook of the next release has this name -->
```
"#,
    ),
};

fn check(allowances: &[Allowance], project: &Project<'_>, found: &mut Findings<'_>) {
    for fault in allowances.iter().flat_map(|allowance| &allowance.faults) {
        let settings = || format!("allow it for the path in {}", project.settings_path());
        found.at(&fault.at, &*fault.message).help(fault.help.clone().unwrap_or_else(settings));
    }
}
