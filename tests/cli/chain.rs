//! The command `chain`: its flags, questions and exit status.

use crate::support::{Ran, Test};

/// A directive with its root on line 2 and its metadata on line 3.
fn directive(attributes: &str, metadata: &str) -> String {
    format!("```xml\n<directive name=\"d\" {attributes}>\n<metadata>{metadata}</metadata>\n</directive>\n```\nGo.\n")
}

/// Three directives of the project, one of the embedded bundle, an item and a hook.
fn project() -> Test {
    Test::new()
        .file(
            "project/.ai/directives/shop/base.md",
            &directive("extends=\"rye/agent/core/base\"", "<context><before>shop/rules</before></context>"),
        )
        .file("project/.ai/directives/shop/deploy.md", &directive("extends=\"shop/base\"", ""))
        .file(
            "project/.ai/directives/shop/quiet.md",
            &directive("extends=\"shop/base\"", "<context><suppress>shop/rules</suppress></context>"),
        )
        .file("project/.ai/knowledge/shop/rules.md", "```yaml\nname: Rules\n```\nRules.\n")
        .file(
            "project/.ai/config/agent/hooks.yaml",
            "hooks:\n- id: rules\n  event: thread_continued\n  \
             action: {primary: fetch, item_type: knowledge, item_id: shop/rules}\n",
        )
}

fn ids(ran: &Ran) -> Vec<String> {
    let nodes = ran.json()["nodes"].as_array().expect("nodes are a list").clone();
    nodes.iter().map(|node| node["id"].as_str().expect("an id is text").to_string()).collect()
}

fn notes(ran: &Ran) -> Vec<String> {
    let edges = ran.json()["edges"].as_array().expect("edges are a list").clone();
    edges.iter().filter_map(|edge| edge["note"].as_str().map(str::to_string)).collect()
}

#[test]
fn invert_shows_what_extends_a_directive() {
    let ran = project().args(["chain", "--invert", "shop/base", "--format", "json"]).any_stdout().run();
    assert_eq!(ids(&ran), ["shop/base", "shop/deploy", "shop/quiet"]);
    let ran = project().args(["chain", "--invert", "rye/agent/core/base", "--tier", "project", "--format", "json"]);
    let ran = ran.any_stdout().run();
    assert_eq!(ids(&ran), ["rye/agent/core/base", "shop/base", "shop/deploy", "shop/quiet"]);
}

#[test]
fn uses_shows_what_injects_an_item() {
    let ran = project().args(["chain", "--uses", "shop/rules", "--format", "json"]).any_stdout().run();
    assert_eq!(ids(&ran), ["shop/rules", "shop/base", "shop/deploy", "shop/quiet", "rules"]);
    assert_eq!(notes(&ran), ["suppressed by shop/quiet", "on thread_continued; suppressed by shop/quiet"]);
    let edges = ran.json()["edges"].clone();
    let place = |edge: usize| {
        let source = &edges[edge]["source"];
        format!("{}:{}", source["path"].as_str().unwrap(), source["line"])
    };
    assert_eq!(place(0), ".ai/directives/shop/base.md:3");
    assert_eq!(place(1), ".ai/directives/shop/deploy.md:2");
}

#[test]
fn why_shows_every_path_between_two_items() {
    let ran = project().args(["chain", "--why", "shop/quiet", "shop/rules", "--format", "json"]).any_stdout().run();
    assert_eq!(ids(&ran), ["shop/quiet", "shop/base", "shop/rules"]);
    assert_eq!(notes(&ran), ["suppressed by shop/quiet"]);
    let ran =
        project().args(["chain", "--why", "shop/quiet", "rye/agent/core/Identity", "--format=json", "--max-depth=9"]);
    let ran = ran.any_stdout().run();
    assert_eq!(ids(&ran), ["shop/quiet", "shop/base", "rye/agent/core/base", "rye/agent/core/Identity"]);
}

#[test]
fn all_shows_every_directive() {
    let ran = project().args(["chain", "--all", "--tier", "project", "--format", "json"]).any_stdout().run();
    assert_eq!(ids(&ran), ["rye/agent/core/base", "shop/base", "shop/deploy", "shop/quiet"]);
    for format in ["tree", "dot", "mermaid"] {
        let ran = project().args(["chain", "--all", "--edges", "extends,context,hook,tool", "--format", format]);
        let ran = ran.any_stdout().run();
        assert!(ran.stdout.contains("shop/quiet"), "{format}: {}", ran.stdout);
    }
}

#[test]
fn flags_narrow_one_chain() {
    let json =
        |scope: &str| project().args(["chain", "shop/deploy", "--format=json", scope]).any_stdout().any_stderr().run();
    assert_eq!(ids(&json("--max-depth=1")), ["shop/deploy", "shop/base", "shop/rules"]);
    assert_eq!(ids(&json("--prune=shop/base")), ["shop/deploy", "shop/base"]);
    assert_eq!(ids(&json("--edges=extends")), ["shop/deploy", "shop/base", "rye/agent/core/base"]);
    assert_eq!(ids(&json("--tier=project")), ["shop/deploy", "shop/base", "shop/rules"]);
    let shown = project().args(["chain", "shop/deploy", "--max-depth=0", "--edges=context"]);
    shown
        .any_stderr()
        .stdout(
            "\
shop/deploy                        project .ai/directives/shop/deploy.md
└─ … 2 more ancestors
",
        )
        .run();
}

