//! What the commands answer about the prompt of an agent.

use std::fs;

use serde_json::{Value, json};

use crate::support::Test;

const SKILL: &str = "---\nname: ship\ndescription: How to ship.\n---\nText.\n";

/// A folder in which codex lists a skill, applies settings and does not read `CLAUDE.md`.
fn test() -> Test {
    Test::plain()
        .file("project/.git/HEAD", "")
        .file("project/AGENTS.md", "Use tabs.\n")
        .file("project/CLAUDE.md", "Use spaces.\n")
        .file("project/.agents/skills/deploy/SKILL.md", SKILL)
        .file("home/.codex/config.toml", "model = \"m\"\n")
}

#[test]
fn why_knows_skills_by_name_and_every_file_by_path() {
    let cases = [
        ("ship", "SKILL.md", "included: it is listed"),
        ("CLAUDE.md", "/project/CLAUDE.md", "not read: the agent does not read it"),
        ("[ROOT]/home/.codex/config.toml", "/.codex/config.toml", "applied: its values count"),
    ];
    for (name, title, reason) in cases {
        let ran = test().args(["explain", "--agent", "codex", "--why", name]).any_stdout().run();
        assert!(ran.stdout.contains(title) && ran.stdout.contains(reason), "{}", ran.stdout);
    }
    let ran = test().args(["explain", "--agent", "codex", "--why", "shp"]).status(2).any_stderr().run();
    assert!(ran.stderr.contains("did you mean `ship`?"), "{}", ran.stderr);
}

#[test]
fn a_role_selects_all_its_messages() {
    let args = ["render", "--agent", "codex", "--format", "plain", "--role", "developer"];
    let shown = test().args(args).any_stdout().run().stdout;
    assert!(shown.contains("- ship: How to ship.") && shown.contains("{{base:identity}}\n\n"), "{shown}");
    assert!(!shown.contains("Use tabs."), "{shown}");
    let line = test().args(["explain", "--agent", "codex", "--line", "developer:1"]).any_stdout().run().stdout;
    assert!(line.contains("developer message") && !line.contains("user message"), "{line}");
}

#[test]
fn an_agent_that_does_not_start_has_nothing_to_compare() {
    let test = test().file("home/.codex/config.toml", "model = \n").args(["diff", "--agent", "codex", ".", "."]);
    let ran = test.status(2).any_stderr().run();
    assert!(ran.stderr.contains("codex does not start here"), "{}", ran.stderr);
}

#[test]
fn an_agent_that_does_not_start_sends_nothing() {
    for format in ["plain", "anthropic", "openai", "gemini"] {
        let test = test().file("home/.codex/config.toml", "model = \n");
        let args = ["render", "--agent", "codex", "--model", "m", "--format", format];
        test.args(args).stdout("").any_stderr().status(2).run();
    }
}

#[test]
fn all_prompts_are_those_of_directives() {
    let expected = "error[invalid_argument]: --all renders directives, and --agent the files of a folder\n\
                    help: leave it out, or name a folder in the place of --all\n";
    test().args(["render", "--all", "-o", "out", "--agent", "codex"]).stderr(expected).status(2).run();
}

#[test]
fn text_of_unknown_wording_costs_no_tokens() {
    let prompt = test().args(["render", "--agent", "codex", "--format", "json"]).any_stdout().run().json();
    let messages = prompt["messages"].as_array().unwrap();
    let tokens: u64 = messages.iter().filter_map(|message| message["tokens"].as_u64()).sum();
    let left = ["diff", ".", ".", "--left-agent", "codex", "--right-agent", "pi"];
    let difference = test().args(left).args(["--format", "json"]).status(1).any_stdout().run().json();
    assert_eq!(difference["tokens"]["left"]["messages"], tokens);
    let layers = difference["layers"].as_array().unwrap();
    let own = layers.iter().find(|pair| pair["left"]["name"] == "identity").unwrap();
    assert_eq!(own["left"]["tokens"], serde_json::Value::Null);
}

#[test]
fn the_installed_release_is_named_and_compared() {
    let installed = |version: &str| {
        let json = format!("{{\"name\": \"@earendil-works/pi-coding-agent\", \"version\": \"{version}\"}}");
        test().file("project/node_modules/@earendil-works/pi-coding-agent/package.json", &json)
    };
    for format in ["text", "markdown", "html"] {
        let shown = installed("1.5.2").args(["explain", "--agent", "pi", "--format", format]);
        let shown = shown.any_stdout().any_stderr().run();
        assert!(shown.stdout.contains("1.5.2 installed"), "{}", shown.stdout);
        let shown = installed("9.0.0").args(["agents", "--format", format]).any_stdout().run().stdout;
        let said = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("the rules were not compared with pi 9.0.0"), "{shown}");
    }
}

