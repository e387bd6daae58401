//! The agent of a folder: named by a flag, by the settings, or found on the machine (docs/agents.md, "Which agent").

use crate::support::Test;

const SETTINGS: &str = "project/.sf/rye-render.yaml";
const NOTE: &str = "note[several_agents]: this is for codex; it could also be for pi. Choose with --agent, or with `agents` in the settings\n";

/// A folder with an instruction file and nothing of directives.
fn test() -> Test {
    Test::plain().file("project/.git/HEAD", "").file("project/app/AGENTS.md", "Use tabs.\n")
}

#[test]
fn the_first_agent_of_the_settings_is_shown_with_a_note() {
    for command in ["render", "explain"] {
        let test = || test().file(SETTINGS, "agents: [codex, pi]\n").any_stdout().stderr(NOTE);
        test().args([command, "app"]).run();
        test().file("project/AGENTS.md", "Use spaces.\n").args([command]).run();
    }
}

#[test]
fn lists_and_graphs_are_those_of_all_agents_of_the_settings() {
    let test =
        || test().file(SETTINGS, "agents: [codex@0.169.0, claude-code]\n").file("project/app/CLAUDE.md", "Own.\n");
    let test = || test().file("project/app/.agents/skills/go/SKILL.md", "---\nname: go\ndescription: Goes\n---\n");
    let shown = test().args(["list", "app"]).any_stdout().any_stderr().run().stdout;
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "[ROOT]/project/app  codex 0.169.0, claude-code 2.1.330");
    // That of claude-code has its path in the prompt, whose length differs.
    assert_eq!(lines[3], "  ● AGENTS.md  project   3  codex");
    assert!(lines[4].starts_with("  ● CLAUDE.md  project  ") && lines[4].ends_with("  claude-code"), "{shown}");
    assert_eq!(lines[7], "  ● go         skill     9  codex");
    // A flag names them as the settings do; without a release, the newest one counts.
    let named = test().args(["list", "--agent", "codex,claude-code", "app"]).any_stdout().any_stderr().run().stdout;
    assert_eq!(named, shown);
    let tree = test().args(["chain", "app"]).any_stdout().any_stderr().run().stdout;
    assert!(tree.contains("├─ AGENTS.md (context, 3 tokens)"), "{tree}");
    assert!(tree.contains("\n│    codex\n├─ CLAUDE.md"), "{tree}");
    let nodes = test().args(["chain", "app", "--format", "json"]).any_stdout().any_stderr().run().json();
    let readers: Vec<_> = nodes["nodes"].as_array().unwrap().iter().map(|node| node["agents"].clone()).collect();
    assert_eq!(readers[1..], [["codex"], ["claude-code"], ["codex"]].map(|agents| serde_json::json!(agents)));
    let once = test().args(["list", "--agent", "codex,codex", "app"]).any_stdout().any_stderr().run().stdout;
    let one = test().args(["list", "--agent", "codex", "app"]).any_stdout().any_stderr().run().stdout;
    assert_eq!(once, one);
    let twice = ["list", "--agent", "codex@0.160.0,codex", "app", "--format", "json"];
    let twice = test().args(twice).any_stdout().any_stderr().run().json();
    let tokens = |agent: &str| serde_json::json!({"agent": agent, "tokens": 3});
    assert_eq!(twice["entries"][0]["agents"], serde_json::json!([tokens("codex@0.160.0"), tokens("codex")]));
    test().args(["render", "--agent", "codex,pi", "app"]).status(2).any_stderr().run();
}

#[test]
fn an_installed_agent_is_shown_without_settings() {
    let package = "project/node_modules/@earendil-works/pi-coding-agent/package.json";
    let json = "{\"name\": \"@earendil-works/pi-coding-agent\", \"version\": \"1.5.2\"}";
    let shown = test().file(package, json).args(["render", "app"]).any_stdout().run().stdout;
    assert!(shown.contains("/project/app  pi 1.5.2 "), "{shown}");
}

