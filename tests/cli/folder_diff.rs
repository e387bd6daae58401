//! `diff --protocol sf` on real git repositories: two folders, two revisions, two tool sets, two prompts.

mod refused;
mod turns;

use serde_json::{Value, json};

use crate::repo::{Repo, git_is_there};
use crate::support::Test;

const SKILL: &str = ".agents/skills/tidy/SKILL.md";

fn skill(description: &str) -> String {
    format!("---\nname: tidy\ndescription: {description}\n---\nText\n")
}

/// A repository whose first commit has an instruction file at the root and in two folders, and a skill; `then`
/// continues the history. None if git is missing.
fn story(then: impl FnOnce(&Repo)) -> Option<Test> {
    let test = git_is_there().then(Test::new)?;
    Some(
        test.with(|root| {
            let repo = Repo::init(&root.join("project"));
            repo.write("AGENTS.md", "Be careful.\nRun the tests.\n").write(SKILL, skill("Tidy up"));
            repo.write("packages/a/AGENTS.md", "Use tabs.\n").write("packages/b/AGENTS.md", "Use spaces.\n");
            repo.commit("one").tag("v1");
            then(&repo);
        })
        // Wide enough that no path wraps.
        .env("COLUMNS", "200")
        .args(["--color", "never", "diff", "--protocol", "sf"]),
    )
}

fn typed(test: Test, words: &[&str]) -> Test {
    words.iter().fold(test, |test, word| test.args([*word]))
}

/// Compares after `then`, and expects these names to differ.
fn names(then: impl FnOnce(&Repo), words: &[&str], expected: &str) {
    let Some(test) = story(then) else { return };
    let status = if expected.is_empty() { 0 } else { 1 };
    typed(test, words).args(["--format", "name-only"]).status(status).stdout(expected).run();
}

fn document(then: impl FnOnce(&Repo), words: &[&str]) -> Option<Value> {
    let test = typed(story(then)?, words).args(["--format", "json"]).status(1);
    Some(test.any_stdout().run().json())
}

/// The layers that differ.
fn changed(document: &Value) -> Vec<&Value> {
    document["layers"].as_array().unwrap().iter().filter(|pair| pair["change"] != "same").collect()
}

fn edit(repo: &Repo) {
    repo.write("AGENTS.md", "Be careful.\nRun all tests.\n");
}

#[test]
fn an_edit_changes_one_layer_with_its_file_and_line() {
    let Some(document) = document(edit, &[]) else { return };
    let changed = changed(&document);
    assert_eq!(changed.len(), 1, "{document}");
    let source = |side: &str| changed[0][side]["source"].clone();
    let path = "[ROOT]/project/AGENTS.md";
    assert_eq!(source("left"), json!({"tier": "cwd", "path": path, "line": 1, "revision": "HEAD"}));
    assert_eq!(source("right"), json!({"tier": "cwd", "path": path, "line": 1}));
    let lines = &changed[0]["lines"][0];
    assert_eq!(
        (&lines["left"]["text"], &lines["right"]["text"]),
        (&json!(["Run the tests.\n"]), &json!(["Run all tests.\n"]))
    );
    let (left, right) = (&document["left"], &document["right"]);
    assert_eq!((&left["title"], &right["title"]), (&json!("HEAD:./"), &json!("./")));
    assert_eq!((&left["folder"], &left["directive"]), (&json!("[ROOT]/project"), &Value::Null));
    assert_eq!((&document["fields"], &document["chain"]), (&json!([]), &Value::Null));
}

/// Only the time could differ, and both sides use the same time.
#[test]
fn unchanged_files_give_no_difference() {
    let Some(test) = story(|_| {}) else { return };
    let ran = test.any_stdout().run();
    assert!(ran.stdout.starts_with("HEAD:./ and ./: the prompts are the same, "), "{}", ran.stdout);
}

