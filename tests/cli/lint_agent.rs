//! `lint --agent`: what an agent leaves out, cuts or ignores, as findings (docs/rules/RR715.md).

use crate::support::Test;

/// A skill that codex cannot read, and a budget that cuts the instructions.
fn test() -> Test {
    Test::plain()
        .file("project/.git/HEAD", "")
        .file("project/AGENTS.md", "Use tabs, and run the tests before you say that you are done.\n")
        .file("project/web/.agents/skills/ship/SKILL.md", "Ship on a Monday.\n")
        .file("home/.codex/config.toml", "project_doc_max_bytes = 10\n")
}

#[test]
fn the_warnings_of_an_agent_are_findings_with_places() {
    let stdout = "\
AGENTS.md:1:11: warning[RR716] nothing is sent from here on: 52 of 62 bytes exceed the budget (for codex)
web/.agents/skills/ship/SKILL.md:1:1: warning[RR706] the skill has no description, so the agent never learns about it \
(for codex)";
    let ran = test().args(["lint", "--agent", "codex@0.169.0", "web", "--format", "concise"]).status(1).any_stdout();
    let shown = ran.run().stdout;
    assert!(shown.contains(stdout.lines().next().unwrap()), "{shown}");
    assert!(shown.contains(stdout.lines().nth(1).unwrap()), "{shown}");
    let several = ["lint", "--agent", "codex@0.169.0,pi@1.5.2", "web", "--format", "concise"];
    let shown = test().args(several).status(1).any_stdout().run().stdout;
    assert!(shown.contains("so the agent never learns about it (for codex and pi)"), "{shown}");
    // The working folder has no skill.
    let args = ["lint", "--agent", "codex@0.169.0", "--format", "concise"];
    let shown = test().args(args).status(1).any_stdout().run().stdout;
    assert!(shown.contains("AGENTS.md:1:11"), "{shown}");
}

#[test]
fn every_format_names_the_agent() {
    for format in ["text", "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson"] {
        let ran = test().args(["lint", "--agent", "codex@0.169.0", "web", "--format", format]).status(1).any_stdout();
        assert!(ran.run().stdout.contains("(for codex)"), "{format}");
    }
}

#[test]
fn an_agent_that_does_not_start_is_a_finding_without_a_place() {
    let test = test().file("home/.codex/config.toml", "model = \n");
    let shown = test.args(["lint", "--agent", "codex", "--format", "concise"]).status(1).any_stdout().run().stdout;
    assert!(shown.contains("/home/.codex/config.toml:1:"), "{shown}");
    assert!(shown.contains("codex 0.169.0 does not start here"), "{shown}");
}

#[test]
fn the_agents_of_the_settings_are_checked_without_a_flag() {
    let settings = "project/.sf/rye-render.yaml";
    let lint = |settings_text: &str, args: [&str; 2]| {
        test().file(settings, settings_text).args(["lint", "--format", "concise"]).args(args).any_stdout()
    };
    let shown = lint("agents: [codex]\n", ["--select", "RR716"]).status(1).run().stdout;
    assert!(shown.contains("AGENTS.md:1:11: warning[RR716] nothing is sent from here on"), "{shown}");
    lint("agents: [codex]\n", ["--ignore", "RR706,RR716"]).run();
    lint("agents: [pi]\n", ["--select", "RR716"]).run();
}

const RULE: &str = "---\nglobs: '*.ts'\n---\nBe kind.\n";

