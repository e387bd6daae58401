//! Names that are not UTF-8, and unreadable folders, for every command. Each command also runs in the same project
//! without them, where it succeeds.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use super::{DIRECTIVE, KNOWLEDGE, bounds, reader, test};
use crate::support::Test;

const CLOCK: [&str; 4] = ["--now", "2026-03-07T14:55:05Z", "--tz", "UTC"];

/// A project with two directives, one of them in a subfolder, and a knowledge item.
fn project() -> Test {
    test()
        .file("project/.ai/directives/x.md", DIRECTIVE)
        .file("project/.ai/directives/d/y.md", DIRECTIVE)
        .file("project/.ai/knowledge/k.md", KNOWLEDGE)
}

const SKILL: &str = "---\nname: a\ndescription: Does what is asked.\n---\nDo it.\n";

/// An agent's working folder.
fn folder() -> Test {
    bounds::hold(Test::plain())
        .file("project/AGENTS.md", "Be good.")
        .file("project/sub/AGENTS.md", "Be here.")
        .file("project/.sf/skills/a/SKILL.md", SKILL)
        .file("agent/APPEND_SYSTEM.md", "Be brief.")
}

/// A command for an agent's working folder.
fn about(test: Test, words: &[&str]) -> Test {
    let test = typed(test, words).args(["--protocol", "sf"]);
    let test = if words[0] == "lint" { test } else { test.args(["--agent-dir", "../agent"]) };
    if matches!(words[0], "render" | "explain" | "diff") { test.args(CLOCK) } else { test }
}

fn typed(test: Test, words: &[&str]) -> Test {
    words.iter().fold(test, |test, word| test.args([*word]))
}

/// A name that begins like a valid one but is not UTF-8.
fn named(folder: &Path, rest: &str) -> PathBuf {
    folder.join(OsStr::from_bytes(&[b"b\xff", rest.as_bytes()].concat()))
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("its folder");
    fs::write(path, text).expect("a new file");
}

/// Commands that show all items warn about these names; other output stays the same.
#[test]
fn names_that_are_not_utf8_give_warnings() {
    let bad = |test: Test| {
        test.with(|root| {
            let ai = root.join("project/.ai");
            write(&named(&ai.join("directives"), ".md"), DIRECTIVE);
            write(&named(&ai.join("directives"), "").join("w.md"), DIRECTIVE);
            write(&named(&ai.join("knowledge"), ".md"), KNOWLEDGE);
            // Nothing reads these.
            write(&named(&ai.join("knowledge"), ".txt"), "");
            write(&named(&root.join("project"), ".md"), "");
        })
    };
    let warning =
        "warning[name_not_utf8]: left out because its name is not UTF-8, so no id can refer to it\n  --> project .ai/";
    for (words, status, warnings) in [
        (&["render", "x"][..], 0, 0),
        (&["explain", "x"], 0, 0),
        (&["explain", "x", "--why", "k"], 0, 0),
        (&["diff", "x", "d/y"], 1, 0),
        (&["chain", "x"], 0, 0),
        (&["chain", "--invert", "x"], 0, 2),
        (&["chain", "--all"], 0, 3),
        (&["render", "--all", "-o", "out"], 0, 2),
        (&["list"], 0, 3),
        (&["list", "knowledge"], 0, 1),
        (&["lock"], 0, 2),
        (&["init", "new"], 0, 0),
    ] {
        let run = |test: Test| typed(test, words).any_stdout().any_stderr().status(status).run();
        let (good, ran) = (run(project()), run(bad(project())));
        assert_eq!(
            (&ran.stdout, ran.stderr.matches(warning).count()),
            (&good.stdout, warnings),
            "{words:?}: {}",
            ran.stderr
        );
        assert_eq!((ran.stderr.matches("warning[").count(), good.stderr.as_str()), (warnings, ""), "{words:?}");
    }
    let ran = bad(project()).args(["render", "--all", "-o", "out"]).any_stderr().run();
    assert_eq!(ran.list("project/out"), ["d", "x.json"]);
    let ran = bad(project()).args(["list", "--format", "json"]).any_stdout().run();
    let codes = ran.json()["diagnostics"].as_array().expect("a list").clone();
    assert_eq!(codes.iter().filter(|it| it["code"] == "name_not_utf8").count(), 3);
    let lint = |test: Test| test.args(["lint", "--select", "RR004"]).any_stdout();
    let ran = lint(bad(project())).status(1).run();
    let finding = "error[RR004]: `.ai/directives/b\u{fffd}.md`: left out because its name is not UTF-8";
    assert!(ran.stdout.contains(finding), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("error[RR004]").count(), 3, "{}", ran.stdout);
    assert!(lint(project()).run().stdout.contains("0 errors"));
}

