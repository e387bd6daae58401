use rayon::prelude::*;

use crate::lint::finding::Findings;
use crate::lint::folders::{Folders, InFolder};
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::tokens::thousands;

pub(super) const RULE: Rule = Rule {
    code: "RR711",
    name: "context_over_budget",
    group: Group::Folders,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "instructions for agents that exceed their budget of tokens",
    help: "shorten it, or move what is needed seldom into a skill; `context_tokens` and `context_chain_tokens` set the budgets",
    rationale: "\
Every `AGENTS.md` from the root down to the working folder stands in each prompt, whatever it is about, and what a \
model has to find among much else it finds less often (The System Prompt Anatomy, \"Project Context\"). A file has a \
budget, and so has all that applies to one folder: that is told where the sum exceeds it first. A skill costs its \
description until it is read.",
    bad: Example(
        r#"=== .sf/rye-render.yaml
lint:
  options:
    context_tokens: 40
=== AGENTS.md
- Look at the error rate before you begin.
- Take the version from the tag, never from a branch.
- Roll out to one machine, and wait for five minutes.
- Compare its latency with that of the others.
- Go back to the last version when errors double.
"#,
    ),
    good: Example(
        r#"=== .sf/rye-render.yaml
lint:
  options:
    context_tokens: 40
=== AGENTS.md
Deploy with the skill `deploy`.
"#,
    ),
    fix: FixKind::None,
    check: Check::Folders(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .sf/rye-render.yaml
lint:
  options:
    context_chain_tokens: 60
=== AGENTS.md
- Look at the error rate before you begin.
- Take the version from the tag, never from a branch.
- Roll out to one machine, and wait for five minutes.
- Compare its latency with that of the others.

=== packages/web/AGENTS.md
Measure the pages.
Take the version from the tag, and say which one it was.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .sf/rye-render.yaml
lint:
  options:
    context_chain_tokens: 60
=== packages/api/AGENTS.md
- Look at the error rate before you begin.
- Take the version from the tag, never from a branch.
- Roll out to one machine, and wait for five minutes.
- Compare its latency with that of the others.

=== packages/web/AGENTS.md
- Look at the error rate before you begin.
- Take the version from the tag, never from a branch.
- Roll out to one machine, and wait for five minutes.
- Compare its latency with that of the others.

"#,
    ),
};

fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    let options = project.options;
    let tokenizer = options.tokenizer;
    let of_folder = |it: &InFolder| {
        let file = &project.files[it.counts];
        let text = file.source.as_ref().map_or("", |source| source.text());
        *file.tokens.get_or_init(|| tokenizer.count(text))
    };
    let counts: Vec<usize> = folders.context.par_iter().map(of_folder).collect();
    let outside: usize = folders.outside.par_iter().map(|source| tokenizer.count(source.text())).sum();
    // What applies to the folder, and how many tokens all that applies to it has.
    let mut open: Vec<(&InFolder, usize)> = Vec::new();
    for (it, &own) in folders.context.iter().zip(&counts) {
        let at = project.location(&project.files[it.counts]);
        if own > options.context_tokens {
            let [own, most] = [own, options.context_tokens].map(thousands);
            found.at(at.clone(), format!("{own} tokens stand in every prompt, and at most {most} should"));
        }
        while open.pop_if(|(above, _)| !above.holds(&it.folder)).is_some() {}
        let above = open.last().map_or(outside, |(_, sum)| *sum);
        let sum = above + own;
        if above <= options.context_chain_tokens && sum > options.context_chain_tokens {
            let [sum, most] = [sum, options.context_chain_tokens].map(thousands);
            found.at(at, format!("with the files above it this comes to {sum} tokens, and at most {most} should"));
        }
        open.push((it, sum));
    }
}
