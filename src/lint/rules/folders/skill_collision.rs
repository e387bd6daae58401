use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR709",
    name: "skill_collision",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a skill that another one of its name hides",
    help: "rename one of them, or remove the one that is no longer needed",
    rationale: "\
Of two skills with one name the agent takes the one that it finds first: `.sf/skills` of its folder, then \
`.agents/skills` there and in the folders above. The other one is left out where the agent works in the folder of the \
first (The System Prompt Anatomy, \"Skills Listing\").",
    bad: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
name: deploy
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
=== .agents/skills/deploy/SKILL.md
---
name: deploy
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
=== .agents/skills/deploy-all/SKILL.md
---
name: deploy-all
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
=== .agents/skills/deploy/SKILL.md
---
name: deploy
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
=== packages/web/.agents/skills/deploy/SKILL.md
---
name: deploy
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== packages/api/.agents/skills/deploy/SKILL.md
---
name: deploy
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
=== packages/web/.agents/skills/deploy/SKILL.md
---
name: deploy
description: Deploys a service. Use it when a release is asked for.
---

Deploy from the tag.
"#,
    ),
};
