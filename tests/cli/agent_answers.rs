//! What the commands answer about the prompt of an agent.

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
fn text_of_unknown_wording_costs_no_tokens() {
    let prompt = test().args(["render", "--agent", "codex", "--format", "json"]).any_stdout().run().json();
    let messages = prompt["messages"].as_array().unwrap();
    let tokens: u64 = messages.iter().filter_map(|message| message["tokens"].as_u64()).sum();
    let left = ["diff", ".", ".", "--left-agent", "codex", "--right-agent", "pi"];
    let difference = test().args(left).args(["--format", "json"]).status(1).any_stdout().run().json();
    assert_eq!(difference["tokens"]["left"]["messages"], tokens);
    let layers = difference["layers"].as_array().unwrap();
    let own = layers.iter().find(|pair| pair["left"]["name"] == "identity").unwrap();
    assert_eq!(own["left"]["tokens"], 0);
}

#[test]
fn the_installed_release_is_named_and_compared() {
    let installed = |version: &str| {
        let json = format!("{{\"name\": \"@earendil-works/pi-coding-agent\", \"version\": \"{version}\"}}");
        test().file("project/node_modules/@earendil-works/pi-coding-agent/package.json", &json)
    };
    for format in ["text", "markdown", "html"] {
        let shown = installed("1.5.2").args(["explain", "--agent", "pi", "--format", format]).any_stdout().run();
        assert!(shown.stdout.contains("1.5.2 installed"), "{}", shown.stdout);
        let shown = installed("9.0.0").args(["agents", "--format", format]).any_stdout().run().stdout;
        let said = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("the rules were not compared with pi 9.0.0"), "{shown}");
    }
}
