//! `render --protocol sf`: the prompt of an agent in a folder.

use serde_json::{Value, json};

use crate::support::{Ran, Test};

const NOW: &str = "2026-03-07T14:55:05Z";

/// A folder `project/app` with an `AGENTS.md`, below a folder that has its own.
fn test() -> Test {
    Test::new().file("project/AGENTS.md", "Be careful.\n").file("project/app/AGENTS.md", "Use tabs.\n")
}

fn json(test: Test, more: &[&str]) -> (Ran, Value) {
    let mut words = vec!["render", "--protocol", "sf", "--cwd", "app", "--now", NOW, "--tz", "America/Chicago"];
    words.extend(["--format", "json"]);
    words.extend(more);
    let test = words.into_iter().fold(test, |test, word| test.args([word]));
    let ran = test.any_stdout().run();
    let document = ran.json();
    (ran, document)
}

fn system(document: &Value) -> &str {
    document["messages"][0]["text"].as_str().expect("a system message")
}

/// The System Prompt Anatomy, "The Final Prompt Structure", with the separators between sections.
#[test]
fn sections_are_in_order_with_their_separators() {
    let test = test()
        .file("project/app/.sf/SYSTEM.md", "Base.")
        .file("project/app/.sf/APPEND_SYSTEM.md", "More.\n")
        .file("home/.sf/agent/AGENTS.md", "All.")
        .file("project/app/.sf/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: Tidy up & go\n---\nText\n");
    let (_, document) = json(test, &["Fix it"]);
    let expected = "Base.\n\nMore.\n\n\n# Project Context\n\nProject-specific instructions and guidelines:\n\n\
         ## [ROOT]/home/.sf/agent/AGENTS.md\n\nAll.\n\n## [ROOT]/project/AGENTS.md\n\nBe careful.\n\n\n\
         ## [ROOT]/project/app/AGENTS.md\n\nUse tabs.\n\n\n\n\n\
         The following skills provide specialized instructions for specific tasks.\n\
         Use the read tool to load a skill's file when the task matches its description.\n\
         When a skill file references a relative path, resolve it against the skill directory.\n\n\
         <available_skills>\n  <skill>\n    <name>tidy</name>\n    <description>Tidy up &amp; go</description>\n    \
         <location>[ROOT]/project/app/.sf/skills/tidy/SKILL.md</location>\n  </skill>\n</available_skills>\n\
         Current date and time: Saturday, March 7, 2026 at 08:55:05 AM CST\n\
         Current working directory: [ROOT]/project/app";
    assert_eq!(system(&document), expected);
    assert_eq!(document["messages"][1]["text"], "Fix it");
    assert_eq!(document["directive"], Value::Null);
    let kinds: Vec<&str> =
        document["sections"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["base", "append", "context", "context", "context", "skills", "environment"]);
}

/// Every byte taken from a file is where its origin says.
#[test]
fn origins_lead_back_to_the_bytes_of_files() {
    let broken = |root: &std::path::Path| {
        std::fs::write(root.join("project/app/AGENTS.md"), b"\xef\xbb\xbfOne\r\n\xfftwo\r").unwrap();
    };
    let (ran, document) = json(test().with(broken), &[]);
    let segments = document["messages"][0]["segments"].as_array().unwrap();
    let mut from_files = 0;
    for segment in segments.iter().filter(|it| it["origin"]["kind"] == "file") {
        let origin = &segment["origin"];
        let bytes = ran.bytes(origin["path"].as_str().unwrap());
        let range = origin["start"].as_u64().unwrap() as usize..origin["end"].as_u64().unwrap() as usize;
        assert_eq!(segment["text"].as_str().unwrap().as_bytes(), &bytes[range]);
        from_files += 1;
    }
    assert_eq!(from_files, 3, "{segments:?}");
    assert!(system(&document).contains("\u{feff}One\r\n\u{fffd}two\r\n\n\nCurrent date"), "{document}");
}

