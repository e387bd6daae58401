//! Agents' folders: instructions that never end or are not regular files, and circular skills.

use std::fs;
use std::os::unix::fs::symlink;

use super::bounds;
use crate::support::{Ran, Test};

const HELP: &str = "help: make it smaller, or split it\n";

/// An agent's working folder with one instruction file.
fn folder(instructions: &str) -> Test {
    bounds::hold(Test::plain()).file("project/AGENTS.md", instructions).file("agent/skills/a/SKILL.md", SKILL)
}

const SKILL: &str = "---\nname: a\ndescription: Does what is asked.\n---\nDo it.\n";

/// A command for that folder.
fn about(test: Test, command: &str) -> Test {
    let test = test.args([command, "--protocol", "sf", "--cwd", ".", "--agent-dir", "../agent"]);
    test.args(["--now", "2026-03-07T14:55:05Z", "--tz", "UTC"])
}

/// The prompt of a folder, without diagnostics.
fn plain(test: Test) -> Ran {
    about(test, "render").args(["--format", "plain"]).any_stdout().run()
}

/// The prompt of a folder, with its diagnostics.
fn plain_with_words(test: Test) -> Ran {
    about(test, "render").args(["--format", "plain"]).env("COLUMNS", "200").any_stdout().any_stderr().run()
}

#[test]
fn a_context_file_that_is_not_a_regular_file_is_skipped() {
    for (what, make) in [
        ("a FIFO", "mkfifo AGENTS.md"),
        ("a device that never ends", "ln -s /dev/zero AGENTS.md"),
        ("a folder", "mkdir AGENTS.md"),
        ("a link to itself", "ln -s AGENTS.md AGENTS.md"),
    ] {
        let ran = plain(folder("Be good.").file("project/CLAUDE.md", "Be kind.").with(|root| {
            let script = format!("rm AGENTS.md; {make}");
            let made =
                std::process::Command::new("sh").args(["-c", &script]).current_dir(root.join("project")).status();
            assert!(made.expect("a shell").success(), "{what}");
        }));
        assert!(ran.stdout.contains("CLAUDE.md\n\nBe kind."), "{what}: {}", ran.stdout);
    }
    assert!(plain(folder("Be good.")).stdout.contains("AGENTS.md\n\nBe good."));
}

#[test]
fn a_context_file_of_more_than_a_million_lines_is_refused() {
    let lines = |many: usize| folder(&"a\n".repeat(many));
    let error = "error[too_large]: more than the limit of 1000000 lines\n --> cwd [ROOT]/project/AGENTS.md:1:1\n";
    for command in ["render", "explain"] {
        let ran = about(lines(1_000_001), command).any_stderr().status(2).run();
        assert!(
            ran.stderr.starts_with(error) && ran.stderr.ends_with(HELP.trim_start_matches("help: ")),
            "{}",
            ran.stderr
        );
    }
    let ran = plain(lines(1_000_000));
    assert!(ran.stdout.len() > 2_000_000);
    about(lines(1_000_000), "explain").args(["--blame"]).any_stdout().run();
}

/// A file over the limit is an error; no other file takes its place.
#[test]
fn a_context_file_over_the_limit_is_refused() {
    const MOST: usize = 16_000_000;
    let beside = |bytes: usize| folder(&"x".repeat(bytes)).file("project/CLAUDE.md", "Be kind.");
    let nested = |bytes: usize| beside(bytes).file("project/sub/AGENTS.md", "Be here.");
    let only = || {
        folder("").file("project/CLAUDE.md", &"x".repeat(MOST + 1)).with(|root| {
            fs::remove_file(root.join("project/AGENTS.md")).expect("the file exists");
        })
    };
    for command in ["render", "explain", "list", "chain"] {
        let words = [command, "--protocol", "sf", "--cwd", ".", "--agent-dir", "../agent"];
        for (test, name) in [(beside(MOST + 1), "AGENTS.md"), (only(), "CLAUDE.md")] {
            let error = format!(
                "error[too_large]: {} bytes exceed the limit of {MOST}\n  --> cwd [ROOT]/project/{name}\n\
                 help: make it smaller\n",
                MOST + 1
            );
            test.args(words).stderr(&error).status(2).run();
        }
    }
    let ran = plain(beside(MOST));
    assert!(ran.stdout.len() > MOST && !ran.stdout.contains("Be kind."));
    // A shadowed file is not read.
    let hidden = folder("Be good.").file("project/CLAUDE.md", &"x".repeat(MOST + 1));
    assert!(plain(hidden).stdout.contains("AGENTS.md\n\nBe good."));
    let sub = ["diff", "--protocol", "sf", "--agent-dir", "../agent", "--exit-zero", ".", "sub"];
    let ran = nested(MOST + 1).args(sub).any_stderr().status(2).run();
    assert!(ran.stderr.contains("error[too_large]: 16000001 bytes"), "{}", ran.stderr);
    nested(9_000).args(sub).any_stdout().run();
    let ran = beside(MOST + 1).args(["lint", "--protocol", "sf"]).any_stdout().status(1).run();
    assert!(ran.stdout.contains("error[RR004]: 16000001 bytes exceed the limit of 16000000"), "{}", ran.stdout);
}

