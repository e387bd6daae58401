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
