use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR710",
    name: "empty_base",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an empty SYSTEM.md, which replaces nothing",
    help: "write the base of the prompt into it, or take it away",
    rationale: "\
`SYSTEM.md` replaces the base of the prompt. An empty one counts as none, though it hides the one of the agent's own \
folder, so that the built-in base is sent (The System Prompt Anatomy, \"Base prompt\").",
    bad: Example(
        r#"=== .sf/SYSTEM.md
"#,
    ),
    good: Example(
        r#"=== .sf/SYSTEM.md
You review code, and change none.
"#,
    ),
    fix: FixKind::None,
    check: Check::Diagnosed,
    #[cfg(test)]
    composed: Example(
        r#"=== AGENTS.md
Run the tests.
=== packages/web/.sf/SYSTEM.md
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .sf/SYSTEM.md
.
=== .sf/APPEND_SYSTEM.md
"#,
    ),
};
