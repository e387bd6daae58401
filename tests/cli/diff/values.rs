//! Values that a file outside the changed text decides.

use super::{DEPLOY, directive, knowledge, story};
use crate::repo::{Repo, git_is_there};
use crate::support::Test;

const SETTINGS: &str = ".ai/config/agent/resilience.yaml";
const HOOKS: &str = "\
hooks:
- {id: limits, event: thread_started, action: {primary: fetch, item_type: knowledge, item_id: app/limits}}
";
/// The line that names the value and its file.
const LINE: &str = "limits.turns: 8 → 16, project .ai/config/agent/resilience.yaml:3";

fn settings(turns: u32) -> String {
    format!("tool_preload: {{enabled: false}}\nlimits:\n  defaults: {{turns: {turns}}}\n")
}

/// A project whose hook prints a limit of the settings.
fn project(repo: &Repo) -> &Repo {
    repo.write(SETTINGS, settings(8))
        .write(".ai/config/agent/hooks.yaml", HOOKS)
        .write(".ai/knowledge/app/limits.md", knowledge("Limits", "Stop after ${limits.turns} turns.\n"))
        .write(DEPLOY, directive("deploy", &[], "Roll it out."))
}

fn saved(turns: u32) -> Option<String> {
    let test = git_is_there().then(Test::new)?.with(|root| {
        project(&Repo::init(&root.join("project"))).write(SETTINGS, settings(turns));
    });
    Some(test.args(["render", "deploy", "--system", "none", "--format", "json"]).any_stdout().run().stdout)
}

#[test]
fn the_file_of_a_changed_value_is_named_between_revisions() {
    let edited = || {
        story(|repo| {
            project(repo).commit("two").write(SETTINGS, settings(16));
        })
    };
    for (format, line) in [("text", format!("\n  {LINE}\n")), ("markdown", format!("<br>`{LINE}`"))] {
        let Some(test) = edited() else { return };
        let shown = test.args(["HEAD:deploy", "deploy", "--format", format]).status(1).any_stdout().run().stdout;
        assert!(shown.contains(&line), "{shown}");
    }
    let Some(test) = edited() else { return };
    let shown = test.args(["HEAD:deploy", "deploy", "--format", "html"]).status(1).any_stdout().run().stdout;
    assert!(shown.replace("&#x2f;", "/").contains(&format!(">{LINE}<")), "{shown}");
}

#[test]
fn the_file_of_a_changed_value_is_named_between_saved_prompts() {
    let (Some(before), Some(after)) = (saved(8), saved(16)) else { return };
    let Some(test) = story(|repo| {
        repo.write("before.json", &before).write("after.json", &after);
    }) else {
        return;
    };
    let ran = test.args(["before.json", "after.json", "--format", "json"]).status(1).any_stdout().any_stderr().run();
    let source = serde_json::json!({"tier": "project", "path": SETTINGS, "line": 3});
    let values = serde_json::json!([{
        "name": "limits.turns",
        "left": {"text": "8", "source": source},
        "right": {"text": "16", "source": source},
    }]);
    assert_eq!(ran.json()["layers"][0]["values"], values);
}

#[test]
fn a_value_from_a_different_file_names_both() {
    let Some(test) = story(|repo| {
        project(repo).commit("two").write(
            DEPLOY,
            directive("deploy", &[], "Roll it out.").replace("<metadata>", "<metadata><limits turns=\"16\"/>"),
        );
    }) else {
        return;
    };
    let shown = test.args(["HEAD:deploy", "deploy"]).status(1).any_stdout().run().stdout;
    let line = "limits.turns: 8 → 16, project .ai/directives/deploy.md:3 instead of";
    assert!(shown.contains(line), "{shown}");
}
