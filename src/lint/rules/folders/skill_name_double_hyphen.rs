use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR705",
    name: "skill_name_double_hyphen",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a skill whose name has two hyphens in a row",
    help: "leave one of them, and rename the folder, too",
    rationale: "\
One hyphen separates words, and two are most often a slip. This agent takes such a name all the same, and others of \
its kind refuse it (The System Prompt Anatomy, \"Skills Listing\").",
    bad: Example(
        r#"=== .sf/skills/deploy--now/SKILL.md
---
name: deploy--now
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
    good: Example(
        r#"=== .sf/skills/deploy-now/SKILL.md
---
name: deploy-now
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
=== packages/web/.agents/skills/deploy--now/SKILL.md
---
name: deploy--now
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .sf/skills/deploy-it-now/SKILL.md
---
name: deploy-it-now
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
};