#[test]
fn two_folders_differ_in_their_own_files_and_in_their_path() {
    let Some(document) = document(|_| {}, &["packages/a", "packages/b"]) else { return };
    let [own, environment] = changed(&document)[..] else { panic!("{document}") };
    // The files of the two folders are paired as one layer.
    assert_eq!((&own["change"], &own["taken_from"], &own["renamed"]), (&json!("changed"), &json!(true), &json!(false)));
    assert_eq!(own["left"]["source"]["path"], "[ROOT]/project/packages/a/AGENTS.md");
    assert_eq!(own["right"]["source"]["path"], "[ROOT]/project/packages/b/AGENTS.md");
    assert_eq!(environment["right"]["name"], "date and folder");
}

#[test]
fn sides_are_folders_at_revisions_in_the_index_and_on_disk() {
    let second = |repo: &Repo| {
        repo.write("packages/a/AGENTS.md", "Use four blanks.\n").commit("two");
        repo.write(SKILL, skill("Tidy up well")).add();
        edit(repo);
    };
    let (a, top, skills) = ("[ROOT]/project/packages/a/AGENTS.md\n", "[ROOT]/project/AGENTS.md\n", "skill tidy\n");
    let all: [(&[&str], &str); 12] = [
        (&[], &format!("{top}{skills}")),
        (&["."], &format!("{top}{skills}")),
        (&["HEAD:", ":"], skills),
        (&[":"], top),
        (&["HEAD:packages/a"], &format!("{top}{skills}")),
        (&["v1:packages/a", "HEAD:./packages/a"], a),
        (&["packages/a", "--rev", "v1..HEAD"], a),
        (&["packages/a", "--rev", "v1"], &format!("{top}{a}{skills}")),
        (&["--cwd", "packages/a", "--rev", "v1..."], a),
        (&["--rev", "HEAD..:"], skills),
        (&["packages/b", "--rev", "v1..HEAD"], ""),
        (&["packages/a", "[ROOT]/project/packages/a"], ""),
    ];
    for (words, expected) in all {
        names(second, words, expected);
    }
}

#[cfg(unix)]
#[test]
fn a_path_without_a_dot_is_relative_to_the_repository() {
    let Some(test) = story(|repo| {
        repo.write("packages/a/AGENTS.md", "Other.\n");
    }) else {
        return;
    };
    // Runs as `cd packages && rye-render …`.
    let test = test.through(&["sh", "-c", "cd packages && exec \"$@\"", "sh"]);
    let test = typed(test, &["HEAD:packages/a", "HEAD:./a", "--format", "name-only"]);
    test.stdout("").run();
}

#[test]
fn a_flag_sets_the_folder_of_one_side() {
    let expected = "[ROOT]/project/packages/b/AGENTS.md\nenvironment date and folder\n";
    for words in [
        &["--left-cwd", "packages/a", "--right-cwd", "packages/b"][..],
        &["packages/a", "--right-cwd", "packages/b"],
        &["HEAD:packages/a", "--right-cwd", "packages/b"],
    ] {
        names(|_| {}, words, expected);
    }
}

#[test]
fn tools_of_one_side_change_base_and_palette() {
    let Some(document) = document(edit, &["--left-tools", "read,bash", "--right-tools", "read"]) else { return };
    let changed = changed(&document);
    // Only flags differ, so both sides are the folder on disk.
    assert_eq!(changed.iter().map(|it| &it["right"]["name"]).collect::<Vec<_>>(), [&json!("builtin")]);
    let titles = (&document["left"]["title"], &document["right"]["title"]);
    assert_eq!(titles, (&json!("./ (tools=read,bash)"), &json!("./ (tools=read)")));
    let tools: Vec<_> =
        document["tools"].as_array().unwrap().iter().map(|it| (&it["change"], &it["left"]["name"])).collect();
    assert_eq!(tools, [(&json!("same"), &json!("read")), (&json!("removed"), &json!("bash"))]);
}

