//! Folders that take a coding agent's rules to their limits: each still gives its prompt.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;

use super::bounds;
use crate::support::{Ran, Test};

const AGENTS: [&str; 2] = ["pi", "codex"];

/// A working folder with instructions, and a skill that all agents list.
fn folder() -> Test {
    bounds::hold(Test::plain())
        .file("project/AGENTS.md", "Be good.\n")
        .file("home/.agents/skills/a/SKILL.md", &skill("a"))
}

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does what is asked of {name}.\n---\nDo it.\n")
}

fn rendered(test: Test, agent: &str) -> Ran {
    rendered_in(test, agent, ".")
}

fn rendered_in(test: Test, agent: &str, cwd: &str) -> Ran {
    test.args(["render", "--agent", agent, "--format", "plain", "--cwd", cwd]).any_stdout().any_stderr().run()
}

/// Expects that each agent reads the instructions and lists the skill, whatever else is there.
fn stays(what: &str, hostile: impl Fn(Test) -> Test) {
    for agent in AGENTS {
        let shown = rendered(hostile(folder()), agent).stdout;
        assert!(shown.contains("Be good."), "{agent}: {what}: the instructions are missing");
        assert!(shown.contains("/a/SKILL.md"), "{agent}: {what}: the skill is missing");
    }
}

#[test]
fn instructions_of_16_mb_are_read() {
    let text = format!("Be good.\n{}", "x".repeat(15_999_991));
    stays("a large file", |test| test.file("project/AGENTS.md", &text));
}

#[test]
fn folders_may_be_deep() {
    const LEVELS: usize = 300;
    for agent in AGENTS {
        let mut path = "project".to_string();
        let mut test = folder().file("project/.git/HEAD", "");
        for level in 0..LEVELS {
            path += "/d";
            test = test.file(&format!("{path}/AGENTS.md"), &format!("Level {level}.\n"));
        }
        let shown = rendered_in(test, agent, &path["project/".len()..]).stdout;
        assert!(shown.contains("Be good.") && shown.contains("Level 299."), "{agent}");
    }
}

#[test]
fn skills_may_be_many() {
    stays("2,000 skills", |test| {
        (0..2_000).fold(test, |test, n| {
            test.file(
                &format!("home/.agents/skills/s{n}/SKILL.md"),
                &format!("---\nname: s{n}\ndescription: D.\n---\n"),
            )
        })
    });
}

#[test]
fn front_matter_that_never_ends_costs_little() {
    for matter in ["[".repeat(900_000), "a: ".repeat(300_000), "&a [*a,".repeat(100_000), "- ".repeat(500_000)] {
        let text = format!("---\n{matter}\n---\n");
        stays("front matter", |test| test.file("home/.agents/skills/b/SKILL.md", &text));
    }
}

#[test]
fn links_in_a_circle_end() {
    stays("circles", |test| {
        test.with(|root| {
            let skills = root.join("home/.agents/skills");
            for name in ["a", "b", "c"] {
                fs::create_dir_all(skills.join(name)).expect("a folder");
                for other in ["a", "b", "c"] {
                    symlink(format!("../{other}"), skills.join(name).join(other)).expect("a link");
                }
            }
            symlink("CLAUDE.md", root.join("project/CLAUDE.md")).expect("a link");
        })
    });
}

#[test]
fn ignore_patterns_may_be_many() {
    let patterns: String = (0..9_000).map(|n| format!("p{n}*/q[a-z]?\n")).collect();
    stays("patterns", |test| test.file("home/.agents/skills/.gitignore", &patterns));
}

/// Broken settings of pi do not count; with broken ones, codex does not start.
#[test]
fn broken_settings_cost_little() {
    for text in ["[".repeat(900_000), "{\"a\":".repeat(300_000), "a.".repeat(500_000), "\0".repeat(1_000_000)] {
        let shown = rendered(folder().file("home/.pi/agent/settings.json", &text), "pi").stdout;
        assert!(shown.contains("Be good."));
        let test = folder().file("home/.codex/config.toml", &text);
        let ran = test.args(["render", "--agent", "codex"]).any_stdout().any_stderr().status(2).run();
        assert!(ran.stderr.contains("config.toml"), "{}", ran.stderr);
    }
}

/// Each alternative of the first word starts a prefix with all other words.
#[test]
fn alternatives_of_a_rule_do_not_multiply() {
    const MANY: usize = 20_000;
    let (mut firsts, mut rest) = (String::new(), String::new());
    for n in 0..MANY {
        write!(firsts, "\"a{n}\",").expect("text can be written");
        write!(rest, ",\"b{n}\"").expect("text can be written");
    }
    let rules = format!("prefix_rule(pattern=[[{firsts}]{rest}], decision=\"allow\")\n");
    let test = folder().file("home/.codex/rules/default.rules", &rules);
    let test = test.file("home/.codex/config.toml", "approval_policy = \"on-request\"\n");
    let shown = rendered(test, "codex").stdout;
    assert!(shown.contains("- [\"a0\", \"b0\", \"b1\", "), "{}", &shown[..shown.floor_char_boundary(2_000)]);
}
