//! Folders that take the rules of coding agents to their limits: each still gives its prompt, or one clear error.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::bounds;
use crate::support::{Ran, Test};

/// The agents, each with a folder of skills that it reads, and how it lists the skill `a` there.
const AGENTS: [(&str, &str, &str); 4] = [
    ("pi", "home/.agents/skills", "/a/SKILL.md"),
    ("codex", "home/.agents/skills", "/a/SKILL.md"),
    ("claude-code", "home/.claude/skills", "- a"),
    ("opencode", "home/.claude/skills", "/a/SKILL.md"),
];

/// A working folder with instructions, and a skill that all agents list.
pub(super) fn folder() -> Test {
    let test = bounds::hold(Test::plain()).file("project/AGENTS.md", "Be good.\n");
    ["home/.agents/skills", "home/.claude/skills"]
        .iter()
        .fold(test, |test, skills| test.file(&format!("{skills}/a/SKILL.md"), &skill("a")))
}

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does what is asked of {name}.\n---\nDo it.\n")
}

pub(super) fn rendered(test: Test, agent: &str) -> Ran {
    rendered_in(test, agent, ".")
}

fn rendered_in(test: Test, agent: &str, cwd: &str) -> Ran {
    test.args(["render", "--agent", agent, "--format", "plain", "--cwd", cwd]).any_stdout().any_stderr().run()
}

/// Expects that each agent reads the instructions and lists the skill, whatever else is there: in its folder of skills,
/// and elsewhere.
fn stays(what: &str, hostile: impl Fn(Test, &str) -> Test) {
    for (agent, skills, listed) in AGENTS {
        let shown = rendered(hostile(folder(), skills), agent).stdout;
        assert!(shown.contains("Be good."), "{agent}: {what}: the instructions are missing");
        assert!(shown.contains(listed), "{agent}: {what}: the skill is missing");
    }
}

#[test]
fn instructions_of_16_mb_are_read() {
    for (agent, bytes) in
        [("pi", 16_000_000), ("codex", 16_000_000), ("opencode", 16_000_000), ("claude-code", 4_194_304)]
    {
        let text = format!("Be good.\n{}", "x".repeat(bytes - 9));
        let shown = rendered(folder().file("project/AGENTS.md", &text), agent).stdout;
        assert!(shown.contains("Be good."), "{agent}");
    }
}