#[test]
fn a_changed_skill_shows_its_lines_in_the_list() {
    let Some(test) = story(|repo| {
        repo.write(".agents/skills/web/SKILL.md", "---\nname: web\ndescription: Look\n---\n");
        repo.write(SKILL, skill("Tidy up well"));
    }) else {
        return;
    };
    let ran = test.args(["--format", "patch", "-U0"]).status(1).any_stdout().run();
    // Messages are named after the folder, wherever it is.
    assert!(ran.stdout.starts_with("--- a/project/system\n+++ b/project/system\n"), "{}", ran.stdout);
    let mut lines: Vec<&str> = ran.stdout.lines().skip(2).filter(|line| !line.starts_with("@@")).collect();
    lines.sort_unstable();
    let location = "+    <location>[ROOT]/project/.agents/skills/web/SKILL.md</location>";
    assert_eq!(
        lines,
        [
            "+    <description>Look</description>",
            "+    <description>Tidy up well</description>",
            location,
            "+    <name>web</name>",
            "+  </skill>",
            "+  <skill>",
            "-    <description>Tidy up</description>",
        ]
    );
}

#[test]
fn a_moved_file_stays_the_same_layer() {
    let moved = |repo: &Repo| {
        repo.remove("packages/a/AGENTS.md").write("packages/AGENTS.md", "Use tabs.\n");
        repo.write("packages/a/keep", "");
    };
    let Some(test) = story(moved) else { return };
    let ran = test.args(["packages/a"]).status(1).any_stdout().run();
    let said = "  changed, now taken from ancestor instead of cwd\n  \
                - cwd [ROOT]/project/packages/a/AGENTS.md:1 at HEAD\n  \
                + ancestor [ROOT]/project/packages/AGENTS.md:1\n\
                @@ system · [ROOT]/project/packages/AGENTS.md · lines 1-3 @@\n";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
}

#[test]
fn an_emptied_file_stays_the_same_layer() {
    let Some(test) = story(|repo| {
        repo.write("AGENTS.md", "");
    }) else {
        return;
    };
    let ran = test.status(1).any_stdout().run();
    let said = "  changed\n  cwd [ROOT]/project/AGENTS.md:1; old text on lines 1-2 at HEAD\n";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
}

/// A file found at a different step of the walk is not a difference.
#[test]
fn a_file_that_applies_to_both_folders_is_one_layer() {
    let Some(document) = document(|_| {}, &[".", "packages/a"]) else { return };
    let changed: Vec<_> = changed(&document).iter().map(|it| (&it["change"], &it["right"]["name"])).collect();
    let own = json!("[ROOT]/project/packages/a/AGENTS.md");
    assert_eq!(changed, [(&json!("added"), &own), (&json!("changed"), &json!("date and folder"))]);
}

#[test]
fn a_hidden_file_changes_only_a_decision() {
    let hidden = |repo: &Repo| {
        repo.write("CLAUDE.md", "Old.\n");
    };
    let Some(test) = story(hidden) else { return };
    let ran = test.any_stdout().run();
    let said = "not considered → shadowed\n    + there is an AGENTS.md next to it,";
    assert!(ran.stdout.contains("the prompts are the same") && ran.stdout.contains(said), "{}", ran.stdout);
}

#[test]
fn a_new_folder_adds_a_prompt() {
    let new = |repo: &Repo| {
        repo.write("packages/c/AGENTS.md", "New.\n");
    };
    let Some(test) = story(new) else { return };
    let ran = test.args(["packages/c", "--max-token-growth", "0%"]).any_stdout().run();
    assert!(ran.stdout.contains("\nthe prompt was added: HEAD:./packages/c does not exist\n"), "{}", ran.stdout);
    let Some(document) = document(new, &["packages/c"]) else { return };
    assert_eq!(document["left"]["kind"], "absent");
}