/// A request in which `AGENTS.md` had another text. Several parts of a message count as several messages.
const RECORDED: &str = r##"{
    "model": "m",
    "input": [
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "You help."}]},
        {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "# AGENTS.md instructions for [ROOT]/project\n\n<INSTRUCTIONS>\nUse blanks.\n\n</INSTRUCTIONS>"},
            {"type": "input_text", "text": "<environment_context>bash</environment_context>"}
        ]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]}
    ]
}"##;

/// The answer of a command that is given the request.
fn given(command: &str, flag: &str) -> Value {
    let test = Test::plain().file("project/AGENTS.md", "Use tabs.\n").with(|root| {
        let recorded = RECORDED.replace("[ROOT]", root.to_str().unwrap());
        fs::write(root.join("recorded.json"), recorded).unwrap();
    });
    let args = [command, "--agent", "codex", flag, "[ROOT]/recorded.json", "--format", "json"];
    test.args(args).any_stdout().any_stderr().run().json()
}

#[test]
fn own_text_of_a_sent_request_is_no_departure() {
    let sent = given("explain", "--sent");
    // Without the messages that this request lacks.
    let departures = sent["sent"]["departures"].as_array().unwrap().iter().filter(|it| it["what"] == "lines");
    assert_eq!(departures.map(|it| &it["rendered"]["text"]).collect::<Vec<_>>(), [&json!(["Use tabs."])]);
    assert_eq!(
        sent["diagnostics"].as_array().unwrap().iter().map(|it| &it["code"]).collect::<Vec<_>>(),
        ["own_text_unknown"]
    );
}

#[test]
fn the_agents_own_text_is_taken_from_a_recorded_request() {
    let prompt = given("render", "--base");
    let messages = &prompt["messages"];
    let of_text = |text: &str| messages.as_array().unwrap().iter().find(|message| message["text"] == text).cloned();
    let identity = of_text("You help.").unwrap();
    assert_eq!(identity["segments"][0]["origin"]["from"], "recorded");
    assert!(
        of_text("<environment_context>bash</environment_context>").is_some() && of_text("{{base:skills}}").is_some(),
        "{messages}"
    );
    let warning = &prompt["diagnostics"][0]["message"];
    assert!(warning.as_str().unwrap().ends_with("was recorded otherwise (input[1], part 1)"), "{warning}");
}

#[cfg(unix)]
#[test]
fn lines_of_a_file_are_found_where_an_agent_reads_it_through_a_link() {
    let link = |root: &std::path::Path| {
        std::os::unix::fs::symlink("AGENTS.md", root.join("project/CLAUDE.md")).unwrap();
    };
    for (agent, typed, read) in [("claude-code", "AGENTS.md", "CLAUDE.md"), ("codex", "CLAUDE.md", "AGENTS.md")] {
        let test = Test::plain().file("project/.git/HEAD", "").file("project/AGENTS.md", "Use tabs.\n").with(link);
        let args = ["explain", "--agent", agent, "--from", &format!("{typed}:1"), "--format", "json"];
        let explained = test.args(args).any_stdout().run().json();
        let [source, landing] = [&explained["from"]["source"]["path"], &explained["from"]["landings"][0]["how"]];
        assert_eq!((source.as_str().unwrap(), landing), (&*format!("[ROOT]/project/{read}"), &json!("exact")));
    }
}

#[test]
fn own_text_that_is_unknown_is_never_zero() {
    let explained = |format| {
        let arguments = ["explain", "--agent", "codex@0.169.0", "--context-window", "100", "--format", format];
        Test::plain().file("project/AGENTS.md", "Use tabs.\n").args(arguments).any_stdout().any_stderr().run()
    };
    let text = explained("text").stdout;
    let row = text.lines().find(|line| line.contains("● identity")).unwrap_or_else(|| panic!("{text}"));
    assert!(row.split_whitespace().skip(3).eq(["?", "?", "?"]), "{row}");
    assert!(text.contains(" at least ") && text.contains("\n  free at most  "), "{text}");
    assert!(text.contains("? and +: the agent's own text is not counted\n"), "{text}");
    let table = explained("markdown").stdout;
    assert!(table.contains("| developer | ? | ? | ? | ? |\n") && table.contains("; at most "), "{table}");
    let json = explained("json").json();
    for part in [&json["totals"]["parts"][0], &json["window"]["parts"][0]] {
        assert_eq!((&part["name"], &part["tokens"]), (&"developer".into(), &serde_json::Value::Null));
    }
    let page = explained("html").stdout;
    assert!(page.contains("? tokens") && !page.contains("0 tokens ·"), "{page}");
}

