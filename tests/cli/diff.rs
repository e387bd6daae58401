//! `diff` on real git repositories: which sides can be named, and the messages about them.

mod around;
mod bad_sides;
mod hidden;
mod revisions;
mod saved;
mod sides;
mod status;
mod values;

use crate::repo::{Repo, git_is_there};
use crate::support::Test;

const RULES: &str = ".ai/knowledge/app/rules.md";
const DEPLOY: &str = ".ai/directives/deploy.md";

fn knowledge(name: &str, text: &str) -> String {
    format!("```yaml\nname: {name}\n```\n\n{text}")
}

/// A directive that places items before its own text.
fn directive(name: &str, items: &[&str], body: &str) -> String {
    let items: String = items.iter().map(|item| format!("<before>{item}</before>")).collect();
    format!(
        "```xml\n<directive name=\"{name}\" version=\"1.0.0\">\n  <metadata><context>{items}</context></metadata>\n\
         </directive>\n```\n\n{body}\n"
    )
}

/// A project without hooks or tools, so that only the directive determines the prompt.
fn plain(repo: &Repo) -> &Repo {
    repo.write(".ai/config/agent/resilience.yaml", "tool_preload:\n  enabled: false\n")
        .write(RULES, knowledge("Rules", "Never deploy on a Friday.\nAsk before you touch a database.\n"))
        .write(DEPLOY, directive("deploy", &["app/rules"], "Roll it out."))
}

/// A test in a repository whose first commit, tagged `v1`, is the plain project; `then` continues the history.
/// None if git is missing.
fn story(then: impl FnOnce(&Repo)) -> Option<Test> {
    let test = git_is_there().then(Test::new)?;
    Some(
        test.with(|root| {
            let repo = Repo::init(&root.join("project"));
            plain(&repo).commit("one").tag("v1");
            then(&repo);
        })
        // Without a system tier, the prompt depends only on the project.
        .args(["--color", "never", "diff", "--system", "none"]),
    )
}