/// Rules, imports and skills of one agent are files like any other.
#[test]
fn every_file_that_an_agent_reads_can_allow_findings() {
    let allow = |code: &str| format!("<!-- rye-render: allow {code} it is meant -->\n");
    let test = || {
        Test::plain()
            .file("project/.git/HEAD", "")
            .file("project/CLAUDE.md", "Read @docs/a.md first.\n")
            .file("project/docs/a.md", &format!("First.\n\n{}@lost.md\n", allow("RR718")))
            .file("project/.claude/rules/a.md", &RULE.replace("Be", &format!("{}Be", allow("RR720"))))
            .file("project/.claude/rules/b.md", &RULE.replace("globs", "# rye-render: allow RR720 an example\nglobs"))
            .file("project/.claude/rules/c.md", &format!("{}Be kind.\n", allow("RR720")))
            .file("project/.codex/skills/x/SKILL.md", &format!("{}No front matter.\n", allow("RR708")))
            .args(["lint", "--agent", "claude-code,codex", "--format", "concise"])
            .any_stdout()
    };
    let unused = ".claude/rules/c.md:1:24: warning[RR901] this allowance is unused: RR720 finds nothing here\n";
    let ran = test().status(1).run();
    assert!(ran.stdout.ends_with(unused) && ran.stdout.lines().count() == 1, "{}", ran.stdout);
    let listed = test().args(["--show-files"]).run().stdout;
    let expected = [".claude/rules/a.md", ".claude/rules/b.md", ".claude/rules/c.md", ".codex/skills/x/SKILL.md"];
    assert_eq!(listed.lines().take(4).collect::<Vec<_>>(), expected);
    // They hold for a file that is named, and only its findings are reported.
    test().args([".claude/rules/b.md"]).run();
    let more = test().file("project/.claude/rules/d.md", RULE);
    more.args([".claude/rules/a.md"]).run();
    let more = test().file("project/.claude/rules/d.md", RULE).args([".claude/rules/d.md"]).status(1).run();
    assert!(more.stdout.starts_with(".claude/rules/d.md:2:1: warning[RR720]"), "{}", more.stdout);
}

#[test]
fn settings_apply_to_every_file_that_an_agent_reads() {
    let test = |settings: &str, args: &[&str]| {
        let test = Test::plain()
            .file("project/.git/HEAD", "")
            .file("project/CLAUDE.md", "Be kind.\n")
            .file("project/.claude/rules/a.md", RULE)
            .file("project/.claude/rules/hidden.md", "Be br\u{202e}ief.\n")
            .file("project/.sf/rye-render.yaml", settings)
            .args(["lint", "--agent", "claude-code", "--format", "concise"]);
        args.iter().fold(test, |test, word| test.args([*word])).any_stdout()
    };
    let shown = test("", &[]).status(1).run().stdout;
    let codes: Vec<&str> = shown.lines().filter_map(|line| line.split(['[', ']']).nth(1)).collect();
    assert_eq!(codes, ["RR720", "RR612"], "{shown}");
    test("lint: {exclude: ['.claude/**']}\n", &[]).run();
    // A change of the settings can affect every file.
    let settings =
        test("", &["--select", "RR720", ".claude/settings.json"]).file("project/.claude/settings.json", "{}");
    assert!(settings.status(1).run().stdout.contains("RR720"));
    test("", &["--select", "RR720", "CLAUDE.md"]).run();
    // Without the agent's name, its folder says that the file is for agents.
    let shown = Test::plain()
        .file("project/.claude/rules/a.md", RULE)
        .args(["lint", ".claude/rules/a.md", "--format", "concise"])
        .status(1)
        .any_stdout()
        .run();
    assert!(shown.stdout.contains("RR720"), "{}", shown.stdout);
}

#[test]
fn an_import_is_lost_with_punctuation_behind_it_too() {
    let text = "Read @lost.md, @docs/gone.md) and @a.md. Ask @alice, @bob. or @x.y: they know.\n";
    let shown = Test::plain()
        .file("project/.git/HEAD", "")
        .file("project/CLAUDE.md", text)
        .file("project/a.md", "A.\n")
        .args(["lint", "--agent", "claude-code", "--format", "concise"])
        .status(1)
        .any_stdout()
        .run()
        .stdout;
    let lost = ["`lost.md,`: the file does not exist", "`docs/gone.md)`: the file does not exist"];
    let [first, second] = lost.map(|what| format!("claude-code does not import {what}"));
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines.len() == 3 && lines[0].ends_with(&first) && lines[1].ends_with(&second), "{shown}");
    assert!(lines[2].ends_with("`a.md.`: the punctuation behind it belongs to the path"), "{shown}");
}

/// What docs/lint.md says of allow comments.
#[test]
fn an_allow_comment_is_sent_as_documented() {
    let comment = |code: &str| format!("<!-- rye-render: allow {code} it is meant -->");
    let text = format!("{}\n\nBe kind. {}\n\n- A.\n  {}\n", comment("RR711"), comment("RR712"), comment("RR714"));
    let rule = "---\n# rye-render: allow RR720 it is meant\na: 1\n---\nBe quick.\n";
    for (agent, file, expected) in [
        ("claude-code", "CLAUDE.md", [false, true, true, false]),
        ("codex", "AGENTS.md", [true; 4]),
        ("opencode", "AGENTS.md", [true; 4]),
        ("pi", "AGENTS.md", [true; 4]),
        ("sf", "AGENTS.md", [true; 4]),
    ] {
        let test = |text: &str| {
            let test = Test::plain().file("project/.git/HEAD", "").file(&format!("project/{file}"), text);
            let args = ["render", "--agent", agent, "--format", "json"];
            test.args(args).any_stdout().any_stderr().run().stdout
        };
        let (sent, front) = (test(&text), test(rule));
        let is_sent = ["RR711", "RR712", "RR714"].map(|code| sent.contains(&format!("allow {code}")));
        assert_eq!([is_sent.as_slice(), &[front.contains("allow RR720")]].concat(), expected, "{agent}");
    }
}

