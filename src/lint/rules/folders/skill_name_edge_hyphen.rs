use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR704",
    name: "skill_name_edge_hyphen",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a skill whose name begins or ends with a hyphen",
    help: "remove the hyphen, and rename the folder, too",
    rationale: "\
A hyphen separates words; one at the beginning looks like a flag wherever the name is typed. This agent takes such a \
name all the same, and others of its kind refuse it (The System Prompt Anatomy, \"Skills Listing\").",
    bad: Example(
        r#"=== .sf/skills/deploy-/SKILL.md
---
name: deploy-
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
    good: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
name: deploy
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
=== packages/web/.agents/skills/-deploy/SKILL.md
---
name: -deploy
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .sf/skills/deploy-now/SKILL.md
---
name: deploy-now
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
};