#[cfg(unix)]
#[test]
fn links_to_a_folder_and_to_its_packages_are_followed() {
    use std::os::unix::fs::symlink;

    let package = "packages/@earendil-works/pi-coding-agent/package.json";
    let json = "{\"name\": \"@earendil-works/pi-coding-agent\", \"version\": \"1.5.2\"}";
    for typed in [["render", "../link"], ["list", "../link"], ["explain", "../link"]] {
        let test = test().file(package, json).args(typed).any_stdout().with(|root| {
            symlink("project/app", root.join("link")).unwrap();
            symlink("../packages", root.join("project/node_modules")).unwrap();
        });
        let shown = test.run().stdout;
        assert!(shown.contains("/project/app  pi 1.5.2"), "{typed:?}: {shown}");
    }
}

#[test]
fn who_gets_sf_by_default_hears_of_the_agents() {
    let note = "note[several_agents]: this is for sf; it could also be for pi, codex, claude-code, opencode. Choose with \
                --agent, or with `agents` in the settings\n";
    for command in ["render", "explain", "list", "chain"] {
        let shown = test().args([command, "app"]).any_stdout().stderr(note).run().stdout;
        assert!(shown.contains("/project/app"), "{shown}");
        // Settings without `agents` choose none.
        test().file(SETTINGS, "lint: {}\n").args([command, "app"]).any_stdout().stderr(note).run();
        // A file of `sf` at the top of the repository, the settings or a flag decides.
        test().file("project/.sf/SYSTEM.md", "Own.\n").args([command, "app"]).any_stdout().run();
        test().file(SETTINGS, "agents: [sf]\n").args([command, "app"]).any_stdout().run();
        test().args([command, "--protocol", "sf", "--cwd", "app"]).any_stdout().run();
    }
    test().args(["explain", "--tools", "read", "app"]).any_stdout().run();
    let shown = test().args(["explain", "app"]).any_stdout().any_stderr().run().stdout;
    assert!(shown.contains("/project/app  sf\n"), "{shown}");
}

#[test]
fn settings_of_a_project_without_directives_count_too() {
    let settings = "project/.ai/config/rye-render.yaml";
    let test = || test().file(settings, "agents: codex\n");
    let shown = test().args(["explain", "app"]).any_stdout().run().stdout;
    assert!(shown.contains("codex"), "{shown}");
    let ran = test().file("project/.ai/directives/a.md", "").args(["explain", "app"]).status(2).any_stderr().run();
    assert!(ran.stderr.contains("directive_not_found"), "{}", ran.stderr);
}

#[test]
fn a_stranger_can_name_only_agents() {
    let stderr = "\
error[invalid_setting]: unknown agent `codx`
 --> project .sf/rye-render.yaml:2:4
  |
2 |  - codx
  |    ^^^^
  |
  = help: did you mean `codex`?
";
    test().file(SETTINGS, "agents:\n - codx\n").args(["explain", "app"]).status(2).stderr(stderr).run();
}

#[test]
fn a_flag_beats_the_settings() {
    let test = test().file(SETTINGS, "agents: [codex, pi]\n").args(["list", "--agent", "pi", "app"]);
    let shown = test.any_stdout().run().stdout;
    assert!(shown.contains("/project/app  pi "), "{shown}");
}

#[test]
fn a_word_of_list_is_a_kind_or_a_folder() {
    let shown = test().args(["list", "--agent", "pi", "skill", "app"]).any_stdout().run().stdout;
    assert!(!shown.contains("AGENTS.md"), "{shown}");
    let stderr = "error[invalid_argument]: `contxt` is neither a kind nor a folder\nhelp: did you mean `context`?\n";
    test().args(["list", "contxt"]).status(2).stderr(stderr).run();
}

#[test]
fn the_matrix_uses_the_releases_of_the_settings() {
    let ran = test().file(SETTINGS, "agents: [pi, codex@0.140.0]\n").args(["agents", "app", "--format", "json"]);
    let matrix = ran.any_stdout().run().json();
    let of =
        |name| matrix["agents"].as_array().unwrap().iter().find(|it| it["name"] == name).unwrap()["version"].clone();
    assert_eq!((of("codex"), of("pi")), ("0.140.0".into(), "1.5.2".into()), "{matrix}");
}