#[test]
fn paths_that_are_not_utf8_can_be_written_but_not_read() {
    let there = |test: Test| {
        test.with(|root| {
            write(&named(&root.join("project"), "/AGENTS.md"), "Be bad.");
            write(&named(&root.join("project/.ai/directives"), ".md"), DIRECTIVE);
        })
    };
    let item = b".ai/directives/b\xff.md";
    for command in ["render", "explain", "chain"] {
        for name in [&item[..], b"b\xff", b"b\xff/AGENTS.md"] {
            let ran = there(project()).args([command]).bytes(name).any_stderr().status(2).run();
            assert!(ran.stderr.contains("invalid UTF-8"), "{command}: {}", ran.stderr);
        }
        project().args([command, ".ai/directives/x.md"]).any_stdout().run();
    }
    let ran = there(project()).args(["diff", "x"]).bytes(item).any_stderr().status(2).run();
    assert!(ran.stderr.contains("invalid UTF-8"), "{}", ran.stderr);

    let help = "help: rename the file or folder, or name another\n";
    let wrong = |path: &str| format!("error[invalid_argument]: the path {path} is not UTF-8\n{help}");
    let lint = |name: &[u8]| there(project()).args(["lint"]).bytes(name);
    lint(item).stderr(&wrong(".ai/directives/b\u{fffd}.md")).status(2).run();
    lint(b"b\xff").stderr(&wrong("b\u{fffd}")).status(2).run();
    lint(b"b\xff/AGENTS.md").stderr(&wrong("b\u{fffd}/AGENTS.md")).status(2).run();
    // A list of all changed files may include files that are not items.
    let photo = project().with(|root| write(&named(&root.join("project"), ".jpg"), ""));
    assert!(photo.args(["lint"]).bytes(b"b\xff.jpg").any_stdout().run().stdout.contains("0 directives"));

    for words in [&["render"][..], &["explain"], &["list"], &["chain"], &["render", "--format", "json"]] {
        let test = about(there(folder()), words).args(["--cwd"]).bytes(b"b\xff").any_stderr().status(2);
        let ran = test.run();
        assert!(ran.stderr.contains("[ROOT]/project/b\u{fffd} is not UTF-8"), "{words:?}: {}", ran.stderr);
        about(folder(), words).args(["--cwd", "sub"]).any_stdout().run();
    }
    for flag in ["--agent-dir", "--skills"] {
        let test = there(folder()).args(["render", "--protocol", "sf"]).args([flag]).bytes(b"b\xff").status(2);
        assert!(test.any_stderr().run().stderr.contains("/b\u{fffd} is not UTF-8"), "{flag}");
    }

    let written = [
        (&["render", "x", "-o"][..], &b"b\xff"[..]),
        (&["render", "--all", "-o"], b"b\xff"),
        (&["lock", "--file"], b"b\xff"),
        (&["init"], b"b\xff"),
    ];
    for (words, name) in written {
        let ran = typed(project(), words).bytes(name).any_stdout().run();
        assert!(ran.list("project").contains(&"b\u{fffd}".to_string()), "{words:?}");
    }
}

