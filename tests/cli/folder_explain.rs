//! `explain` for an agent in a folder.

use serde_json::{Value, json};

use crate::support::Test;

const CLOCK: [&str; 4] = ["--now", "2026-03-07T14:55:05Z", "--tz", "UTC"];

fn explain(test: Test, words: &[&str]) -> Value {
    let words = ["explain", "--format", "json"].iter().chain(&CLOCK).chain(words);
    words.fold(test, |test, word| test.args([*word])).any_stdout().run().json()
}

/// Name, slot and outcome of the decisions in these slots.
fn decided(document: &Value, slots: &[&str]) -> Vec<[String; 3]> {
    let decisions = document["decisions"].as_array().expect("a list").iter();
    let text = |it: &Value, key: &str| it[key].as_str().expect("a text").to_string();
    let of_slots = decisions.filter(|it| slots.contains(&it["slot"].as_str().expect("a text")));
    of_slots.map(|it| [text(it, "name"), text(it, "slot"), text(it, "outcome")]).collect()
}

fn rows(rows: &[[&str; 3]]) -> Vec<[String; 3]> {
    rows.iter().map(|row| row.map(str::to_string)).collect()
}

/// Without `--protocol`, the files in the folder decide the protocol. A note says if agents also work in the folder.
#[test]
fn the_folder_decides_the_assembler() {
    let of = |test: Test, words: &[&str]| {
        let document = explain(test, words);
        let is_note = |it: &Value| it["code"] == "folder_of_agents" && it["severity"] == "note";
        let notes = document["diagnostics"].as_array().expect("a list").iter().filter(|it| is_note(it)).count();
        (document["protocol"].as_str().expect("a text").to_string(), notes)
    };
    let sf = || ("sf".to_string(), 0);
    let rye = |notes| ("rye-3".to_string(), notes);
    let agents = || Test::plain().file("project/AGENTS.md", "Be careful.\n");
    assert_eq!(of(agents(), &[]), sf());
    assert_eq!(of(agents(), &["Fix it"]), sf());
    assert_eq!(of(Test::plain().file("AGENTS.md", "Above."), &[]), sf());
    assert_eq!(of(Test::plain().file("project/CLAUDE.md", "Mine."), &[]), sf());
    assert_eq!(of(Test::plain().file("project/.sf/APPEND_SYSTEM.md", "More."), &[]), sf());
    // An existing directive takes precedence, by id or by file.
    assert_eq!(of(agents(), &["rye/demo/hello", "--placeholders"]), rye(0));
    let directive = "# D\n\n```xml\n<directive name=\"d\" version=\"1.0.0\"><metadata/></directive>\n```\n\nGo.\n";
    assert_eq!(of(agents().file("project/d.md", directive), &["d.md"]), rye(0));
    let both = || agents().file("project/.ai/directives/d.md", directive);
    assert_eq!(of(both(), &["d"]), rye(1));
    assert_eq!(of(both(), &["d", "--project", "."]), rye(0));
    assert_eq!(of(both(), &["d", "--protocol", "rye-3"]), rye(0));
    assert_eq!(of(both(), &["d", "--protocol", "sf"]), sf());
    Test::plain().args(["explain"]).any_stderr().status(2).run();
}

#[test]
fn a_folder_with_both_gives_a_note() {
    let directive = "# D\n\n```xml\n<directive name=\"d\" version=\"1.0.0\"><metadata/></directive>\n```\n\nGo.\n";
    let test = Test::plain().file("project/AGENTS.md", "x").file("project/.ai/directives/d.md", directive);
    let ran = test.args(["explain", "d", "--why", "d"]).any_stdout().any_stderr().run();
    let note = "note[folder_of_agents]: agents that read [ROOT]/project/AGENTS.md also work in this folder: \
                `rye-render agents` shows what they are told, and `lint --agent NAME` checks it\n";
    assert_eq!(ran.stderr, note);
}

/// The System Prompt Anatomy, "What you lose".
#[test]
fn a_custom_base_says_what_it_replaces() {
    let document = explain(Test::plain().file("project/.sf/SYSTEM.md", "Mine."), &["--tools", "read"]);
    let base = decided(&document, &["system.base", "system.guidelines"]);
    let expected = [
        ["[ROOT]/project/.sf/SYSTEM.md", "system.base", "included"],
        ["builtin", "system.base", "shadowed"],
        ["Be concise in your responses", "system.guidelines", "shadowed"],
        ["Show file paths clearly when working with files", "system.guidelines", "shadowed"],
    ];
    assert_eq!(base, rows(&expected));
    let builtin = &document["decisions"][1]["why"];
    let lost = "[ROOT]/project/.sf/SYSTEM.md replaces it; this also removes 1 tool line, 2 guidelines and the \
                documentation pointers";
    assert_eq!(builtin, lost);
}

