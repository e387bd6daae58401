use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR702",
    name: "skill_name_too_long",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a skill whose name is too long",
    help: "shorten it to 64 characters, and rename its folder, too",
    rationale: "\
A name stands in every prompt of the folder. This agent takes one of more than 64 characters all the same, and \
others of its kind refuse it (The System Prompt Anatomy, \"Skills Listing\").",
    bad: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
name: deploy-a-service-from-the-tag-of-a-release-to-all-machines-of-one-region
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
=== packages/web/.agents/skills/deploy/SKILL.md
---
name: deploy-a-service-from-the-tag-of-a-release-to-all-machines-of-one-region
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .sf/skills/deploy-a-service-from-the-tag-of-a-release-to-all-machines-here1/SKILL.md
---
name: deploy-a-service-from-the-tag-of-a-release-to-all-machines-here1
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
};