#[test]
fn what_if_flags_are_mentioned() {
    let changed = || project().args(["chain", "shop/deploy", "--suppress=shop/rules", "--max-depth=0"]);
    let ran = changed().args(["--edges=context"]).any_stderr().any_stdout().run();
    assert!(ran.stdout.starts_with("what if: --suppress shop/rules\n\nshop/deploy  "), "{}", ran.stdout);
    let json = changed().args(["--format=json"]).any_stderr().any_stdout().run().json();
    assert_eq!(json["what_if"], serde_json::json!(["--suppress shop/rules"]));
    assert_eq!(json["tool_version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn json_includes_diagnostics() {
    let broken = || project().file("project/.ai/directives/broken.md", "text\n");
    let code = |ran: &Ran| ran.json()["diagnostics"][0]["code"].clone();
    let ran = broken().args(["chain", "--all", "--format=json"]).any_stdout().any_stderr().run();
    assert_eq!((code(&ran), &ran.json()["protocol"]), ("directive_unusable".into(), &"rye-3".into()));
    let lost = directive("", "<context><before>lost</before></context>");
    let ran = broken().file("project/.ai/directives/lost.md", &lost).args(["chain", "lost", "--format=json"]);
    let ran = ran.any_stdout().any_stderr().run();
    assert_eq!((code(&ran), &ran.json()["protocol"]), ("item_missing".into(), &"rye-3".into()));
}

#[test]
fn an_invalid_directive_is_reported_and_the_rest_shown() {
    let ran = project().file("project/.ai/directives/broken.md", "text\n").args(["chain", "--all"]);
    let ran = ran.any_stdout().any_stderr().run();
    assert!(ran.stderr.contains("warning[directive_unusable]"), "{}", ran.stderr);
    assert!(ran.stderr.contains(".ai/directives/broken.md:1:1"), "{}", ran.stderr);
    assert!(ran.stdout.contains("broken") && ran.stdout.contains("shop/quiet"), "{}", ran.stdout);
}

#[test]
fn a_cycle_is_shown_completely_and_is_an_error() {
    let circle = "\
error[circular_extends]: one extends itself through two
    one  project .ai/directives/one.md:2
  → two  project .ai/directives/two.md:2
  → one  (again)
help: remove one of these `extends` attributes
";
    for question in [
        ["chain", "one", "--charset=utf8"],
        ["chain", "--invert", "one"],
        ["chain", "--uses", "lost"],
        ["chain", "--all", "--charset=utf8"],
    ] {
        let ran = project()
            .file(
                "project/.ai/directives/one.md",
                &directive("extends=\"two\"", "<context><after>lost</after></context>"),
            )
            .file("project/.ai/directives/two.md", &directive("extends=\"one\"", ""))
            .args(question)
            .status(2)
            .any_stderr()
            .run();
        let error: String =
            ran.stderr.lines().skip_while(|line| !line.starts_with("error")).map(|l| l.to_string() + "\n").collect();
        assert_eq!(error.trim_end(), circle.trim_end(), "{question:?}\n{}", ran.stderr);
    }
}

#[test]
fn an_unknown_id_is_an_error() {
    for (arguments, expected) in [
        (["chain", "--invert", "shop/bass"], "did you mean `shop/base`?"),
        (["chain", "--uses", "shop/rule"], "did you mean `shop/rules`?"),
        (["chain", "--all", "--prune=shop/quite"], "did you mean `shop/quiet`?"),
        (["chain", "--all", "--tier=projekt"], "did you mean `project`?"),
        (["chain", "--all", "--edges=extend"], "'extends'"),
        (["chain", "shop/base", "--prune=shop/rule"], "did you mean `shop/rules`?"),
        (["chain", "shop/base", "--tier=usr"], "did you mean `user`?"),
        (["chain", "--all", "--suppress=x"], "leave it out"),
        (["chain", "--all", "shop/base"], "cannot be used with"),
        (["chain", "--all", "--uses=shop/rules"], "cannot be used with"),
        (["chain", "--why", "shop/base"], "2 values required"),
        (["chain", "--charset", "ascii"], "no directive is named"),
    ] {
        let ran = project().args(arguments).status(2).any_stderr().run();
        assert!(ran.stderr.contains(expected), "{arguments:?}: {}", ran.stderr);
    }
    let ran = project().args(["chain", "--why", "shop/deploi", "x", "--format", "json"]).status(2).any_stderr().run();
    assert!(ran.stderr.starts_with("{\"error\":{\"code\":\"item_not_found\""), "{}", ran.stderr);
}

#[test]
fn hooks_of_one_name_are_counted() {
    let hook = "hooks:\n- id: tidy\n  event: thread_started\n  \
                action: {primary: fetch, item_type: knowledge, item_id: shop/rules}\n";
    let suppress = "<context><suppress>tidy</suppress></context>";
    let ran = Test::new()
        .file("project/.ai/directives/leaf.md", &directive("extends=\"rye/agent/core/base\"", suppress))
        .file("project/.ai/knowledge/shop/rules.md", "```yaml\nname: Rules\n```\nRules.\n")
        .file("project/.ai/config/agent/hooks.yaml", hook)
        .file("home/.ai/config/agent/hooks.yaml", hook)
        .args(["chain", "leaf"])
        .any_stdout()
        .run();
    assert!(ran.stdout.contains("tidy, line 3: 2 hooks\n"), "{}", ran.stdout);
}