#[test]
fn a_context_file_of_millions_of_words_is_reported() {
    let lint = |text: &str| folder(text).args(["lint", "--protocol", "sf", "--format", "concise"]).any_stdout();
    let ran = lint(&"ab ".repeat(5_000_000)).status(1).run();
    assert!(ran.stdout.contains("AGENTS.md:1:1: warning[RR711]"), "{}", ran.stdout);
    lint("Be good.").run();
}

/// A repeated guideline is found up to a length of 10,000 bytes.
#[test]
fn repeated_guidelines_are_found_up_to_a_limit() {
    let twice = |bytes: usize| {
        // The guideline ends in a letter, whatever its length.
        let text = format!("- {}x\n", &"ab ".repeat(bytes)[..bytes - 1]);
        let test = folder(&text.repeat(2)).args(["lint", "--protocol", "sf", "--select", "RR712"]);
        test.args(["--format", "concise"]).any_stdout()
    };
    let ran = twice(10_000).run();
    assert_eq!(ran.stdout.matches("[RR712]").count(), 1, "{}", ran.stdout);
    let ran = twice(10_001).run();
    assert!(!ran.stdout.contains("RR712"), "{}", ran.stdout);
}

#[test]
fn context_files_that_exceed_the_limit_together_are_refused() {
    let nested = |many: usize| {
        let mut path = "project".to_string();
        let mut test = folder("");
        for _ in 0..many {
            path += "/d";
            test = test.file(&format!("{path}/AGENTS.md"), &"x".repeat(5_000_000));
        }
        test.args(["render", "--protocol", "sf", "--agent-dir", "../agent", "--format", "plain", "--cwd"])
            .args([&path["project/".len()..]])
    };
    let ran = nested(12).any_stderr().status(2).run();
    let error = "error[too_large]: more than the limit of 50000000 bytes in all files of a prompt";
    assert!(ran.stderr.starts_with(error), "{}", ran.stderr);
    let ran = nested(9).any_stdout().run();
    assert!(ran.stdout.len() > 45_000_000);
}

#[test]
fn skills_with_circular_links_are_listed_once() {
    let ran = plain(folder("Be good.").with(|root| {
        for name in ["a", "b", "c"] {
            let skills = root.join("agent/skills");
            fs::create_dir_all(skills.join(name)).expect("a folder");
            for other in ["a", "b", "c"] {
                symlink(format!("../{other}"), skills.join(name).join(other)).expect("a link");
            }
        }
    }));
    assert_eq!(ran.stdout.matches("<name>a</name>").count(), 1, "{}", ran.stdout);
}

#[test]
fn patterns_of_ignore_files_count_towards_the_search_limit() {
    let ignoring = |many: usize| {
        let patterns: String = (0..many).map(|n| format!("p{n}*/q[a-z]?\n")).collect();
        plain_with_words(folder("Be good.").file("agent/skills/.gitignore", &patterns))
    };
    let warning = "warning[skill_unreadable]: the remaining skills are left out: the search stops after 100,000 files and folders";
    // The skills folder has two entries: the ignore file and a skill.
    let ran = ignoring(10_000);
    assert!(!ran.stdout.contains("<name>a</name>") && ran.stderr.starts_with(warning), "{}", ran.stderr);
    let ran = ignoring(9_990);
    assert!(ran.stdout.contains("<name>a</name>") && ran.stderr.is_empty(), "{}", ran.stderr);
}

/// YAML and JSON with unclosed brackets, in front matter and in files that flags name.
#[test]
fn unclosed_brackets_do_not_crash_the_program() {
    for matter in ["[".repeat(900_000), "a: ".repeat(300_000), "&a [*a,".repeat(100_000)] {
        let skill = format!("---\n{matter}\n---\n");
        let ran = about(folder("Be good.").file("agent/skills/b/SKILL.md", &skill), "render")
            .args(["--format", "plain"])
            .any_stdout()
            .any_stderr()
            .run();
        assert!(ran.stdout.contains("<name>a</name>"), "{}", ran.stdout);
    }
    for flag in ["--tools-file", "--extensions", "--messages"] {
        for brackets in ["[".repeat(100_000), "{\"a\":".repeat(100_000), "\u{1b}[31m\u{202e}".to_string()] {
            let test = about(folder("Be good.").file("project/f.json", &brackets), "render").args([flag, "f.json"]);
            let test = if flag == "--messages" { test.args(["--event", "thread_continued"]) } else { test };
            let ran = test.any_stderr().status(2).run();
            assert!(ran.stderr.starts_with("error["), "{flag}: {}", ran.stderr);
            assert!(!ran.stderr.contains(['\u{1b}', '\u{202e}']), "{flag}: {}", ran.stderr);
        }
    }
}
