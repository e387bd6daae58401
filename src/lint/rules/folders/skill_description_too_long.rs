use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR707",
    name: "skill_description_too_long",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a skill whose description is too long",
    help: "shorten it to 1,024 characters; the text below the front matter has room for the rest",
    rationale: "\
A description stands in every prompt, whether the skill is used or not. What tells how to use it belongs into the \
text of the file, which is read when it is needed (The System Prompt Anatomy, \"Skills Listing\").",
    bad: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
name: deploy
description: >
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
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
description: >
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
  Deploys the service from the tag of its release, one machine after the other.
---

Deploy from the tag.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .sf/skills/deploy/SKILL.md
---
name: deploy
description: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
---

Deploy from the tag.
"#,
    ),
};