#[test]
fn hidden_files_are_reported() {
    let test = test()
        .file("project/app/CLAUDE.md", "old")
        .file("project/app/.sf/SYSTEM.md", "x")
        .file("home/.sf/agent/SYSTEM.md", "y");
    let (_, document) = json(test, &[]);
    let reported: Vec<String> = document["decisions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["outcome"] != "included" && it["slot"] != "system.guidelines")
        .map(|it| format!("{} {}", it["name"].as_str().unwrap(), it["outcome"].as_str().unwrap()))
        .collect();
    let hidden = ["[ROOT]/home/.sf/agent/SYSTEM.md", "builtin", "[ROOT]/project/app/CLAUDE.md"];
    assert_eq!(reported, hidden.map(|name| format!("{name} shadowed")));
}

/// `sf`, "Context files": a dangling link counts as absent.
#[cfg(unix)]
#[test]
fn dangling_links_are_reported() {
    let links = |root: &std::path::Path| {
        for path in ["project/app/AGENTS.md", "home/.sf/agent/CLAUDE.md"] {
            std::os::unix::fs::symlink("../nowhere", root.join(path)).unwrap();
        }
    };
    let test = Test::new().file("project/app/CLAUDE.md", "Use tabs.").file("home/.sf/agent/x", "").with(links);
    let (_, document) = json(test, &[]);
    let reported: Vec<String> = document["decisions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["slot"] == "system.context")
        .map(|it| ["name", "outcome", "why"].map(|key| it[key].as_str().unwrap()).join(" "))
        .collect();
    let nowhere = "missing it is a dangling link";
    let expected = [
        "[ROOT]/project/app/CLAUDE.md included it applies to the folder and everything below it".to_string(),
        format!("[ROOT]/home/.sf/agent/CLAUDE.md {nowhere}"),
        format!("[ROOT]/project/app/AGENTS.md {nowhere}"),
    ];
    assert_eq!(reported, expected);
}

/// "Per-Prompt Modifications", and the table of what rebuilds the prompt.
#[test]
fn extensions_change_one_prompt_and_tools_the_next() {
    let effects = "prompts:\n- [{append: ' One.'}, {throw: broken, append: ' Never.'}, {set_active_tools: []}]\n\
                   - [{message: Look here}]\n- [{replace: ''}]\nskills: []\n";
    let test = test().file("project/x.yaml", effects).file("project/app/.sf/SYSTEM.md", "Base.");
    let (_, document) = json(test, &["--extensions", "x.yaml", "--no-context-files", "Go"]);
    let prompts = document["prompts"].as_array().unwrap();
    let text = |index: usize| prompts[index]["messages"][0]["text"].as_str().unwrap().to_string();
    assert_eq!(text(0), format!("{} One.", system(&document)));
    assert_eq!((text(1), text(2)), (system(&document).to_string(), system(&document).to_string()));
    let rebuilt: Vec<&Value> = prompts.iter().map(|it| &it["rebuild"]).collect();
    assert_eq!(rebuilt, [&Value::Null, &json!("set_active_tools"), &Value::Null]);
    let said: Vec<_> =
        prompts[1]["messages"].as_array().unwrap()[1..].iter().map(|it| (&it["role"], &it["text"])).collect();
    assert_eq!(said, [(&json!("user"), &json!("Go")), (&json!("user"), &json!("Look here"))]);
}

/// "The Full Context Surface Area".
#[test]
fn messages_are_converted_for_the_model() {
    let kept = r#"[{"role": "compactionSummary", "content": "Before."}, {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"}, {"role": "bashExecution", "content": "ls", "excluded": true},
        {"role": "toolResult", "content": "ok"}]"#;
    let effects = "context: [{drop: '^Hi$'}, {inject: {role: custom, text: First, at: first}}]";
    let test = test().file("project/m.json", kept).file("project/x.yaml", effects);
    let (_, document) = json(test, &["--messages", "m.json", "--extensions", "x.yaml", "Now"]);
    let said: Vec<String> = document["messages"].as_array().unwrap()[1..]
        .iter()
        .map(|it| format!("{} {}", it["role"].as_str().unwrap(), it["text"].as_str().unwrap()))
        .collect();
    assert_eq!(said, ["user First", "user Before.", "assistant Hello", "tool ok", "user Now"]);
}

#[test]
fn errors_in_extensions_have_a_position() {
    let refused = |effects: &str, stderr: &str| {
        let test =
            test().file("project/x.yaml", effects).args(["render", "--protocol", "sf", "--extensions", "x.yaml"]);
        test.stderr(stderr).status(2).run();
    };
    refused(
        "prompts:\n- [{set_active_tools: [read, raed]}]\n",
        "error[invalid_argument]: unknown tool `raed`\n --> x.yaml:2:30\n  |\n2 | - [{set_active_tools: [read, raed]}]\n\
         \x20 |                              ^^^^\n  |\n  = help: did you mean `read`?\n",
    );
    refused(
        "context:\n- inject: {role: robot, text: x}\n",
        "error[invalid_extensions]: the extensions cannot be used: `robot` is not a valid role; use one of user, assistant, \
         toolResult, bashExecution, custom, compactionSummary, branchSummary\n --> x.yaml:2:18\n  |\n\
         2 | - inject: {role: robot, text: x}\n  |                  ^^^^^\n\
         \x20 |\n  = help: give {prompts: [[{append: text}]], skills: [folder], context: [{drop:\n\
         \x20         pattern}]} as JSON or YAML\n",
    );
}

#[test]
fn errors_say_what_to_do() {
    let refused = |words: &[&str], stderr: &str| {
        let test = words.iter().fold(test().args(["render", "--protocol", "sf"]), |test, word| test.args([*word]));
        test.stderr(stderr).status(2).run();
    };
    refused(&["--tools", "raed"], "error[invalid_argument]: unknown tool `raed`\nhelp: did you mean `read`?\n");
    refused(
        &["--cwd", "nope"],
        "error[invalid_argument]: folder [ROOT]/project/nope not found\nhelp: name an existing folder\n",
    );
    refused(&["--verify"], "error[invalid_argument]: an agent's files have no signatures\nhelp: leave --verify out\n");
    let no_folder =
        |typed: &str| format!("error[invalid_argument]: folder {typed} not found\nhelp: name an existing folder\n");
    refused(&["--agent-dir", "nope"], &no_folder("nope"));
    refused(&["--skills", "nope"], &no_folder("nope"));
    refused(
        &["--system-prompt", "./nope.md"],
        "error[invalid_argument]: file ./nope.md not found\nhelp: name an existing file, or give the text itself\n",
    );
    Test::new()
        .args(["render", "--protocol", "xx", "hi"])
        .stderr(
            "error[unknown_protocol]: unknown protocol `xx`; known: rye-1, rye-2, rye-3, rye-4, sf\nhelp: define it in a \
             file and name that file with --protocol-file\n",
        )
        .status(2)
        .run();
    refused(
        &["-i", "a=b"],
        "error[invalid_argument]: --input requires a directive, but this is the prompt of a folder\nhelp: leave it out, or \
         leave out --protocol sf\n",
    );
    Test::new()
        .args(["render", "deploy", "--cwd", "app"])
        .stderr("error[invalid_argument]: --cwd requires a folder, and this is a directive\nhelp: add --agent NAME or --protocol sf\n")
        .status(2)
        .run();
    Test::new()
        .args(["render", "--protocol", "rye-3"])
        .stderr(
            "error[invalid_argument]: no directive is named\nhelp: name an id or a file (`rye-render list \
             directive` shows all), or add\n      --protocol sf for what an agent reads in this folder\n",
        )
        .status(2)
        .run();
}
