//! `list`: the items of all tiers.

use serde_json::{Value, json};

use crate::support::Test;

fn directive(body: &str) -> String {
    format!(
        "# D\n\n```xml\n<directive name=\"d\" version=\"1.0.0\"><metadata><description>Does it.\nMore.</description></metadata></directive>\n```\n\n{body}\n"
    )
}

fn project() -> Test {
    Test::new()
        .file("project/.ai/directives/app/go.md", &directive("Go now, please."))
        .file("home/.ai/directives/app/go.md", &directive("Go later."))
        .file("project/.ai/directives/broken.md", "# nothing\n")
        .file("project/.ai/knowledge/rules.md", "```yaml\nname: rules\n```\n\nNever on a Friday.\n")
        .file("project/.ai/tools/app/ship.yaml", "config_schema: {type: object}\ndescription: Ships it\n")
}

fn listed(test: Test, words: &[&str]) -> Value {
    let words = ["list", "--format", "json"].iter().chain(words);
    words.fold(test, |test, word| test.args([*word])).any_stdout().run().json()
}

#[test]
fn every_item_has_its_tier_and_what_shadows_it() {
    let document = listed(project(), &["--system", "none", "directive", "knowledge"]);
    let reported = |it: &Value| {
        json!([it["kind"], it["name"], it["source"]["tier"], it["in_use"], it["shadowed_by"], it["trust"]["verdict"]])
    };
    let reported: Vec<Value> = document["entries"].as_array().unwrap().iter().map(reported).collect();
    let expected = [
        json!(["directive", "app/go", "project", true, null, "unsigned"]),
        json!(["directive", "app/go", "user", false, "project", "unsigned"]),
        json!(["directive", "broken", "project", false, null, "unsigned"]),
        json!(["knowledge", "rules", "project", true, null, "unsigned"]),
    ];
    assert_eq!(reported, expected);
    let go = &document["entries"][0];
    // A token is four characters, and "Go now, please." has fifteen.
    assert_eq!((&go["tokens"], &go["description"]), (&json!(4), &json!("Does it.")));
    assert_eq!(go["bytes"], directive("Go now, please.").len());
    assert_eq!(document["entries"][3]["tokens"], 5);
}

#[test]
fn lines_are_the_entries_of_the_object() {
    let ran = project().args(["list", "--format", "jsonl", "--system", "none"]).any_stdout().run();
    let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(Value::from(lines), listed(project(), &["--system", "none"])["entries"]);
}

#[test]
fn names_lists_only_items_in_use() {
    let test = project().args(["list", "--format", "names", "--system", "none", "directive", "tool"]);
    test.stdout("app/go\napp/ship\n").run();
}

#[test]
fn a_table_fits_eighty_columns() {
    let table = "\
━━ directives ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 in use, 2 left out, 4 tokens
  ● app/go  project  4  unsigned
  ○ app/go  user     3  unsigned
      the project's copy overrides the one in user
  ○ broken  project  0  unsigned
      no xml block: a directive needs a line ```xml, a <directive> element, and
        a line ```

● in use   ○ left out   tokens: what it adds to a prompt
";
    project().args(["list", "--system", "none", "directive"]).stdout(table).run();
}

#[test]
fn an_agents_folder_lists_different_kinds() {
    let skill = "---\nname: tidy\ndescription: Tidy up\n---\n";
    let agents = || {
        let test = Test::plain().file("AGENTS.md", "Above.").file("project/CLAUDE.md", "Here.");
        test.file("project/AGENTS.md", "Use tabs.").file("project/.sf/skills/tidy/SKILL.md", skill)
    };
    let document = listed(agents(), &[]);
    let reported = |it: &Value| json!([it["kind"], it["name"], it["source"]["tier"], it["in_use"]]);
    let reported: Vec<Value> = document["entries"].as_array().unwrap().iter().map(reported).collect();
    let expected = [
        json!(["base", "builtin", "", true]),
        json!(["context", "[ROOT]/AGENTS.md", "ancestor", true]),
        json!(["context", "[ROOT]/project/AGENTS.md", "cwd", true]),
        json!(["context", "[ROOT]/project/CLAUDE.md", "cwd", false]),
        json!(["skill", "tidy", "cwd", true]),
    ];
    assert_eq!(reported, expected);
    assert_eq!(document["folder"], "[ROOT]/project");
    let names = agents().args(["list", "--format", "names", "context"]);
    names.stdout("[ROOT]/AGENTS.md\n[ROOT]/project/AGENTS.md\n").run();
    let refused = "error[invalid_argument]: `tool` is not a kind of entry in a folder; the kinds are base, append, \
                   context, skill\n\
                   help: name one of them, or choose the other assembler with --protocol\n";
    agents().args(["list", "tool"]).stderr(refused).status(2).run();
}