/// "How Guidelines Are Built", with the tool that adds each.
#[test]
fn each_guideline_has_a_reason() {
    let tools = "tools:\n- {name: ship, promptGuidelines: [Ask first, Be concise in your responses]}\n";
    let test = Test::plain().file("project/t.yaml", tools);
    let document = explain(test, &["--protocol", "sf", "--tools-file", "t.yaml", "--tools", "bash,ls,ship"]);
    let of_guidelines = |it: &&Value| it["slot"] == "system.guidelines";
    let reported = |it: &Value| json!([it["name"], it["outcome"], it["why"], it["by"]["source"]["line"]]);
    let reported: Vec<Value> =
        document["decisions"].as_array().unwrap().iter().filter(of_guidelines).map(reported).collect();
    let expected = [
        json!(["Prefer grep/find/ls tools over bash for file exploration", "included", "bash and ls are active", null]),
        json!(["Ask first", "included", "the tool ship adds it", 2]),
        json!(["Be concise in your responses", "included", "the tool ship adds it", 2]),
        json!(["Be concise in your responses", "duplicate", "it is already there", null]),
        json!(["Show file paths clearly when working with files", "included", "it needs no tool", null]),
    ];
    assert_eq!(reported, expected);
    let palette = decided(&document, &["palette"]);
    let expected = [
        ["bash", "palette", "included"],
        ["ls", "palette", "included"],
        ["ship", "palette", "included"],
        ["read", "palette", "suppressed"],
        ["edit", "palette", "suppressed"],
        ["write", "palette", "suppressed"],
    ];
    assert_eq!(palette, rows(&expected));
}

#[test]
fn skills_are_listed_one_by_one() {
    let skill = |name: &str, more: &str| format!("---\nname: {name}\ndescription: About {name}\n{more}---\nText\n");
    let test = Test::plain()
        .file("project/.sf/skills/tidy/SKILL.md", &skill("tidy", ""))
        .file("project/.sf/skills/secret/SKILL.md", &skill("secret", "disable-model-invocation: true\n"))
        .file("project/.sf/skills/silent/SKILL.md", "---\nname: silent\n---\n")
        .file("project/.sf/skills/old/SKILL.md", &skill("old", ""))
        .file("project/.sf/skills/.gitignore", "/old/\n")
        .file("home/.sf/agent/skills/tidy/SKILL.md", &skill("tidy", ""));
    let document = explain(test, &[]);
    let expected = [
        ["available_skills", "system.skills", "included"],
        ["secret", "system.skills", "suppressed"],
        ["tidy", "system.skills", "included"],
        ["[ROOT]/project/.sf/skills/old/SKILL.md", "system.skills", "suppressed"],
        ["silent", "system.skills", "empty"],
        ["tidy", "system.skills", "duplicate"],
    ];
    assert_eq!(decided(&document, &["system.skills"]), rows(&expected));
    let is_skill = |it: &&Value| it["kind"] == "skill";
    let layers: Vec<&Value> = document["layers"].as_array().unwrap().iter().filter(is_skill).collect();
    assert_eq!(layers.len(), 1);
    let entry = "  <skill>\n    <name>tidy</name>\n    <description>About tidy</description>\n    \
                 <location>[ROOT]/project/.sf/skills/tidy/SKILL.md</location>\n  </skill>\n";
    assert_eq!(
        (&layers[0]["name"], document["messages"][0]["text"].as_str().unwrap().contains(entry)),
        (&json!("tidy"), true)
    );
}

/// "The Full Context Surface Area": what the model does not get.
#[test]
fn messages_that_are_not_sent_are_listed() {
    let kept = r#"[{"role": "user", "content": "Hi"}, {"role": "bashExecution", "content": "ls", "excluded": true}]"#;
    let effects = "context: [{drop: '^Hi$'}, {inject: {role: custom, text: First, at: first}}]";
    let test = Test::plain().file("project/m.json", kept).file("project/x.yaml", effects);
    let words = ["--protocol", "sf", "--messages", "m.json", "--extensions", "x.yaml", "Now"];
    let document = explain(test, &words);
    let expected = [
        ["bashExecution 2", "earlier", "suppressed"],
        ["user 1", "earlier", "suppressed"],
        ["custom", "injected", "included"],
        ["PROMPT", "user.prompt", "included"],
    ];
    assert_eq!(decided(&document, &["earlier", "injected", "user.prompt"]), rows(&expected));
}

