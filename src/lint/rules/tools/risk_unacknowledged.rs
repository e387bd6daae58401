use crate::lint::finding::Findings;
use crate::lint::project::{Composed, Policy, Project};

use super::unacknowledged;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR406",
    name: "risk_unacknowledged",
    group: Group::Tools,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a risk that is blocked unless it is acknowledged",
    help: "add an <acknowledge risk=\"…\"> to <permissions>, or grant less",
    rationale: "\
`capability_risk.yaml` puts capabilities into levels of risk, and the pattern with the most parts decides. A \
thread with a capability whose level has the policy `block` does not start, unless `<permissions>` holds an \
`<acknowledge>` with that risk. Without such a file in any tier nothing is said. The documents know \
`<acknowledge>` as a tag that grants nothing; what is done about it is the behaviour of the released package \
(Directives, \"Protocols\", permission words).",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <sign>
        <knowledge>*</knowledge>
      </sign>
    </permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== system:.ai/config/agent/capability_risk.yaml
risk_levels:
  safe:
    policy: allow
  elevated:
    policy: acknowledge_required
  unrestricted:
    policy: block
classifications:
  - risk: unrestricted
    patterns: ["rye.*"]
  - risk: elevated
    patterns: ["rye.execute.tool.deploy.*"]
  - risk: safe
    patterns: ["rye.execute.tool.rye.file-system.read"]
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <acknowledge risk="unrestricted">The release needs it</acknowledge>
      <sign>
        <knowledge>*</knowledge>
      </sign>
    </permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== system:.ai/config/agent/capability_risk.yaml
risk_levels:
  safe:
    policy: allow
  elevated:
    policy: acknowledge_required
  unrestricted:
    policy: block
classifications:
  - risk: unrestricted
    patterns: ["rye.*"]
  - risk: elevated
    patterns: ["rye.execute.tool.deploy.*"]
  - risk: safe
    patterns: ["rye.execute.tool.rye.file-system.read"]
"#,
    ),
    fix: FixKind::None,
    check: Check::Composed(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>*</permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/directives/release.md
```xml
<directive name="release" version="1.0.0" extends="deploy">
  <metadata>
    <description>Release</description>
  </metadata>
</directive>
```

Release what is ready.
=== system:.ai/config/agent/capability_risk.yaml
risk_levels:
  safe:
    policy: allow
  elevated:
    policy: acknowledge_required
  unrestricted:
    policy: block
classifications:
  - risk: unrestricted
    patterns: ["rye.*"]
  - risk: elevated
    patterns: ["rye.execute.tool.deploy.*"]
  - risk: safe
    patterns: ["rye.execute.tool.rye.file-system.read"]
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute>
        <tool>rye.file-system.read</tool>
      </execute>
    </permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== system:.ai/config/agent/capability_risk.yaml
risk_levels:
  safe:
    policy: allow
  elevated:
    policy: acknowledge_required
  unrestricted:
    policy: block
classifications:
  - risk: unrestricted
    patterns: ["rye.*"]
  - risk: elevated
    patterns: ["rye.execute.tool.deploy.*"]
  - risk: safe
    patterns: ["rye.execute.tool.rye.file-system.read"]
"#,
    ),
};

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    for (risk, permission) in unacknowledged(composed, project, Policy::Block) {
        let message = format!(
            "`{}` is a risk of the level {risk}, which nothing acknowledges, so the thread does not start",
            permission.capability
        );
        let help = format!("add <acknowledge risk=\"{risk}\"> with the reason to <permissions>, or grant less");
        found.at(&permission.span, message).help(help);
    }
}
