//! `explain --agent` with `--why` or `--from`: which pattern of a rule matches, which file would match, and why a file or
//! line is not in the prompt.

use std::path::Path;
use std::process::Command;

use crate::support::{Ran, Test, missing};

fn project() -> Test {
    Test::plain()
        .file("project/.claude/rules/api.md", "---\npaths:\n  - /api/**\n  - \"*.{proto,sql}\"\n---\nCheck the API.\n")
        .file("project/.claude/rules/gone.md", "---\npaths: /old/**\n---\nOld.\n")
        .file("project/api/v1/users.ts", "")
        .file("project/db/schema.sql", "")
        .file("project/web/page.ts", "")
}

fn in_git(root: &Path) {
    for words in [&["init", "--quiet"][..], &["add", "."]] {
        let done = Command::new("git").args(words).current_dir(root.join("project")).status();
        assert!(done.expect("git is installed").success());
    }
}

fn why(test: Test, rule: &str, touched: &[&str]) -> Ran {
    let test = test.env("COLUMNS", "100").args(["explain", "--agent", "claude-code", "--why", rule]);
    let touched = touched.iter().fold(test, |test, file| test.args(["--touch", file]));
    touched.any_stderr().any_stdout().run()
}

fn steps(shown: &str) -> Vec<&str> {
    shown.lines().filter_map(|line| line.split_once("→ ")).map(|(_, step)| step.trim()).collect()
}