/// Output contract, "Origins": only text on the command line itself has the origin `argument`.
#[test]
fn text_of_files_named_by_flags_has_line_numbers() {
    let said = r#"[{"role": "user", "content": "Hello\nthere"}]"#;
    let effects = "prompts:\n  - - append: Behind.\n      message: Beside.\n    - prepend: |\n        In\n        front.\n    \
                   - replace: \"\\x41ll\"\ncontext:\n  - inject: {role: custom, text: Each time.}\n";
    let explain = |words: &[&str]| {
        let test = Test::plain().file("project/m.json", said).file("project/x.yaml", effects);
        let all = ["--protocol", "sf", "--messages", "m.json", "--extensions", "x.yaml", "--turn", "1"];
        explain(test, &[&all, words].concat())
    };
    let landed = |place: &str| {
        let document = explain(&["--from", place]);
        let landings = document["from"]["landings"].as_array().expect("a list").clone();
        landings.iter().map(|it| it["text"].as_str().expect("a text").to_string()).collect::<Vec<_>>()
    };
    assert_eq!(landed("m.json:1"), ["Hello", "\n", "there"]);
    assert_eq!(landed("x.yaml:3"), ["Beside."]);
    assert_eq!(landed("x.yaml:7"), ["A", "ll"], "an escape, then literal text");
    assert_eq!(landed("x.yaml:9"), ["Each time."]);
    assert!(landed("x.yaml:2").is_empty() && landed("x.yaml:5").is_empty(), "replaced text appears nowhere");
}

fn asked(words: &[&str]) -> Value {
    let skill = "---\nname: tidy\ndescription: Tidy up\n---\nFold.\n";
    let test = Test::plain()
        .file("AGENTS.md", "Above.\n")
        .file("project/AGENTS.md", "One.\nTwo.\n")
        .file("project/CLAUDE.md", "Hidden.\n")
        .file("project/NOTES.md", "Nobody reads this.\n")
        .file("project/.sf/skills/tidy/SKILL.md", skill);
    explain(test, words)
}