/// These skills cannot be listed in the prompt, so every command warns about them.
#[test]
fn skills_whose_names_are_not_utf8_give_warnings() {
    let bad = |test: Test| {
        test.with(|root| {
            let skills = root.join("project/.sf/skills");
            write(&named(&skills, "/SKILL.md"), SKILL);
            write(&named(&skills, ".md"), SKILL);
            // Other files of a skill are ignored.
            write(&named(&skills.join("a"), ".txt"), "");
        })
    };
    for command in ["render", "explain", "list", "chain"] {
        let run = |test: Test| about(test, &[command]).any_stdout().any_stderr().run();
        let (good, ran) = (run(folder()), run(bad(folder())));
        assert_eq!((&ran.stdout, good.stderr.as_str()), (&good.stdout, ""), "{command}");
        assert_eq!(ran.stderr.matches("warning[name_not_utf8]").count(), 2, "{command}: {}", ran.stderr);
        assert_eq!(ran.stderr.matches("its name is not UTF-8").count(), 2, "{command}: {}", ran.stderr);
        assert_eq!(ran.stderr.matches("help: rename it\n").count(), 2, "{command}: {}", ran.stderr);
    }
    let finds = |test: Test, count: usize| {
        let ran = about(test, &["lint"]).any_stdout().status(1).run();
        assert_eq!(ran.stdout.matches("its name is not UTF-8").count(), count, "{}", ran.stdout);
    };
    finds(bad(folder()), 2);
    // Files in a folder whose name is not UTF-8 are ignored.
    finds(folder().with(|root| write(&named(&root.join("project"), "/AGENTS.md"), "Be bad.")), 1);
    about(folder(), &["lint"]).any_stdout().run();
}

/// What a command does if a folder is unreadable.
enum Closed {
    /// The same result without a message.
    Same,
    /// The same result with a warning that names the folder.
    Warned,
    /// It fails and names the folder.
    Failed,
    /// It reports a finding that names the folder.
    Found,
}

/// Runs commands in a project with an unreadable folder, and again with the folder readable.
fn each_closed(make: impl Fn(&[&str]) -> Test, path: &str, shown: &str, commands: &[(&[&str], i32, Closed)]) {
    let Some(through) = reader() else { return };
    for (words, status, closed) in commands {
        let run = |mode: u32, status: i32| {
            let test = make(words).through(through).with(|root| {
                for folder in ["", "project"] {
                    fs::set_permissions(root.join(folder), fs::Permissions::from_mode(0o777))
                        .expect("its owner may change it");
                }
                fs::set_permissions(root.join(path), fs::Permissions::from_mode(mode))
                    .expect("its owner may change it");
            });
            let ran = test.any_stdout().any_stderr().status(status).run();
            ran.open(path);
            ran
        };
        let good = run(0o755, *status);
        assert_eq!(good.stderr, "", "{words:?}");
        let ran = run(
            0,
            match closed {
                Closed::Same | Closed::Warned => *status,
                Closed::Failed => 2,
                Closed::Found => 1,
            },
        );
        let (said, place) = match closed {
            Closed::Same => ("", ""),
            Closed::Warned => ("warning[", shown),
            Closed::Failed => ("error[unreadable]: cannot be read: Permission denied\n", shown),
            Closed::Found => {
                let found = ran.stdout.contains("cannot be read: Permission denied") && ran.stdout.contains(shown);
                assert!(found, "{words:?}: {}", ran.stdout);
                ("", "")
            }
        };
        assert!(ran.stderr.starts_with(said) && ran.stderr.contains(place), "{path} {words:?}: {}", ran.stderr);
        assert_eq!(ran.stderr.is_empty(), said.is_empty(), "{path} {words:?}: {}", ran.stderr);
        if matches!(closed, Closed::Same) {
            assert_eq!(ran.stdout, good.stdout, "{path} {words:?}");
        }
    }
}

