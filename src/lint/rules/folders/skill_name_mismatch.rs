use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR701",
    name: "skill_name_mismatch",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a skill whose name is not that of its folder",
    help: "give both the same name",
    rationale: "\
The agent lists a skill under the name that its front matter says, and people look for it under the name of its \
folder. Agents that go by the standard for skills refuse one whose names differ (The System Prompt Anatomy, \"Skills \
Listing\"). A file in the folder of skills itself belongs to none, and is called `skills` unless it says otherwise.",
    bad: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
name: deployment
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
name: deployment
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
};