#[test]
fn a_deleted_folder_removes_a_prompt() {
    let gone = |repo: &Repo| std::fs::remove_dir_all(repo.path("packages/a")).unwrap();
    let Some(test) = story(gone) else { return };
    let ran = test.args(["HEAD:packages/a"]).status(1).any_stdout().run();
    assert!(ran.stdout.contains("\nthe prompt was removed: packages/a does not exist\n"), "{}", ran.stdout);
}

#[test]
fn growth_is_reported_for_the_folder() {
    let Some(test) = story(|repo| {
        repo.write("AGENTS.md", "Be careful.\n".repeat(400));
    }) else {
        return;
    };
    let ran = test.args(["--max-token-growth", "5%"]).status(1).any_stdout().any_stderr().run();
    assert!(ran.stderr.starts_with("warning[prompt_grew]: the prompt of `[ROOT]/project` grows by"), "{}", ran.stderr);
}

#[test]
fn a_saved_prompt_is_compared_with_the_working_folder() {
    let now = ["--now", "2026-03-07T14:55:05Z", "--tz", "UTC"];
    let Some(test) = story(|_| {}) else { return };
    let saved =
        typed(Test::new().file("project/AGENTS.md", "Saved.\n"), &["render", "--protocol", "sf", "--format", "json"]);
    let saved = typed(saved, &now).any_stdout().run().stdout;
    let test = test.file("project/saved.json", &saved.replace("[ROOT]", "/elsewhere"));
    let ran = typed(test, &["saved.json", "--format", "json"]);
    let document = typed(ran, &now).status(1).any_stdout().run().json();
    let own = &changed(&document)[0];
    assert_eq!(
        (&own["left"]["source"]["path"], &own["left"]["source"]["line"]),
        (&json!("/elsewhere/project/AGENTS.md"), &json!(1))
    );
    assert_eq!(own["right"]["source"]["path"], "[ROOT]/project/AGENTS.md");
    // A folder has neither a chain nor a mode; both sides record everything else.
    assert_eq!((&document["untold"], &document["fields"]), (&json!([]), &json!([])));
}

#[test]
fn two_agents_can_be_compared() {
    let Some(test) = story(|_| {}) else { return };
    let words = "name: pi\nextends: sf\ntexts: {concise_line: Be brief}\n";
    let test = test.file("project/pi.yaml", words).args(["--protocol-file", "pi.yaml", "--right-protocol", "pi"]);
    test.args(["--format", "name-only"]).status(1).stdout("base builtin\nprotocol\n").run();
}

#[test]
fn no_format_mentions_directives() {
    for format in ["text", "stat", "name-only", "markdown", "patch", "html"] {
        let Some(test) = story(edit) else { return };
        let ran = typed(test, &["--prompt", "Go", "--format", format]).status(1).any_stdout().run();
        let body = ran.stdout.split("</style>").last().unwrap().split("<script>").next().unwrap();
        assert!(!body.contains("directive") && body.contains("AGENTS.md"), "{format}: {body}");
    }
}

/// Codex is the only agent with messages of a developer.
#[test]
fn a_difference_of_agents_matches_its_schema() {
    let project = || Test::plain().file("project/AGENTS.md", "a\n").file("project/b/AGENTS.md", "b\n");
    let diff =
        project().args(["diff", "--agent", "codex", ".", "b", "--format", "json"]).status(1).any_stdout().run().json();
    let schema: Value = serde_json::from_str(include_str!("../../docs/schema/diff.schema.json")).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    validator.validate(&diff).unwrap_or_else(|wrong| panic!("{wrong}: {diff}"));
    let own = diff["layers"].as_array().unwrap().iter().find(|layer| layer["left"]["kind"] == "own").unwrap();
    assert_eq!(own["left"]["tokens"], Value::Null);
}

#[test]
fn a_folder_without_an_agent_is_no_directive() {
    let expected = "error[invalid_argument]: . is a folder, not a directive\n\
                    help: add --agent NAME to compare what an agent is told there\n";
    Test::plain().file("project/AGENTS.md", "a\n").args(["diff", ".", "x"]).stderr(expected).status(2).run();
}