#[test]
fn from_accepts_a_line_of_any_file() {
    let landed = |place: &str| asked(&["--from", place])["from"]["landings"].as_array().unwrap().len();
    assert_eq!(landed("AGENTS.md:2"), 1);
    assert_eq!(landed("project/AGENTS.md:2"), 1);
    assert_eq!(landed("../AGENTS.md:1"), 1);
    assert_eq!(landed("cwd .sf/skills/tidy/SKILL.md:3"), 1);
    let reason = |place: &str| {
        let document = asked(&["--from", place]);
        document["from"]["reasons"].as_array().unwrap().iter().map(|it| it["code"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(reason("CLAUDE.md:1"), ["shadowed"]);
    assert_eq!(reason(".sf/skills/tidy/SKILL.md:5"), ["inside_skill"]);
    assert_eq!(reason("NOTES.md"), ["not_part"]);
    let refused = |place: &str, stderr: &str| {
        let test =
            Test::plain().file("project/AGENTS.md", "One.\n").args(["explain", "--protocol", "sf", "--from", place]);
        test.stderr(stderr).status(2).run();
    };
    refused(
        "AGENT.md",
        "error[invalid_argument]: --from AGENT.md: no such file\nhelp: name a file from the working folder\n",
    );
    refused(
        "AGENTS.md:9",
        "error[invalid_argument]: `cwd [ROOT]/project/AGENTS.md` has no line 9\nhelp: its last line is 1\n",
    );
}

#[test]
fn why_accepts_skills_tools_files_and_guidelines() {
    let outcomes = |name: &str| {
        let document = asked(&["--why", name]);
        let paths = document["why"]["decisions"].as_array().unwrap();
        paths.iter().map(|path| path["outcome"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(outcomes("tidy"), ["included"]);
    assert_eq!(outcomes("tidy/SKILL.md"), ["included"]);
    assert_eq!(outcomes("CLAUDE.md"), ["shadowed"]);
    assert_eq!(outcomes("AGENTS.md"), ["included", "included"]);
    assert_eq!(outcomes("../AGENTS.md"), ["included"]);
    assert_eq!(outcomes("be concise"), ["included"]);
    assert_eq!(outcomes("bash"), ["included", "included"]);
    let refused = "error[invalid_argument]: --why tidi: nothing has that name in this prompt\nhelp: give the name of a \
                   skill or a tool, the path of a file, or part of a\n      guideline; leave --why out to list \
                   them all\n";
    Test::plain()
        .file("project/AGENTS.md", "x")
        .args(["explain", "--protocol", "sf", "--why", "tidi"])
        .stderr(refused)
        .status(2)
        .run();
}

#[test]
fn flags_for_directives_are_refused() {
    let refused = "error[invalid_argument]: --show hooks requires a directive, but this is the prompt of a folder\n\
                   help: leave it out: the plan shows everything\n";
    Test::plain().file("project/AGENTS.md", "x").args(["explain", "--show", "hooks"]).stderr(refused).status(2).run();
    let events = |command: &str, agent: &[&str], formats: &str| {
        let refused = format!(
            "{{\"error\":{{\"code\":\"invalid_argument\",\"message\":\"events are for threads of directives, but this is the prompt of a folder\",\"help\":\"use {formats}\",\"source\":null}}}}\n"
        );
        let test = Test::plain().file("project/AGENTS.md", "x").args([command, "--format", "events"]);
        agent.iter().fold(test, |test, word| test.args([*word])).stderr(&refused).status(2).run();
    };
    for agent in [&[][..], &["--agent", "codex"], &["--protocol", "sf"]] {
        events("explain", agent, "text, json, markdown or html");
    }
    for agent in [["--agent", "codex"], ["--protocol", "sf"]] {
        events("render", &agent, "text, plain, json, anthropic, openai or gemini");
    }
}

fn turns(effects: &str, more: &[&str]) -> String {
    let words = ["explain", "--protocol", "sf", "--extensions", "x.yaml"].iter().chain(&CLOCK).chain(more);
    let test = words.fold(Test::plain().file("project/x.yaml", effects), |test, word| test.args([*word]));
    let shown = test.any_stdout().run().stdout;
    // Lines may break anywhere.
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The summary of each turn agrees with that turn's plan.
#[test]
fn effects_of_extensions_are_listed() {
    let effects = "prompts:\n- [{name: whole, replace: Hi}, {name: note, message: Mind}, {name: boom, throw: bad}]\n\
                   - [{name: branch, append: Main}]\n- []\ncontext: [{drop: '^Go$'}]\n";
    let shown = turns(effects, &["Go"]);
    let reported = [
        "whole replaces the system message with 2 bytes; note adds a message of 4 bytes; boom fails and changes \
         nothing; PROMPT is dropped",
        "branch adds 4 bytes to the system message; PROMPT is dropped",
    ];
    for sentence in reported {
        assert!(shown.contains(sentence), "{sentence}\n{shown}");
    }
    let first = turns(effects, &["--turn", "1", "Go"]);
    assert!(first.contains("● whole extensions 2 1"), "{first}");
    let second = turns(effects, &["--turn", "2", "Go"]);
    assert!(second.contains("● branch extensions 4 1"), "{second}");
}

/// The reason names the flag that leaves a file out or overrides it.
#[test]
fn items_left_out_by_flags_are_listed() {
    let test = || Test::plain().file("project/.sf/SYSTEM.md", "Mine.").file("project/AGENTS.md", "x");
    let why = |words: &[&str]| {
        let document = explain(test(), words);
        let decisions = document["why"]["decisions"].as_array().unwrap().clone();
        decisions.iter().map(|it| json!([it["outcome"], it["why"]])).collect::<Vec<_>>()
    };
    let given = [json!(["shadowed", "--system-prompt overrides it"])];
    assert_eq!(why(&["--system-prompt", "X", "--why", ".sf/SYSTEM.md"]), given);
    let left_out = [json!(["suppressed", "--no-context-files leaves it out"])];
    assert_eq!(why(&["--no-context-files", "--why", "AGENTS.md"]), left_out);
    assert_eq!(why(&["--no-skills", "--why", "skills"]), [json!(["suppressed", "--no-skills leaves it out"])]);
}

#[test]
fn arguments_are_named_as_typed() {
    let test = || {
        Test::plain()
            .file("project/AGENTS.md", "x")
            .args(["explain", "--protocol", "sf", "--blame"])
            .args(CLOCK)
            .args(["Go"])
    };
    let shown = test().any_stdout().run().stdout;
    for typed in ["--now ", "--cwd ", "PROMPT "] {
        assert!(shown.contains(typed) && !shown.contains(&format!("-{typed}")), "{typed}: {shown}");
    }
}
