use crate::lint::allow::{Allowance, Named};
use crate::lint::finding::{Edit, Findings};
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR901",
    name: "allowance_unused",
    group: Group::Lint,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an allowance that no finding needs",
    help: "take the allowance away",
    rationale: "\
A comment `rye-render: allow CODE reason` lets what a rule finds be, in the part of the file for which it speaks. Where \
the rule finds nothing there, the problem is gone or the comment stands beside the wrong place: it would let the next \
problem of the kind pass unseen, and its reason misleads whoever reads it. It is looked at only when its rule is asked \
about the file.",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy a service</description>
    <!-- rye-render: allow suppress_base_name the hook will come -->
    <context>
      <before>deploy/rules</before>
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
    fix: FixKind::SamePrompt,
    check: Check::Allowances(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <!-- rye-render: allow RR105 children shorten the name -->
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
    <context>
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
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy a service</description>
    <context>
      <before>deploy/rules</before>
      <!-- rye-render: allow suppress_base_name the hook will come -->
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
};

fn check(allowances: &[Allowance], project: &Project<'_>, found: &mut Findings<'_>) {
    for allowance in allowances {
        let path = allowance.span.source().path();
        let is_whole = allowance.faults.is_empty();
        // One that allows nothing anyway is another rule's.
        if !is_whole && !allowance.holds() {
            continue;
        }
        let is_idle = |rule: &Named| !rule.is_used && project.options.level(rule.rule, path) != Level::Off;
        for named in allowance.rules.iter().filter(|named| is_idle(named)) {
            let found = found.at(&named.span, format!("{} finds nothing that this allowance lets be", named.rule.code));
            if is_whole && allowance.rules.len() == 1 {
                found.fix("take the allowance away", vec![Edit::replace(&allowance.with_blanks(), "")]);
            }
        }
    }
}
