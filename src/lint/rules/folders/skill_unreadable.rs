use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR708",
    name: "skill_unreadable",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a skill whose front matter cannot be read",
    help: "correct the YAML between the dashes: text with a colon in it stands between quotes",
    rationale: "\
A skill whose front matter is no YAML, or whose name or description is no text, is left out of the prompt: the agent \
never learns of it, and says nothing (The System Prompt Anatomy, \"Skills Listing\").",
    bad: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
name: deploy
description: Deploys a service: from the tag
---

Deploy from the tag.
"#,
    ),
    good: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
name: deploy
description: "Deploys a service: from the tag"
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
name: deploy
description: [Deploys, a, service]
---

Deploy from the tag.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
name: deploy
description: Deploys a service:from the tag
---

Deploy from the tag.
"#,
    ),
};