#[test]
fn unreadable_folders_of_a_project_are_reported_if_needed() {
    use Closed::{Failed, Found, Same};
    let make = |words: &[&str]| typed(project(), words);
    let lint = &["lint", "--select", "RR004"][..];
    let all = &["render", "--all", "-o", "out"][..];
    each_closed(
        make,
        "project/.ai/directives/d",
        "project .ai/directives/d",
        &[
            (&["render", "x"], 0, Same),
            (&["explain", "x"], 0, Same),
            (&["chain", "x"], 0, Same),
            (&["render", "d/y"], 0, Failed),
            (&["explain", "d/y"], 0, Failed),
            (&["chain", "d/y"], 0, Failed),
            (&["diff", "x", "d/y"], 1, Failed),
            (&["diff", "d/y", "x"], 1, Failed),
            (all, 0, Failed),
            (&["lock"], 0, Failed),
            (&["list"], 0, Failed),
            (&["list", "knowledge"], 0, Same),
            (&["chain", "--all"], 0, Failed),
            (&["chain", "--invert", "x"], 0, Failed),
            (&["init", "new"], 0, Same),
        ],
    );
    each_closed(make, "project/.ai/directives/d", "`.ai/directives/d`", &[(lint, 0, Found)]);
    each_closed(
        make,
        "project/.ai/knowledge",
        "project .ai/knowledge",
        &[
            (&["render", "x"], 0, Same),
            (&["diff", "x", "d/y"], 1, Same),
            (&["explain", "x", "--why", "k"], 0, Failed),
            (all, 0, Same),
            (&["lock"], 0, Same),
            (&["list"], 0, Failed),
            (&["list", "directive"], 0, Same),
            (&["chain", "--all"], 0, Failed),
        ],
    );
    each_closed(make, "project/.ai/knowledge", "`.ai/knowledge`", &[(lint, 0, Found)]);
    // The settings are unreadable too.
    let every = [&["render", "x"][..], &["explain", "x"], &["chain", "x"], all, &["lock"], &["list"], lint];
    for words in every {
        each_closed(make, "project/.ai", "project .ai/config/rye-render.yaml", &[(words, 0, Failed)]);
    }
    each_closed(make, "project/.ai", "project .ai/config/rye-render.yaml", &[(&["diff", "x", "d/y"], 1, Failed)]);
}

#[test]
fn unreadable_folders_of_an_agent_are_reported() {
    use Closed::{Failed, Found, Same, Warned};
    let make = |words: &[&str]| about(folder(), words);
    let commands = [&["render"][..], &["explain"], &["list"], &["chain"]];
    for words in commands {
        let here = "[ROOT]/project/.sf/skills";
        each_closed(make, "project/.sf/skills", here, &[(words, 0, Warned)]);
        each_closed(make, "project/.sf/skills/a", &format!("{here}/a"), &[(words, 0, Warned)]);
        each_closed(make, "project/.sf", "cwd [ROOT]/project/.sf/SYSTEM.md", &[(words, 0, Failed)]);
        each_closed(make, "agent", "agent [ROOT]/agent/SYSTEM.md", &[(words, 0, Failed)]);
        each_closed(make, "project/sub", "", &[(words, 0, Same)]);
        each_closed(make, "project/AGENTS.md", "cwd [ROOT]/project/AGENTS.md", &[(words, 0, Warned)]);
    }
    let given = ["render", "--system-prompt", "Be.", "--append-system-prompt", "So.", "--no-skills"];
    each_closed(make, "agent", "agent [ROOT]/agent/AGENTS.md", &[(&given, 0, Warned)]);
    let linked = |words: &[&str]| {
        about(folder(), words).file("elsewhere/AGENTS.md", "Be there.").with(|root| {
            fs::remove_file(root.join("project/AGENTS.md")).expect("the file exists");
            symlink("../elsewhere/AGENTS.md", root.join("project/AGENTS.md")).expect("a link");
        })
    };
    each_closed(linked, "elsewhere", "cwd [ROOT]/project/AGENTS.md", &[(&["render"], 0, Warned)]);
    each_closed(make, "project/sub", "cwd [ROOT]/project/sub/.sf/SYSTEM.md", &[(&["diff", ".", "sub"], 1, Failed)]);
    each_closed(make, "project/sub", "`sub`", &[(&["lint"], 0, Found)]);
    each_closed(make, "project/.sf/skills", ".sf/skills", &[(&["lint"], 0, Found)]);
    each_closed(make, "project/AGENTS.md", "--> AGENTS.md", &[(&["lint"], 0, Found)]);
}
