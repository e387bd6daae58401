//! `lint` and the settings: which rules are on, at which level, and the exit status.

use crate::support::Test;

const SETTINGS: &str = "project/.ai/config/rye-render.yaml";

/// A project with a directive that has no block, which is `RR001`.
fn test() -> Test {
    Test::new()
        .file("project/.ai/directives/web/x.md", "No block.\n")
        .env("RYE_SYSTEM_SPACE", "none")
        .args(["lint", "--format", "concise"])
}

/// Expects these levels of `RR001`, and this exit status.
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
fn findings_at_or_above_a_level_fail() {
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
fn settings_of_all_tiers_apply_and_flags_override_them() {
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
fn an_invalid_setting_is_an_error_with_its_line() {
    test()
        .file(SETTINGS, "lint:\n  rules:\n    RR0011: off\n")
        .stderr(
            "\
error[invalid_setting]: unknown rule or group `RR0011`
 --> project .ai/config/rye-render.yaml:3:5
  |
3 |     RR0011: off
  |     ^^^^^^
  |
  = help: did you mean `RR001`? `rye-render lint --explain ALL` lists the rules
",
        )
        .status(2)
        .run();
    test()
        .args(["--select", "structrue"])
        .stderr(
            "error[invalid_argument]: unknown rule or group `structrue` in --select\n\
             help: did you mean `structure`? `rye-render lint --explain ALL` lists the rules\n",
        )
        .status(2)
        .run();
    // Invalid lint settings do not prevent rendering.
    Test::new()
        .file("project/.ai/directives/x.md", "```xml\n<directive name=\"x\"/>\n```\nHello.\n")
        .file(SETTINGS, "lint: 3\n")
        .env("RYE_SYSTEM_SPACE", "none")
        .args(["render", "x", "--format", "plain"])
        .stdout("<directive name=\"x\">\nHello.\n</directive>")
        .run();
}

#[test]
fn settings_in_effect_are_shown_with_their_origin() {
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

/// A directive with a key in its text (`RR616`), and the settings of the user and the project.
fn with_secret(user: &str, project: &str) -> Test {
    let text = "```xml\n<directive name=\"x\"/>\n```\nSign in with AKIAODZDOCIS2JHTLGMX.\n";
    Test::new()
        .file("project/.ai/directives/web/x.md", text)
        .file("home/.ai/config/rye-render.yaml", user)
        .file(SETTINGS, project)
        .env("RYE_SYSTEM_SPACE", "none")
        .args(["lint", "--format", "concise", "--select", "structure,trust"])
        .any_stdout()
}

/// A project cannot bypass the user's trust rules by excluding files.
#[test]
fn user_settings_about_trust_apply_to_excluded_files() {
    let user = "lint: {rules: {secret_in_text: warning}}\n";
    let found = |test: Test, status: i32| -> Vec<String> {
        let ran = test.status(status).run();
        let codes = ran.stdout.lines().filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0.to_string()));
        codes.collect()
    };
    let excluded = "lint: {exclude: [web/]}\n";
    assert_eq!(found(with_secret("", excluded), 0), [""; 0]);
    // Only that rule checks the file.
    assert_eq!(found(with_secret(user, excluded), 1), ["RR616"]);
    assert_eq!(found(with_secret(user, "").file("project/.gitignore", "web/\n"), 1), ["RR616"]);
    assert_eq!(found(with_secret(user, excluded).args(["--force-exclude", ".ai/directives/web/x.md"]), 1), ["RR616"]);
    // The user may exclude files or ignore the rule.
    assert_eq!(found(with_secret("lint: {rules: {RR616: warning}, exclude: [web/]}\n", ""), 0), [""; 0]);
    assert_eq!(found(with_secret(user, excluded).args(["--exclude", "web/"]), 0), [""; 0]);
    assert_eq!(found(with_secret(user, excluded).args(["--ignore", "RR616"]), 0), [""; 0]);
    // A named file is checked by all rules, as usual.
    assert!(found(with_secret(user, excluded).args([".ai/directives/web/x.md"]), 1).len() > 1);
}

#[test]
fn a_project_cannot_lower_user_settings_about_trust() {
    let ends = |user: &str, project: &str, more: &[&str], status: i32| {
        let test = with_secret(user, project).args(["--ignore", "structure"]);
        more.iter().fold(test, |test, flag| test.args([flag])).status(status).run();
    };
    let off = "lint: {fail_on: off}\n";
    ends("", off, &[], 0);
    ends("lint: {rules: {secret_in_text: warning}}\n", off, &[], 1);
    ends("lint: {rules: {secret_in_text: note}}\n", off, &[], 0);
    ends("lint: {rules: {secret_in_text: note}, fail_on: note}\n", off, &[], 1);
    ends("lint: {rules: {secret_in_text: warning}, fail_on: off}\n", off, &[], 0);
    // A flag overrides all settings.
    ends("lint: {rules: {secret_in_text: warning}}\n", off, &["--fail-on", "off"], 0);
    // The user's settings for other rules make no difference.
    ends("lint: {rules: {hidden_character: error}}\n", off, &[], 0);
}

/// The finding is a note, so it does not make `lint` fail.
#[test]
fn a_pattern_that_matches_nothing_is_reported_with_its_line() {
    let settings =
        "lint:\n  select: [lint]\n  paths:\n    - {files: [web/, old/], ignore: [RR001]}\n    - files: gone.md\n";
    test()
        .file(SETTINGS, settings)
        .stdout(
            ".ai/config/rye-render.yaml:4:22: note[RR903] `old/` matches no file in the project\n\
             .ai/config/rye-render.yaml:5:14: note[RR903] `gone.md` matches no file in the project\n",
        )
        .run();
    // User settings are for many projects, so they are not reported.
    test().file("home/.ai/config/rye-render.yaml", settings).run();
}

/// Signed files can be allowed only by a per-path `ignore`, so an unused one is reported like an unused allowance.
#[test]
fn an_ignored_rule_that_finds_nothing_is_reported() {
    let settings = "lint:\n  paths:\n    - {files: [\"*.md\"], ignore: [RR007, RR014, structure]}\n";
    let unnamed = "```xml\n<directive version=\"1.0.0\"><metadata><description>D</description></metadata></directive>\n\
                   ```\n\nDo it.\n";
    let test = || {
        Test::new()
            .env("RYE_SYSTEM_SPACE", "none")
            .file("project/.ai/config/rye-render.yaml", settings)
            .file("project/.ai/directives/a.md", unnamed)
    };
    let ran = test().args(["lint", "--format", "concise"]).any_stdout().run();
    let unused_rules: Vec<&str> = ran.stdout.lines().filter(|line| line.contains("RR903")).collect();
    let unused = |code: &str, column| {
        format!(".ai/config/rye-render.yaml:3:{column}: note[RR903] `{code}` finds nothing in these files")
    };
    let ignores_missing_names = ran.stdout.contains("RR007");
    assert!(!ignores_missing_names, "{}", ran.stdout);
    assert!(unused_rules.contains(&unused("RR014", 41).as_str()), "{}", ran.stdout);
    // Files that are not checked may contain the finding.
    test().args(["lint", ".ai/config/rye-render.yaml", "--exclude", "a.md"]).any_stdout().run();
}
