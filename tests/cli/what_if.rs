//! What-if flags, and hooks with the values of their conditions.

use serde_json::{Value, json};

use crate::support::Test;

const HOOKS: &str = "hooks:
  - id: freeze
    event: thread_started
    wrap: false
    condition: {path: inputs.env, op: eq, value: prod}
    action: {primary: fetch, item_type: knowledge, item_id: freeze}
";

/// A project whose directive `deploy` has a hook of the user tier, an item, and a possible parent.
fn test() -> Test {
    let item = |text: &str| format!("```yaml\nname: Item\n```\n{text}\n");
    Test::new()
        .env("RYE_SYSTEM_SPACE", "none")
        .file(
            "project/.ai/directives/deploy.md",
            "```xml\n<directive name=\"deploy\">\n  <metadata><context><before>rules</before></context></metadata>\n  \
             <inputs><input name=\"env\" required=\"true\"/></inputs>\n</directive>\n```\nGo.\n",
        )
        .file(
            "project/.ai/directives/base.md",
            "```xml\n<directive name=\"base\"><metadata><context><after>more</after></context></metadata></directive>\n```\n",
        )
        .file("project/.ai/knowledge/rules.md", &item("Rules."))
        .file("project/.ai/knowledge/more.md", &item("More."))
        .file("home/.ai/knowledge/freeze.md", &item("Frozen."))
        .file("home/.ai/config/agent/hooks.yaml", HOOKS)
}

/// The user message of `deploy` in `prod`.
fn user<const N: usize>(flags: [&str; N]) -> String {
    let plain = ["render", "deploy", "-i", "env=prod", "--format", "plain"];
    test().args(plain).args(flags).any_stdout().run().stdout
}

const DIRECTIVE: &str = "<directive name=\"deploy\">\nGo.\n</directive>";

#[test]
fn each_flag_changes_what_it_names() {
    assert_eq!(user([]), format!("Frozen.\n\nRules.\n\n{DIRECTIVE}"));
    assert_eq!(user(["--suppress", "freeze"]), format!("Rules.\n\n{DIRECTIVE}"));
    assert_eq!(user(["--suppress", "rules"]), format!("Frozen.\n\n{DIRECTIVE}"));
    assert_eq!(user(["--without-hook", "freeze"]), format!("Rules.\n\n{DIRECTIVE}"));
    assert_eq!(user(["--set-extends", "base"]), format!("Frozen.\n\nRules.\n\n{DIRECTIVE}\n\nMore."));
    assert_eq!(user(["--with-context", "after=more"]), format!("Frozen.\n\nRules.\n\n{DIRECTIVE}\n\nMore."));
    assert_eq!(user(["--without-tier", "user"]), format!("Rules.\n\n{DIRECTIVE}"));
    let all = ["--suppress", "rules", "--without-hook", "freeze", "--with-context", "before=more"];
    assert_eq!(user(all), format!("More.\n\n{DIRECTIVE}"));
}

#[test]
fn without_tier_equals_switching_the_tier_off() {
    let json = |flags: [&str; 2]| {
        let mut json = test()
            .args(["render", "deploy", "-i", "env=prod", "--format", "json"])
            .args(flags)
            .any_stdout()
            .run()
            .json();
        json["tool_version"].take();
        json
    };
    assert_eq!(json(["--without-tier", "user"]), json(["--user-space", "none"]));
}

#[test]
fn nothing_on_disk_changes() {
    let ran = test()
        .args(["render", "deploy", "-i", "env=prod", "--format", "plain", "--suppress", "rules"])
        .args(["--set-extends", "base", "--without-tier", "user"])
        .any_stdout()
        .run();
    assert_eq!(ran.read("home/.ai/config/agent/hooks.yaml"), HOOKS);
    assert_eq!(ran.list("project"), [".ai"]);
    assert_eq!(ran.list("project/.ai"), ["directives", "knowledge"]);
}

#[test]
fn text_says_that_it_is_a_what_if() {
    let shown = |command: &str| {
        let ran = test()
            .args([command, "deploy", "-i", "env=prod", "--suppress", "rules", "--without-tier", "user"])
            .args(if command == "explain" { ["--show", "hooks"] } else { ["--format", "text"] })
            .any_stdout()
            .run();
        ran.stdout.lines().take(2).map(str::to_string).collect::<Vec<_>>()
    };
    for command in ["render", "explain"] {
        let lines = shown(command);
        assert!(lines.contains(&"what if: --suppress rules, --without-tier user".to_string()), "{lines:?}");
    }
}

#[test]
fn markdown_and_html_say_that_it_is_a_what_if() {
    for format in ["markdown", "html"] {
        let typed = ["explain", "deploy", "-i", "env=prod", "--suppress", "rules", "--format", format];
        let ran = test().args(typed).any_stdout().run();
        assert!(ran.stdout.contains("What if:") && ran.stdout.contains("--suppress rules"), "{}", ran.stdout);
    }
}

