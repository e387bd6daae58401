//! Saved prompts, and prompts that were actually sent.

use super::{RULES, knowledge, story};
use crate::support::Test;

/// The prompt of the first commit in a format, as the program prints it.
fn saved(format: &str) -> Option<String> {
    let test = crate::repo::git_is_there().then(Test::new)?.with(|root| {
        super::plain(&crate::repo::Repo::init(&root.join("project")));
    });
    let ran =
        test.args(["render", "deploy", "--system", "none", "--model", "m", "--format", format]).any_stdout().run();
    Some(ran.stdout)
}

fn with_saved(name: &str, text: &str) -> Option<Test> {
    story(|repo| {
        repo.write(name, text).write(RULES, knowledge("Rules", "Never on a Friday.\n"));
    })
}

#[test]
fn a_saved_prompt_is_compared_layer_by_layer() {
    let Some(json) = saved("json") else { return };
    let Some(test) = with_saved("before.json", &json) else { return };
    test.args(["before.json", "--model", "m", "--format", "name-only"]).status(1).stdout("app/rules\n").run();
    let Some(test) = with_saved("before.json", &json) else { return };
    test.args(["before.json", "v1:deploy", "--model", "m", "--format", "name-only"]).run();
    let Some(test) = story(|_| {}) else { return };
    test.args(["-", "deploy", "--model", "m", "--format", "name-only"]).stdin(&json).run();
}

#[test]
fn request_bodies_and_transcripts_are_compared_by_message() {
    for (format, name) in [("anthropic", "sent.json"), ("openai", "sent.json"), ("gemini", "sent.json")] {
        let Some(body) = saved(format) else { return };
        let Some(test) = with_saved(name, &body) else { return };
        let names = "user message\n";
        test.args([name, "deploy", "--model", "m", "--format", "name-only"]).status(1).stdout(names).run();
        let Some(test) = with_saved(name, &body) else { return };
        test.args([name, "v1:deploy", "--model", "m", "--format", "name-only"]).run();
    }
}

#[test]
fn an_unknown_version_of_the_format_is_an_error() {
    let text = r#"{"format": "rye-render.prompt/2", "tool_version": "9.0.0", "messages": []}"#;
    let Some(test) = with_saved("later.json", text) else { return };
    let ran = test.args(["later.json", "deploy"]).status(2).any_stderr().run();
    for part in ["rye-render.prompt/2", "rye-render.prompt/1", "9.0.0", "later.json"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
}

#[test]
fn hidden_values_of_a_saved_prompt_are_not_a_difference() {
    let asks = "```xml\n<directive name=\"deploy\" version=\"1\"><inputs><input name=\"target\"/></inputs></directive>\n\
                ```\n\nGo to {input:target}.\n";
    let shop = |test: Test| {
        test.with(|root| {
            super::plain(&crate::repo::Repo::at(&root.join("project"))).write(super::DEPLOY, asks);
        })
    };
    let render = ["render", "deploy", "--system", "none", "-i", "target=eu", "--format", "json"];
    let saved = shop(Test::new()).args(render).any_stdout().run().stdout;
    let diff = ["diff", "--system", "none", "-", "deploy", "-i", "target=eu", "--format", "markdown"];
    let ran = shop(Test::new()).args(diff).stdin(&saved).any_stdout().any_stderr().run();
    assert!(ran.stderr.contains("warning[values_shown]"), "{}", ran.stderr);
    assert!(ran.stdout.contains("The prompts are the same"), "{}", ran.stdout);
}
