//! `lint` and the settings: which rules speak, how loudly, and how the command ends.

use crate::support::Test;

const SETTINGS: &str = "project/.ai/config/rye-render.yaml";

/// A project with a directive that has no block, which is `RR001`, and no other rule asked.
fn test() -> Test {
    Test::new()
        .file("project/.ai/directives/web/x.md", "No block.\n")
        .env("RYE_SYSTEM_SPACE", "none")
        .args(["lint", "--format", "concise"])
}

/// The levels that the findings of `RR001` have, and how the command ends.
fn ends(test: Test, levels: &[&str], status: i32) {
    let ran = test.any_stdout().status(status).run();
    let found: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.contains("[RR001]"))
        .map(|line| line.split(": ").nth(1).unwrap().split('[').next().unwrap())
        .collect();
    assert_eq!(found, levels, "{}", ran.stdout);
}

#[test]
fn findings_from_a_level_on_are_worth_a_failure() {
    let asked = || test().args(["--select", "RR001"]);
    ends(asked(), &["error"], 1);
    ends(asked().args(["--fail-on", "error"]), &["error"], 1);
    ends(asked().args(["--fail-on", "off"]), &["error"], 0);
    let as_note = |more: &str| asked().file(SETTINGS, &format!("lint:\n  rules: {{RR001: note}}\n{more}"));
    ends(as_note(""), &["note"], 0);
    ends(as_note("").args(["--fail-on", "note"]), &["note"], 1);
    ends(as_note("  fail_on: note\n"), &["note"], 1);
    ends(as_note("  fail_on: note\n").args(["--fail-on", "warning"]), &["note"], 0);
}

#[test]
fn the_settings_of_all_tiers_decide_and_flags_beat_them() {
    let both = || {
        test()
            .file("home/.ai/config/rye-render.yaml", "lint: {rules: {RR001: note, RR105: off}}\n")
            .file(SETTINGS, "lint:\n  rules:\n    RR001: warning\n  select: [structure]\n")
    };
    ends(both(), &["warning"], 1);
    ends(both().args(["--ignore", "no_xml_block"]), &[], 0);
    ends(both().args(["--select", "references"]), &[], 0);
    ends(both().args(["--select", "references,RR001"]), &["warning"], 1);
    let for_some = "lint: {paths: [{files: ['web/'], ignore: [RR001]}], select: [RR001]}\n";
    ends(test().file(SETTINGS, for_some), &[], 0);
}

#[test]
fn a_wrong_setting_is_an_error_where_it_stands() {
    test()
        .file(SETTINGS, "lint:\n  rules:\n    RR0011: off\n")
        .stderr(
            "\
error[invalid_setting]: there is no rule `RR0011`, and no such group
 --> project .ai/config/rye-render.yaml:3:5
  |
3 |     RR0011: off
  |     ^^^^^^
  |
  = help: did you mean `RR001`?
",
        )
        .status(2)
        .run();
    test()
        .args(["--select", "structrue"])
        .stderr(
            "error[invalid_argument]: --select structrue: there is no such rule, and no such group\n\
             help: did you mean `structure`?\n",
        )
        .status(2)
        .run();
    // Whoever renders is not kept from it by what concerns others.
    Test::new()
        .file("project/.ai/directives/x.md", "```xml\n<directive name=\"x\"/>\n```\nHello.\n")
        .file(SETTINGS, "lint: 3\n")
        .env("RYE_SYSTEM_SPACE", "none")
        .args(["render", "x", "--format", "plain"])
        .stdout("<directive name=\"x\">\nHello.\n</directive>")
        .run();
}

#[test]
fn the_settings_that_count_are_shown_with_their_origin() {
    let all = || {
        Test::new()
            .file("home/.ai/config/rye-render.yaml", "protocol: rye-2\nlint: {fail_on: note, exclude: [old/]}\n")
            .file(
                SETTINGS,
                "examples:\n  web/x: {target: eu}\nlint:\n  select: [cost]\n  rules: {RR105: off}\n  \
                 options: {prompt_tokens: 9}\n  paths: [{files: web/, ignore: [RR001]}]\n",
            )
            .args(["lint", "--show-settings"])
    };
    let ran = all().args(["--exclude", "*.tmp", "--select", "ALL"]).any_stdout().run();
    let rows: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    let has = |row: &str| {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert!(rows.contains(&words), "{row}\n{}", ran.stdout);
    };
    has("protocol = \"rye-2\" user .ai/config/rye-render.yaml:1");
    has("examples.web/x = \"{target: eu}\" project .ai/config/rye-render.yaml:2");
    has("lint.select = [\"ALL\"] --select");
    has("lint.fail_on = \"note\" user .ai/config/rye-render.yaml:2");
    has("lint.exclude = [\"old/\"] user .ai/config/rye-render.yaml:2");
    has("lint.exclude = [\"*.tmp\"] --exclude");
    has("lint.rules.RR105 = \"off\" project .ai/config/rye-render.yaml:5");
    has("lint.options.prompt_tokens = 9 project .ai/config/rye-render.yaml:6");
    has("lint.options.layer_share = 80 default");
    has("lint.paths[0].ignore = [\"RR001\"] project .ai/config/rye-render.yaml:7");
    assert!(!ran.stdout.contains("[\"cost\"]"), "{}", ran.stdout);

    let json = all().args(["--format", "json"]).any_stdout().run().json();
    let settings = json["settings"].as_array().unwrap();
    let select = settings.iter().find(|setting| setting["name"] == "lint.select").unwrap();
    assert_eq!(select["value"], serde_json::json!(["cost"]));
    let place = serde_json::json!({
        "kind": "file", "tier": "project", "path": ".ai/config/rye-render.yaml", "line": 4, "column": 11
    });
    assert_eq!(select["by"], place);
    all().args(["--format", "sarif"]).any_stderr().status(2).run();
}