#[test]
fn the_pattern_that_matches_is_named() {
    let ran = why(project(), "api.md", &["db/schema.sql"]);
    assert!(ran.stdout.contains("`*.{proto,sql}` matches db/schema.sql, project"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("nearest"), "{}", ran.stdout);
}

#[test]
fn patterns_that_do_not_match_are_named_with_the_nearest_tracked_file() {
    if Command::new("git").arg("--version").output().is_err() {
        return missing("git");
    }
    let ran = why(project().with(in_git), "api.md", &["web/page.ts"]);
    let steps = steps(&ran.stdout);
    assert!(steps.iter().any(|step| step.starts_with("`/api/**` does not match web/page.ts")), "{}", ran.stdout);
    assert!(steps.iter().any(|step| step.starts_with("`*.{proto,sql}` does not match web/page.ts")), "{}", ran.stdout);
    // One folder up and one down, instead of two.
    assert!(steps.contains(&"the nearest tracked file that would bring it is db/schema.sql"), "{}", ran.stdout);
    // A file that git does not know does not count.
    let ran = why(project().with(in_git).file("project/web/own.sql", ""), "api.md", &["web/page.ts"]);
    assert!(ran.stdout.contains("would bring it is db/schema.sql"), "{}", ran.stdout);
    let ran = why(project().with(in_git), "gone.md", &[]);
    assert!(ran.stdout.contains("its patterns match no tracked file"), "{}", ran.stdout);
    let json =
        project().with(in_git).args(["explain", "--agent", "claude-code", "--why", "gone.md", "--format", "json"]);
    let json = json.any_stdout().any_stderr().run();
    assert!(json.stdout.contains("its patterns match no tracked file"), "{}", json.stdout);
}

#[test]
fn outside_of_a_repository_all_files_below_the_folder_count() {
    let ran = why(project(), "api.md", &["web/page.ts"]);
    assert!(
        ran.stdout.contains("the nearest file below the working folder that would bring it is db/schema.sql"),
        "{}",
        ran.stdout
    );
    let ran = why(project(), "gone.md", &["web/page.ts"]);
    assert!(ran.stdout.contains("its patterns match no file below the working folder"), "{}", ran.stdout);
}

fn explained<const N: usize>(test: Test, arguments: [&str; N]) -> String {
    let test = test.env("COLUMNS", "200").args(["explain", "--agent"]).args(arguments);
    test.any_stdout().any_stderr().run().stdout
}

#[test]
fn a_line_after_the_cut_exists() {
    let text = "A line of 35 bytes, with its break.\n".repeat(1000);
    let of = |place| explained(Test::plain().file("project/AGENTS.md", &text), ["codex", "--from", place]);
    let shown = of("AGENTS.md:1000");
    assert!(shown.contains("it comes after the cut: only the first 32,768 bytes of the file are sent"), "{shown}");
    let shown = of("AGENTS.md:1");
    assert!(shown.contains("It appears in 1 line of the messages."), "{shown}");
}

#[test]
fn a_file_that_exists_is_not_missing() {
    let test = || {
        Test::plain()
            .file("project/opencode.json", r#"{"instructions":"x.md"}"#)
            .file("project/AGENTS.md", "Be brief.\n")
            .status(2)
    };
    let shown = explained(test(), ["opencode", "--why", "AGENTS.md"]);
    assert!(shown.contains("opencode.json keeps the agent from starting") && !shown.contains("missing"), "{shown}");
    // The list of outcomes is closed.
    let json = explained(test(), ["opencode", "--why", "AGENTS.md", "--format", "json"]);
    assert!(json.contains(r#""outcome":"missing""#), "{json}");
}

#[test]
fn a_skill_outside_the_prompt_has_the_name_of_its_folder() {
    let skill = "---\nname: ship\ndescription: Ships.\ndisable-model-invocation: true\n---\nShip it.\n";
    let shown =
        explained(Test::plain().file("project/.claude/skills/ship/SKILL.md", skill), ["claude-code", "--why", "ship"]);
    assert!(shown.contains("it is hidden from the model"), "{shown}");
    let shown = explained(Test::plain().file("project/.pi/skills/ship/SKILL.md", skill), ["pi", "--why", "ship"]);
    assert!(shown.contains("the folder is not trusted"), "{shown}");
}

#[test]
fn the_file_that_takes_the_place_is_named() {
    let test = Test::plain().file("project/AGENTS.md", "Be brief.\n").file("project/AGENTS.override.md", "Be long.\n");
    let shown = explained(test, ["codex", "--why", "AGENTS.md"]);
    assert!(shown.contains("/project/AGENTS.override.md takes its place"), "{shown}");
}

#[test]
fn a_file_below_that_is_never_read_says_why() {
    let test = || Test::plain().file("project/api/AGENTS.md", "Small.\n");
    let name = "api/AGENTS.md";
    let of_repository = explained(test(), ["codex", "--repository-only", "--why", name]);
    for shown in [explained(test(), ["codex", "--why", name]), of_repository] {
        assert!(shown.contains("it lies below the folder in which the agent starts"), "{shown}");
    }
}

#[test]
fn a_file_below_names_what_takes_its_place() {
    let project = || Test::plain().file("project/src/AGENTS.md", "Below.\n").env("COLUMNS", "100");
    let shown = |test: Test| {
        let test = test.args(["explain", "--agent", "claude-code", "--why", "src/AGENTS.md"]);
        test.any_stderr().any_stdout().run().stdout
    };
    let above = shown(project().file("project/CLAUDE.md", "Above.\n"));
    assert!(above.contains("/project/CLAUDE.md takes its place"), "{above}");
    let beside = shown(project().file("project/src/CLAUDE.md", "Beside.\n"));
    assert!(beside.contains("/project/src/CLAUDE.md takes its place"), "{beside}");
}

#[test]
fn the_place_of_the_setting_that_excludes_a_file_is_named() {
    let settings = "{\"claudeMdExcludes\": [\"/x\",\n\"**/CLAUDE.md\"]}\n";
    let test = Test::plain().file("project/CLAUDE.md", "Be brief.\n").file("project/.claude/settings.json", settings);
    let shown = explained(test, ["claude-code", "--why", "CLAUDE.md"]);
    assert!(shown.contains("/project/.claude/settings.json:2"), "{shown}");
}

#[test]
fn a_line_of_settings_names_what_it_decides() {
    let test = || {
        let test = Test::plain().file("project/AGENTS.md", "Be brief.\n");
        test.file("home/.codex/config.toml", "project_doc_max_bytes = 4\nmodel = \"m\"\n")
    };
    let shown = explained(test(), ["codex", "--from", "[ROOT]/home/.codex/config.toml:1"]);
    assert!(shown.contains("it decides about [ROOT]/project/AGENTS.md: it is cut after 4 bytes"), "{shown}");
    let shown = explained(test(), ["codex", "--from", "[ROOT]/home/.codex/config.toml:2"]);
    assert!(shown.contains("it may still change the agent's own text"), "{shown}");
    let shown = explained(test(), ["codex", "--why", "AGENTS.md"]);
    assert!(shown.contains("project_doc_max_bytes decides it, settings [ROOT]/home/.codex/config.toml:1"), "{shown}");
    let trusted = test().file("project/.pi/SYSTEM.md", "Be brief.\n");
    let trusted = trusted.file("home/.pi/agent/settings.json", "{\n\"defaultProjectTrust\": \"always\"}");
    let shown = explained(trusted, ["pi", "--from", "[ROOT]/home/.pi/agent/settings.json:2"]);
    assert!(shown.contains("it decides about [ROOT]/project/.pi/SYSTEM.md: it applies here"), "{shown}");
}
