use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR706",
    name: "skill_description_missing",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a skill that says nowhere what it is for",
    help: "say in one sentence what it does and when to use it: `description: …` in front matter that begins on the first line",
    rationale: "\
Only name, description and path of a skill stand in the prompt; the rest is read when the agent decides to. One \
without a description is left out, so that the agent never learns of it (The System Prompt Anatomy, \"Skills \
Listing\"). Front matter begins on the first line, with nothing before its dashes.",
    bad: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
name: deploy
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
name: deploy
description: Deploys a service.
---

Deploy from the tag.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
name: deploy
description: >
  Deploys a service.
---

Deploy from the tag.
=== .sf/skills/deploy/README.md
No skill.
"#,
    ),
};
