//! `--turn`: the prompt of one turn, as extensions change it.

use serde_json::{Value, json};

use super::{changed, typed};
use crate::support::Test;

const EXTENSIONS: &str = "prompts:\n- [{name: memory, append: ' Remember.'}, {set_active_tools: [read]}]\n- [{message: Look here}]\n\
                          - [{replace: You are a cat.}]\n";

fn test(command: &str) -> Test {
    let test = Test::new().file("project/e.yaml", EXTENSIONS).file("project/.sf/SYSTEM.md", "Base.");
    test.file("project/AGENTS.md", "Be careful.\n").args([
        command,
        "--protocol",
        "sf",
        "--now",
        "2026-03-07T14:55:05Z",
        "--tz",
        "UTC",
    ])
}

fn rendered(words: &[&str]) -> Value {
    typed(test("render"), words).args(["--format", "json"]).any_stdout().run().json()
}

#[test]
fn a_turn_is_the_prompt_that_extensions_leave() {
    let base = rendered(&["--extensions", "e.yaml", "Go"]);
    for turn in [1, 2, 3] {
        let document = rendered(&["--extensions", "e.yaml", "--turn", &turn.to_string(), "Go"]);
        let variant = &base["prompts"][turn - 1];
        assert_eq!((&document["messages"], &document["layers"]), (&variant["messages"], &variant["layers"]));
        let tools: Vec<&Value> = document["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
        // Tools that the first turn sets apply from the second turn on.
        assert_eq!(tools == [&json!("read")], turn > 1, "turn {turn}: {tools:?}");
        let outcome = if turn == 3 { "suppressed" } else { "included" };
        let decisions = document["decisions"].as_array().unwrap().iter();
        // No turn uses the built-in base.
        let is_of_files = |slot: &str| slot.starts_with("system.") && slot != "system.extensions";
        let of_system = decisions.filter(|it| is_of_files(it["slot"].as_str().unwrap()));
        let outcomes: Vec<_> = of_system.map(|it| &it["outcome"]).filter(|it| *it != "shadowed").collect();
        assert_eq!(outcomes, [outcome; 3], "turn {turn}");
    }
    let kinds = |document: &Value| document["sections"].as_array().unwrap().len();
    assert_eq!((kinds(&base), kinds(&rendered(&["--extensions", "e.yaml", "--turn", "3"]))), (3, 0));
}

#[test]
fn without_extensions_the_first_turn_is_the_base() {
    let [turn, base] = [&["--turn", "1", "Go"][..], &["Go"]].map(|words| {
        let mut document = rendered(words);
        // Each runs in its own folder, whose name affects the hash.
        document["sha256"] = Value::Null;
        document
    });
    assert_eq!(turn, base);
}

#[test]
fn plain_writes_the_exact_bytes_of_a_turn() {
    let words = ["--extensions", "e.yaml", "--turn", "3", "--format", "plain", "Go"];
    typed(test("render"), &words).stdout("You are a cat.\n\nGo").run();
}

#[test]
fn a_missing_turn_is_an_error_with_the_number_of_turns() {
    let refused = |words: &[&str], stderr: &str| typed(test("render"), words).status(2).stderr(stderr).run();
    let of_one = "without `prompts` in --extensions there is only one\nhelp: use --turn 1\n";
    refused(&["--turn", "2"], &format!("error[invalid_argument]: there is no turn 2: {of_one}"));
    refused(&["--turn", "0"], &format!("error[invalid_argument]: there is no turn 0: {of_one}"));
    refused(
        &["--turn", "4", "--extensions", "e.yaml"],
        "error[invalid_argument]: there is no turn 4: the extensions describe 3\nhelp: use a turn from 1 to 3\n",
    );
}

#[test]
fn two_turns_can_be_compared() {
    let test =
        typed(test("diff"), &["--extensions", "e.yaml", "--left-turn", "1", "--right-turn", "2", "--prompt", "Go"]);
    let document = test.args(["--format", "json"]).status(1).any_stdout().run().json();
    let changed: Vec<_> = changed(&document)
        .iter()
        .map(|it| {
            (
                it["change"].clone(),
                if it["right"].is_null() { it["left"]["name"].clone() } else { it["right"]["name"].clone() },
            )
        })
        .collect();
    assert_eq!(changed, [(json!("removed"), json!("memory")), (json!("added"), json!("custom"))]);
    let gone = document["tools"].as_array().unwrap().iter().filter(|tool| tool["change"] == "removed");
    assert_eq!(gone.map(|tool| tool["left"]["name"].clone()).collect::<Vec<_>>(), ["bash", "edit", "write"]);
    assert_eq!(document["left"]["title"], "./ (turn=1)");
}

#[test]
fn two_user_prompts_can_be_compared() {
    let words = ["--left-prompt", "Fix the shop\nwithout a word about it", "--right-prompt", "Close it"];
    let document = typed(test("diff"), &words).args(["--format", "json"]).status(1).any_stdout().run().json();
    assert_eq!(changed(&document).len(), 1);
    // A title shows only the beginning of a long prompt.
    assert_eq!(document["left"]["title"], "./ (prompt=Fix the shop without a w…)");
}