#[test]
fn files_left_out_of_a_folder_are_listed() {
    let skill = |first: &str| format!("---\r\nname: tidy\r\ndescription: |\r\n  {first}\r\n  Then rest.\r\n---\r\n");
    let test = Test::plain()
        .file("home/.sf/agent/SYSTEM.md", "You are theirs.\n")
        .file("home/.sf/agent/skills/tidy/SKILL.md", &skill("Tidies for all."))
        .file("home/.sf/agent/skills/vague/SKILL.md", "Text.\n")
        .file("project/.sf/SYSTEM.md", "Mine.\n")
        .file("project/.sf/skills/tidy/SKILL.md", &skill("Tidies up."))
        .file("project/AGENTS.md", "Use tabs.\r\n")
        .file("project/CLAUDE.md", "Here.\r\n");
    let document = listed(test, &[]);
    let reported = |it: &Value| {
        json!([it["name"], it["source"]["tier"], it["bytes"], it["description"], it["in_use"], it["shadowed_by"]])
    };
    let reported: Vec<Value> = document["entries"].as_array().unwrap().iter().map(reported).collect();
    let expected = [
        json!(["[ROOT]/project/.sf/SYSTEM.md", "cwd", 6, null, true, null]),
        json!(["[ROOT]/home/.sf/agent/SYSTEM.md", "agent", 16, null, false, "cwd"]),
        json!(["builtin", "", 0, null, false, "cwd"]),
        json!(["[ROOT]/project/AGENTS.md", "cwd", 11, null, true, null]),
        json!(["[ROOT]/project/CLAUDE.md", "cwd", 7, null, false, "cwd"]),
        json!(["tidy", "cwd", skill("Tidies up.").len(), "Tidies up.", true, null]),
        json!(["tidy", "agent", skill("Tidies for all.").len(), "Tidies for all.", false, "cwd"]),
        json!(["vague", "agent", 6, null, false, null]),
    ];
    assert_eq!(reported, expected);
}

#[test]
fn bytes_are_those_on_disk() {
    let text = directive("Go now.").replace('\n', "\r\n");
    let test = Test::new().file("project/.ai/directives/go.md", &text);
    assert_eq!(listed(test, &["--system", "none", "directive"])["entries"][0]["bytes"], text.len());
}

#[test]
fn a_project_with_both_lists_items_and_gives_a_note() {
    let note = "note[folder_of_agents]: agents that read [ROOT]/project/AGENTS.md also work in this folder: \
                `rye-render agents` shows what they are told, and `lint --agent NAME` checks it\n";
    let test =
        project().file("project/AGENTS.md", "x").args(["list", "--system", "none", "knowledge", "--format", "text"]);
    assert_eq!(test.any_stdout().any_stderr().run().stderr, note);
}

#[test]
fn escape_sequences_are_shown_escaped() {
    let test =
        Test::plain().file("project/AGENTS.md", "x").file("project/.sf/skills/a\u{1b}[31m/SKILL.md", "---\nname: x\n");
    let ran = test.args(["list"]).any_stdout().any_stderr().run();
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
}

#[test]
fn a_tool_without_a_schema_has_one_reason() {
    let test = Test::new().file("project/.ai/tools/t/empty.py", "");
    let document = listed(test, &["--system", "none", "tool"]);
    assert_eq!(document["entries"][0]["why"], "it declares no CONFIG_SCHEMA", "{document}");
}