/// Trust is a matter of each machine.
#[test]
fn a_folder_that_is_not_trusted_is_no_finding() {
    let test = Test::plain().file("project/.git/HEAD", "").file("project/AGENTS.md", "Use tabs.\n");
    let test = test.file("project/.codex/config.toml", "model = \"m\"\n").file("project/.pi/SYSTEM.md", "Be brief.\n");
    let ran = test.args(["lint", "--agent", "codex,pi", "--format", "json"]).any_stdout().run();
    assert_eq!(ran.json()["findings"], serde_json::json!([]), "{}", ran.stdout);
}

#[test]
fn settings_beside_no_items_name_the_agents_too() {
    let project = |test: Test| {
        let test = test.file("project/.ai/config/rye-render.yaml", "agents: [codex]\n");
        test.file("project/.git/HEAD", "").file("project/CLAUDE.md", "Use tabs.\n").file("project/AGENTS.md", "a\n")
    };
    for words in [["lint", "--format", "concise"], ["lint", ".", "--format=concise"]] {
        let shown = project(Test::plain()).args(words).status(1).any_stdout().run().stdout;
        assert!(shown.starts_with("CLAUDE.md:1:1: warning[RR722] none of the project's agents"), "{shown}");
    }
    let item = "project/.ai/knowledge/a.md";
    let text = "<!-- rye -->\n```yaml\nname: a\ntitle: A\nentry_type: reference\nversion: \"1.0.0\"\n```\nText.\n";
    let ran = project(Test::plain()).file(item, text).args(["lint", "--format", "concise", "--fail-on", "off"]);
    let ran = ran.any_stdout().any_stderr().run();
    assert!(!ran.stdout.contains("CLAUDE.md") && ran.stderr.contains("`rye-render agents` shows"), "{}", ran.stderr);
    let wrong = Test::plain().file("project/.ai/config/rye-render.yaml", "agents: [codexx]\n").file(item, text);
    let ran = wrong.args(["lint", ".ai/config/rye-render.yaml"]).status(2).any_stderr().run();
    assert!(ran.stderr.contains("unknown agent `codexx`"), "{}", ran.stderr);
}

#[test]
fn a_file_of_the_project_that_stops_an_agent_is_always_a_finding() {
    let test = || Test::plain().file("project/AGENTS.md", "a\n").args(["lint", "--format", "concise"]);
    let broken = test().file("project/opencode.json", "{\"instructions\": [\n").status(1).any_stdout().run().stdout;
    assert!(broken.starts_with("opencode.json:1:19: warning[RR715] opencode 1.18.33 does not start here"), "{broken}");
    // Nobody says that codex is used here.
    test().file("home/.codex/config.toml", "model = \n").any_stdout().run();
}

#[test]
fn an_empty_file_loses_nothing() {
    let test =
        Test::plain().file("project/AGENTS.md", &"Use tabs here.\n".repeat(3_000)).file("project/a/AGENTS.md", "");
    let test = test.file("project/.git/HEAD", "").args(["lint", "--agent", "codex", "a", "--format", "concise"]);
    let shown = test.status(1).any_stdout().run().stdout;
    assert!(shown.contains("AGENTS.md:2185:9: warning[RR716]") && !shown.contains("a/AGENTS.md"), "{shown}");
}

#[test]
fn offsets_are_those_on_disk() {
    let text = "# Top\r\nUse tabs.\r\n\r\nSee @missing.md\r\n";
    let test =
        Test::plain().file("project/CLAUDE.md", text).args(["lint", "--agent", "claude-code", "--format", "json"]);
    let found = &test.status(1).any_stdout().run().json()["findings"][0];
    let at = text.find("@missing").unwrap();
    assert_eq!((&found["source"]["start"], &found["code"]), (&at.into(), &"RR718".into()), "{found}");
}
