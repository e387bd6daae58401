use crate::lint::finding::Findings;
use crate::lint::folders::Folders;
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR713",
    name: "context_hidden",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a CLAUDE.md that no agent reads, as an AGENTS.md stands beside it",
    help: "move what AGENTS.md lacks into that, and make this file a link to it, or remove it",
    rationale: "\
Of each folder one file of instructions is read: `AGENTS.md`, and `CLAUDE.md` only where there is none. What the \
hidden one says is in no prompt (The System Prompt Anatomy, \"Project Context\"). A link to `AGENTS.md`, the same \
text, and a file that says nothing but `@AGENTS.md` lose nothing.",
    bad: Example(
        r#"=== AGENTS.md
Run the tests.
=== CLAUDE.md
Use tabs.
"#,
    ),
    good: Example(
        r#"=== AGENTS.md
Run the tests.
Use tabs.
"#,
    ),
    fix: FixKind::None,
    check: Check::Folders(check),
    #[cfg(test)]
    composed: Example(
        r#"=== AGENTS.md
Run the tests.
=== packages/web/AGENTS.md
Measure the pages.
=== packages/web/CLAUDE.md
Run the tests.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== AGENTS.md
Run the tests.
=== CLAUDE.md
@AGENTS.md
=== packages/api/CLAUDE.md
Use tabs.
=== packages/web/AGENTS.md
Measure the pages.
=== packages/web/CLAUDE.md -> AGENTS.md
=== packages/cli/AGENTS.md
Be quick.
=== packages/cli/CLAUDE.md
Be quick.
"#,
    ),
};

fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    for it in &folders.context {
        let Some(hidden) = it.hidden.map(|hidden| &project.files[hidden]) else { continue };
        let read = &project.files[it.counts];
        let (Some(lost), Some(kept)) = (&hidden.source, &read.source) else { continue };
        let name = read.path.rsplit('/').next().unwrap_or_default();
        let refers = lost.text().trim().strip_prefix('@').is_some_and(|path| path.trim_start_matches("./") == name);
        if lost.text() != kept.text() && !lost.text().trim().is_empty() && !refers {
            let message = format!("nothing of this file is read, as {name} stands beside it");
            found.at(project.location(hidden), message).related(project.location(read), "this is read");
        }
    }
}