#[test]
fn hooks_show_the_values_of_their_conditions() {
    test()
        .args(["explain", "deploy", "--placeholders", "--show", "hooks"])
        .stdout(
            "deploy  rye-3  1 hook  1 unknown

━━ thread_started ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 hook
? freeze                                                                 unknown
    inputs.env has no value here; without one its condition is false
    user .ai/config/agent/hooks.yaml:2
    layer 0 (user), position before, not wrapped
    fetch knowledge freeze
    inputs.env eq \"prod\"  unknown  inputs.env has no value here

● applies   ○ does not   ? depends on a value that is not known here
",
        )
        .run();
}

#[test]
fn json_has_the_hooks_and_the_flags() {
    let json = test()
        .args(["explain", "deploy", "-i", "env=prod", "--format", "json", "--suppress", "freeze"])
        .any_stdout()
        .run()
        .json();
    assert_eq!(json["what_if"], json!(["--suppress freeze"]));
    let mut hook = json["hooks"][0].clone();
    for source in ["source", "condition_source"] {
        assert_eq!(hook[source]["path"], ".ai/config/agent/hooks.yaml");
        hook[source] = hook[source]["line"].take();
    }
    let expected = json!({
        "id": "freeze", "event": "thread_started", "origin": "user", "layer": 0.0, "position": "before", "source": 2,
        "actions": [{"primary": "fetch", "item_type": "knowledge", "item_id": "freeze", "set_extends": null,
            "outcome": null, "why": null}],
        "condition": {"truth": "true", "kind": "comparison", "path": "inputs.env", "operator": "eq",
            "expected": "prod", "saw": "\"prod\"", "hidden": false, "why": "inputs.env is \"prod\""},
        "condition_source": 5, "verdict": "suppressed", "why": "suppressed by --suppress",
        "by": {"by": "--suppress", "source": null},
    });
    assert_eq!(hook, expected);
    let none = test().args(["explain", "deploy", "-i", "env=x", "--format", "json"]).any_stdout().run().json();
    assert_eq!((&none["what_if"], &none["hooks"][0]["verdict"]), (&json!([]), &json!("condition_false")));
}

#[test]
fn redacted_inputs_stay_hidden() {
    let ran = test()
        .args(["explain", "deploy", "-i", "env=prod", "--format", "json", "--redact", "inputs"])
        .any_stdout()
        .run();
    let condition = &ran.json()["hooks"][0]["condition"];
    assert_eq!((&condition["saw"], &condition["hidden"]), (&json!("\"‹input:env›\""), &json!(true)));
    assert!(!condition.to_string().contains("prod"), "{condition}");
}

#[test]
fn a_misspelt_id_is_refused() {
    let refused = |flags: [&str; 2], message: &str| {
        let typed = ["render", "deploy", "-i", "env=prod", "--format", "plain"];
        test().args(typed).args(flags).stderr(message).status(2).run();
    };
    refused(
        ["--suppress", "rule"],
        "error[invalid_argument]: --suppress rule: the prompt of deploy has no such hook or context item\n\
         help: did you mean `rules`?\n",
    );
    refused(
        ["--without-hook", "freezer"],
        "error[invalid_argument]: --without-hook freezer: the prompt of deploy has no such hook\n\
         help: did you mean `freeze`?\n",
    );
    refused(
        ["--with-context", "before=mroe"],
        "error[invalid_argument]: --with-context mroe: no tier has a knowledge item with this id\n\
         help: did you mean `more`?\n",
    );
    refused(
        ["--without-tier", "home"],
        "error[invalid_argument]: unknown tier `home`\n\
         help: use one of: project, user, system\n",
    );
    refused(
        ["--set-extends", "bass"],
        "error[parent_not_found]: parent directive `bass` not found in any tier\n    \
         deploy  project .ai/directives/deploy.md\n  → bass    (not found)\nhelp: did you mean `base`?\n",
    );
}

#[test]
fn all_changes_only_directives_with_the_item() {
    let ran = test().args(["render", "--all", "-o", "out", "--suppress", "rules"]).run();
    let prompt =
        |name: &str| -> Value { serde_json::from_str(&ran.read(&format!("project/out/{name}.json"))).unwrap() };
    let outcomes = |prompt: &Value| -> Vec<(Value, Value)> {
        let decisions = prompt["decisions"].as_array().expect("a list");
        decisions.iter().map(|decision| (decision["name"].clone(), decision["outcome"].clone())).collect()
    };
    assert!(outcomes(&prompt("deploy")).contains(&(json!("rules"), json!("suppressed"))));
    assert!(!outcomes(&prompt("base")).contains(&(json!("rules"), json!("suppressed"))));
}

#[test]
fn a_named_file_is_kept_without_its_tier() {
    test()
        .args(["render", "./.ai/directives/deploy.md", "-i", "env=prod", "--format", "plain"])
        .args(["--without-tier", "project", "--without-hook", "freeze"])
        .stdout(DIRECTIVE)
        .any_stderr()
        .run();
}
