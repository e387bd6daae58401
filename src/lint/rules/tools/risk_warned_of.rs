use crate::lint::finding::Findings;
use crate::lint::project::{Composed, Policy, Project};

use super::unacknowledged;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR411",
    name: "risk_warned_of",
    group: Group::Tools,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a risk that a thread warns of",
    help: "add an <acknowledge risk=\"…\"> to <permissions>, or grant less",
    rationale: "\
`capability_risk.yaml` puts capabilities into levels of risk, and the pattern with the most parts decides. Where \
a level has the policy `acknowledge_required` and no `<acknowledge>` in `<permissions>` names it, the released \
package writes a warning into the log of each thread. Without such a file in any tier nothing is said \
(Directives, \"Protocols\", permission words).",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute>
        <tool>deploy.push</tool>
      </execute>
    </permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/tools/deploy/push.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
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
      <acknowledge risk="elevated">The release needs it</acknowledge>
      <execute>
        <tool>deploy.push</tool>
      </execute>
    </permissions>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/tools/deploy/push.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
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
    <permissions>
      <execute>
        <tool>deploy.push</tool>
      </execute>
    </permissions>
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
=== .ai/tools/deploy/push.yaml
description: Push what is ready
parameters:
  - name: target
    type: string
    description: Where to
    required: true
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
    for (risk, permission) in unacknowledged(composed, project, Policy::AcknowledgeRequired) {
        let message = format!(
            "`{}` is a risk of the level {risk}, which nothing acknowledges, so each thread warns",
            permission.capability
        );
        let help = format!("add <acknowledge risk=\"{risk}\"> with the reason to <permissions>, or grant less");
        found.at(&permission.span, message).help(help);
    }
}
