use std::sync::Arc;

use crate::lint::finding::Findings;
use crate::lint::folders::{Applying, Folders, MOST_TOLD, untold};
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::text::Span;

pub(super) const RULE: Rule = Rule {
    code: "RR714",
    name: "guideline_contradicted",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "two guidelines for one folder that say the opposite",
    help: "say it once, in the file whose folder it is meant for, or say there what is other and why",
    rationale: "\
All files of instructions from the root down to the working folder stand in one prompt, and nothing says which of \
them counts more (The System Prompt Anatomy, \"Project Context\"). Where one says `always` and the other one `never`, \
the model does now this and now that. Two lines are compared that are equal but for a negation: `not`, `never`, \
`don't`.",
    bad: Example(
        r#"=== AGENTS.md
- Use tabs.
=== packages/web/AGENTS.md
- Do not use tabs.
"#,
    ),
    good: Example(
        r#"=== AGENTS.md
- Use tabs, but for the pages in packages/web.
=== packages/web/AGENTS.md
- Do not use tabs.
"#,
    ),
    fix: FixKind::None,
    check: Check::Folders(check),
    #[cfg(test)]
    composed: Example(
        r#"=== AGENTS.md
Always run the tests!
=== packages/AGENTS.md
- Measure the pages.
=== packages/web/AGENTS.md
- Never run
  the tests.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== packages/api/AGENTS.md
- Use tabs.
- Don't use tabs.
=== packages/web/AGENTS.md
- Do not use tabs.
- Do not push.
=== packages/web/pages/AGENTS.md
- Never use tabs.
- Push.
"#,
    ),
};

/// The fewest words of a guideline besides those that say yes or no: of a single word nobody knows what it is about.
const FEWEST: usize = 2;

fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut applying: Applying<'_, &Span> = Applying::default();
    for file in folders.guidelines(project) {
        applying.enter(file.folder);
        let mut opposites: Vec<(&Span, &Span)> = Vec::new();
        for guideline in file.guidelines.iter().filter(|it| it.count_meant() >= FEWEST) {
            let at = &guideline.at;
            // Within one file what stands around them may tell when each holds.
            let opposite = applying.first(&guideline.opposite()).copied();
            let elsewhere = opposite.filter(|other| !Arc::ptr_eq(other.source(), at.source()));
            opposites.extend(elsewhere.map(|other| (at, other)));
            applying.keep(&guideline.meant, at);
        }
        let all = opposites.len();
        for (index, (at, other)) in opposites.into_iter().take(MOST_TOLD).enumerate() {
            let path = other.source().path();
            let message = format!("{path} says the opposite, and applies here, too{}", untold(all, index));
            found.at(at, message).related(other, "the opposite");
        }
    }
}
