use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR703",
    name: "skill_name_charset",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a skill whose name holds other characters than a name should",
    help: "write it with `a` to `z`, digits and hyphens, and rename its folder, too",
    rationale: "\
Names of skills are typed as commands and become those of folders, so that agents agree on lower-case letters, digits \
and hyphens. This agent takes others all the same (The System Prompt Anatomy, \"Skills Listing\").",
    bad: Example(
        r#"=== .sf/skills/Deploy_Service/SKILL.md
---
name: Deploy_Service
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
    good: Example(
        r#"=== .sf/skills/deploy-service/SKILL.md
---
name: deploy-service
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
    fix: FixKind::None,
    check: Check::Diagnosed,
    #[cfg(test)]
    composed: Example(
        r#"=== AGENTS.md
Run the tests.
=== packages/web/.agents/skills/Deploy_Service/SKILL.md
---
name: Deploy_Service
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .sf/skills/deploy-2/SKILL.md
---
name: deploy-2
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
};