#[test]
fn folders_may_be_deep() {
    const LEVELS: usize = 300;
    for (agent, ..) in AGENTS {
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
    stays("2,000 skills", |test, skills| {
        (0..2_000).fold(test, |test, n| {
            test.file(&format!("{skills}/s{n}/SKILL.md"), &format!("---\nname: s{n}\ndescription: D.\n---\n"))
        })
    });
}

#[test]
fn front_matter_that_never_ends_costs_little() {
    for matter in ["[".repeat(900_000), "a: ".repeat(300_000), "&a [*a,".repeat(100_000), "- ".repeat(500_000)] {
        let text = format!("---\n{matter}\n---\n");
        stays("front matter", |test, skills| {
            ["project/.claude/rules/b.md", "project/.claude/agents/b.md", "project/.opencode/agent/b.md"]
                .iter()
                .fold(test.file(&format!("{skills}/b/SKILL.md"), &text), |test, path| test.file(path, &text))
        });
    }
}

#[test]
fn links_in_a_circle_end() {
    const FOLDERS: [&str; 4] =
        ["project/.claude/rules", "project/.claude/commands", "project/.opencode/agent", "project/.opencode/skills"];
    stays("circles", |test, skills| {
        test.with(|root| {
            for folder in FOLDERS.iter().chain([&skills]).map(|folder| root.join(folder)) {
                for name in ["a", "b", "c"] {
                    fs::create_dir_all(folder.join(name)).expect("a folder");
                    for other in ["a", "b", "c"] {
                        symlink(format!("../{other}"), folder.join(name).join(other)).expect("a link");
                    }
                }
            }
            symlink("CLAUDE.md", root.join("project/CLAUDE.md")).expect("a link");
        })
    });
}

#[test]
fn ignore_patterns_may_be_many() {
    let patterns: String = (0..9_000).map(|n| format!("p{n}*/q[a-z]?\n")).collect();
    stays("patterns", |test, skills| test.file(&format!("{skills}/.gitignore"), &patterns));
}

/// Broken settings of pi and claude-code do not count; with broken ones, codex and opencode do not start.
#[test]
fn broken_settings_cost_little() {
    for text in ["[".repeat(900_000), "{\"a\":".repeat(300_000), "a.".repeat(500_000), "\0".repeat(1_000_000)] {
        for (agent, path) in [("pi", "home/.pi/agent/settings.json"), ("claude-code", "home/.claude/settings.json")] {
            let shown = rendered(folder().file(path, &text), agent).stdout;
            assert!(shown.contains("Be good."), "{agent}");
        }
        for (agent, path) in [("codex", "home/.codex/config.toml"), ("opencode", "project/opencode.json")] {
            let ran = refused(folder().file(path, &text), agent);
            assert!(ran.stderr.contains(path.rsplit('/').next().unwrap_or_default()), "{}", ran.stderr);
        }
    }
}

/// A prompt that lacks what is over a limit.
pub(super) fn limited(test: Test, agent: &str) -> Ran {
    test.args(["render", "--agent", agent, "--format", "plain"]).any_stdout().any_stderr().status(2).run()
}

/// An agent that does not start.
pub(super) fn refused(test: Test, agent: &str) -> Ran {
    test.args(["render", "--agent", agent, "--format", "plain"]).any_stderr().status(2).run()
}

#[test]
fn broken_settings_are_reported_with_their_place() {
    let text = "{\n  \"model\" 7\n}\n";
    for (agent, path, at) in [
        ("pi", "home/.pi/agent/settings.json", "2:11"),
        ("claude-code", "home/.claude/settings.json", "2:11"),
        ("claude-code", "project/.claude/settings.local.json", "2:11"),
        ("opencode", "project/opencode.json", "2:11"),
        ("codex", "home/.codex/config.toml", "1:1"),
    ] {
        let test = folder().file(path, text).env("COLUMNS", "200").args(["render", "--agent", agent]);
        let is_refused = matches!(agent, "codex" | "opencode");
        let ran = test.any_stdout().any_stderr().status(if is_refused { 2 } else { 0 }).run();
        assert!(ran.stderr.contains(&format!("{path}:{at}\n")), "{agent}: {}", ran.stderr);
    }
}

const OTHER_FILES: [&str; 22] = [
    "project/CLAUDE.local.md",
    "project/.claude/CLAUDE.md",
    "project/.claude/rules/b.md",
    "project/.claude/settings.json",
    "project/.claude/settings.local.json",
    "project/.claude/skills/b/SKILL.md",
    "project/.claude/agents/b.md",
    "project/.claude/commands/b.md",
    "project/.claude/output-styles/b.md",
    "project/opencode.jsonc",
    "project/.opencode/opencode.json",
    "project/.opencode/agent/b.md",
    "project/.opencode/command/b.md",
    "project/.opencode/skills/b/SKILL.md",
    "project/.codex/config.toml",
    "project/.pi/settings.json",
    "project/sub/AGENTS.md",
    "project/sub/CLAUDE.md",
    "home/.claude/rules/b.md",
    "home/.claude/skills/b/SKILL.md",
    "home/.config/opencode/config.json",
    "home/.agents/skills/b/SKILL.md",
];

pub(super) fn run(program: &str, path: &Path) {
    assert!(Command::new(program).arg(path).status().expect("the program is installed").success());
}

/// None of them can be read, and none keeps an agent waiting.
#[test]
fn something_else_in_place_of_files_is_passed_over() {
    type Make = fn(&Path);
    let makes: [(&str, Make); 5] = [
        ("FIFOs", |path| run("mkfifo", path)),
        ("devices", |path| symlink("/dev/zero", path).expect("a link")),
        ("folders", |path| fs::create_dir(path).expect("a folder")),
        ("links to themselves", |path| symlink(path.file_name().expect("a name"), path).expect("a link")),
        ("links to nowhere", |path| symlink("nowhere", path).expect("a link")),
    ];
    for (what, make) in makes {
        stays(what, |test, _| {
            test.with(|root| {
                for path in OTHER_FILES.map(|path| root.join(path)) {
                    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("its folder");
                    make(&path);
                }
            })
        });
    }
}

/// A file or a FIFO in place of each folder.
#[test]
fn something_else_in_place_of_folders_is_passed_over() {
    for folder in
        ["project/.claude", "project/.opencode", "project/.codex", "project/.pi", "home/.config", "project/sub"]
    {
        stays(folder, |test, _| test.file(folder, "x"));
        stays(folder, |test, _| test.with(|root| run("mkfifo", &root.join(folder))));
    }
}

#[test]
fn bytes_that_are_not_utf8_are_replaced_or_passed_over() {
    const BYTES: &[u8] = b"---\nname: b\xff\ndescription: \xff\npaths: \xff\n---\n\xc3\xff";
    stays("bytes", |test, _| {
        test.file("project/CLAUDE.md", "Be good.\n").with(|root| {
            for path in OTHER_FILES.iter().filter(|path| path.ends_with(".md")).map(|path| root.join(path)) {
                fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("its folder");
                fs::write(&path, BYTES).expect("a new file");
                let other = path.with_file_name(OsStr::from_bytes(b"\xff.md"));
                fs::write(other, BYTES).expect("a new file");
            }
        })
    });
}

/// Only the folder that holds the working folder is a home here.
#[test]
fn a_home_is_not_searched() {
    for (agent, ..) in AGENTS {
        let test = (0..3_000).fold(folder(), |test, n| test.file(&format!("home/p{n}/AGENTS.md"), "Far away.\n"));
        let shown = rendered_in(test, agent, "../home").stdout;
        assert!(!shown.contains("Far away."), "{agent}");
    }
}