#[test]
fn a_difference_counts_unknown_text_neither_as_zero_nor_as_the_same() {
    let files = Test::plain()
        .file("project/AGENTS.md", "Use tabs.\n")
        .file("project/a/AGENTS.md", &"Wait.\n".repeat(30))
        .kept();
    let ran = |left, right, flag, value| {
        let arguments = ["diff", ".", "a", "--left-agent", left, "--right-agent", right, flag, value];
        Test::plain().over(&files).args(arguments).any_stdout().any_stderr().status(1).run()
    };
    let added = ran("pi@1.5.2", "codex@0.169.0", "--format", "text").stdout;
    let is_added = |line: &str| line.contains(" developer · own identity ") && line.ends_with(" ? tokens");
    assert!(added.lines().any(is_added) && !added.lines().next().unwrap().contains('%'), "{added}");
    let table = ran("pi@1.5.2", "codex@0.169.0", "--format", "stat").stdout;
    assert!(
        table.lines().any(|line| line.contains(" 0 → ") && line.contains(" ? |")) && !table.contains('%'),
        "{table}"
    );
    assert!(table.ends_with("\nnot compared: the agent's own text, which is unknown\n"), "{table}");

    let json = ran("codex@0.160.0", "codex@0.169.0", "--format", "json").json();
    assert_eq!(json["untold"], json!(["the agent's own text, which is unknown"]));
    // What is known of the prefix is too short to be cached.
    assert_eq!(json["cache"]["reusable"], json!(null), "{json}");
    let limited = ran("codex@0.160.0", "codex@0.169.0", "--max-token-growth", "3%").stderr;
    assert!(limited.contains(" known tokens\nhelp: give the agent's own text with --base FILE"), "{limited}");
}

#[test]
fn a_file_that_brings_nothing_is_named() {
    let said = "nothing joins the prompt of codex when it reads [ROOT]/project/a.rs";
    for args in [["render", "plain"], ["render", "text"], ["explain", "text"], ["explain", "markdown"]] {
        let [command, format] = args;
        let ran = test().args([command, "--agent", "codex", "--touch", "a.rs", "--format", format]);
        let shown = ran.any_stdout().any_stderr().run().stderr;
        assert!(shown.contains(said), "{args:?}: {shown}");
    }
}

#[test]
fn an_output_style_is_one_file() {
    let style = "project/.claude/output-styles/st.md";
    let test = || {
        Test::plain()
            .file(style, "---\nname: st\n---\nBe brief.\n")
            .file("project/.claude/settings.json", "{\"outputStyle\": \"st\"}\n")
    };
    let args = ["--agent", "claude-code", "--format", "json"];
    let listed = test().args(["list"]).args(args).any_stdout().run().stdout;
    assert!(
        listed.contains(&format!("\"path\":\"[ROOT]/{style}\"")) && !listed.contains("\"path\":\"st\""),
        "{listed}"
    );
    let chain = test().args(["chain", "--agent", "claude-code"]).any_stdout().run().stdout;
    assert_eq!(chain.matches("skill,").count(), 1, "{chain}");
}

#[test]
fn a_skill_without_room_for_its_description_is_only_a_name() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: {}\n---\n", "x".repeat(3_000));
    let test = ["a", "b", "c"]
        .into_iter()
        .fold(Test::plain(), |test, name| test.file(&format!("project/.claude/skills/{name}/SKILL.md"), &skill(name)));
    // Of 8,000 characters, 6,076 are for the agent's own skills, and each line of ours has up to 1,536.
    let test = test.env("SLASH_COMMAND_TOOL_CHAR_BUDGET", "8000").args(["agents"]);
    let shown = test.any_stdout().any_stderr().run().stdout;
    assert_eq!(shown.matches("● name only").count(), 2, "{shown}");
}

#[test]
fn own_text_is_named_with_the_way_to_get_it() {
    for agent in ["codex", "pi"] {
        let shown =
            test().env("COLUMNS", "100").args(["render", "--agent", agent]).any_stdout().any_stderr().run().stdout;
        assert!(shown.contains("└ the agent's own text\n"), "{shown}");
        let how =
            format!("{{{{base:ID}}}} is the agent's own text: `rye-render record {agent}` or --base FILE shows it");
        assert!(shown.contains(&how), "{shown}");
    }
}

#[test]
fn a_file_above_the_limit_is_not_called_unreadable() {
    let test = || {
        Test::plain().with(|root| {
            let file = fs::File::create(root.join("project/AGENTS.md")).unwrap();
            file.set_len(16_000_001).unwrap();
        })
    };
    let lint = test().args(["lint", "--agent", "codex", "--format", "concise"]).status(1).any_stdout().run().stdout;
    assert_eq!(lint.matches("16000001 bytes exceed the limit of 16000000").count(), 1, "{lint}");
    assert!(!lint.contains("drops every instruction file"), "{lint}");
    let shown = test().args(["agents"]).any_stdout().any_stderr().env("COLUMNS", "300").run().stdout;
    for agent in ["pi", "codex", "opencode"] {
        let expected = format!("the prompt of {agent} is incomplete without this file, which rye-render does not read");
        assert!(shown.contains(&expected), "{shown}");
    }
}
