//! `explain --agent claude-code --why RULE`: which pattern of a rule matches, and which file would match.

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
