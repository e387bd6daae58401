//! Files that change while they are read, and outputs that cannot be written.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use super::{ASKS, DIRECTIVE, DIRECTIVE_PATH, KNOWLEDGE, KNOWLEDGE_PATH, PROMPT, PROMPT_WITH_KNOWLEDGE, renders, test};
use crate::support::{PROGRAM, Test, program};

/// Runs the program repeatedly while `change` modifies its project.
fn while_it_changes(root: &Path, words: &[&str], change: impl Fn(usize) + Sync, look: impl Fn(&Output)) {
    const TIMES: usize = 150;
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| (0..).take_while(|_| !over.load(Ordering::Relaxed)).for_each(&change));
        for _ in 0..TIMES {
            let mut command = program(&root.join("home"));
            command.args(words).env("RYE_SYSTEM_SPACE", "none").current_dir(root.join("project"));
            look(&command.output().expect("the program runs"));
        }
        over.store(true, Ordering::Relaxed);
    });
}

/// The check applies to the opened file, so a link that changes in between cannot lead outside.
#[test]
fn a_link_swapped_between_check_and_open_cannot_lead_outside() {
    const SECRET: &str = "```yaml\nname: K\n```\nA secret of the machine.\n";
    // The file itself, and a folder on the way to it.
    for (link, inside, outside) in [
        ("project/.ai/knowledge/k.md", "good.md", "../../../secret/k.md"),
        ("project/.ai/knowledge", "known", "../../secret"),
    ] {
        let project = test().file(DIRECTIVE_PATH, ASKS).file("secret/k.md", SECRET).with(|root| {
            let known = if link.ends_with(".md") { "project/.ai/knowledge/good.md" } else { "project/.ai/known/k.md" };
            fs::create_dir_all(root.join(known).parent().expect("a folder")).expect("a new folder");
            fs::write(root.join(known), KNOWLEDGE).expect("a new file");
        });
        let folder = project.kept();
        let (root, path) = (folder.path(), folder.path().join(link));
        let swap = |turn: usize| {
            let next = root.join("next");
            let _ = fs::remove_file(&next);
            symlink(if turn.is_multiple_of(2) { inside } else { outside }, &next).expect("a link");
            fs::rename(&next, &path).expect("a link takes the place of a link");
        };
        swap(0);
        let mut read = 0;
        let read = std::cell::RefCell::new(&mut read);
        while_it_changes(root, &["render", "x", "--format", "plain"], swap, |output| {
            let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(!stdout.contains("secret") && !stderr.contains("A secret"), "{stdout}{stderr}");
            match output.status.code() {
                Some(0) => {
                    assert_eq!(stdout, PROMPT_WITH_KNOWLEDGE);
                    **read.borrow_mut() += 1;
                }
                Some(2) => assert!(stderr.contains("error[outside_tier]"), "{stderr}"),
                _ => panic!("{output:?}"),
            }
        });
        assert!(*read.into_inner() > 0, "it was never read from inside");
    }
}

/// The prompt contains the file as it was at some moment, or its beginning.
#[test]
fn a_file_that_grows_and_shrinks_while_it_is_read_renders() {
    let folder = test().file(DIRECTIVE_PATH, DIRECTIVE).kept();
    let path = folder.path().join(DIRECTIVE_PATH);
    let rest = "a line of it\n".repeat(20_000);
    let change = |turn: usize| {
        let mut file = fs::OpenOptions::new().append(true).open(&path).expect("the file exists");
        if turn.is_multiple_of(2) {
            file.write_all(rest.as_bytes()).expect("there is room");
        } else {
            file.set_len(DIRECTIVE.len() as u64).expect("it is ours");
        }
    };
    let whole = PROMPT.replace("Hello.", &format!("Hello.\n{}", rest.trim_end()));
    while_it_changes(folder.path(), &["render", "x", "--format", "plain"], change, |output| {
        let stdout = String::from_utf8_lossy(&output.stdout);
        let body = stdout.strip_suffix("\n</directive>").expect("a whole prompt");
        assert!(output.status.success() && whole.starts_with(body), "{output:?}");
    });
    fs::write(&path, DIRECTIVE).expect("the file exists");
    renders(test().over(&folder), PROMPT);
}

/// Runs the program where no file can exceed a few blocks: writing fails as on a full disk.
fn on_a_full_disk(test: Test) -> Test {
    // SIGXFSZ is ignored, because a full disk sends no signal.
    test.through(&["sh", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh"])
}

#[test]
fn a_full_disk_keeps_the_old_file() {
    let long = DIRECTIVE.replace("Hello.", &"word ".repeat(20_000));
    let project = |text: &str| test().file(DIRECTIVE_PATH, text).file("project/out", "before");
    let written = || project(&long).args(["render", "x", "--format", "plain", "-o", "out"]);
    let ran = on_a_full_disk(written())
        .stderr("error[invalid_argument]: cannot be written: File too large\n  --> out\nhelp: choose another place with -o\n")
        .status(2)
        .run();
    assert_eq!((ran.read("project/out").as_str(), ran.list("project")), ("before", vec![".ai".into(), "out".into()]));
    let small = project(DIRECTIVE).args(["render", "x", "--format", "plain", "-o", "out"]);
    assert_eq!(on_a_full_disk(small).run().read("project/out"), PROMPT);
    let lock = || project(&long).args(["render", "--all", "-o", "all"]);
    let ran = on_a_full_disk(lock()).any_stderr().status(2).run();
    assert!(ran.stderr.contains("cannot be written: File too large"), "{}", ran.stderr);
    assert_eq!(ran.list("project/all"), [""; 0]);
}

#[test]
fn a_full_disk_keeps_files_that_lint_would_fix() {
    // A repeated item, which `lint` removes, in a file over the limit and in one within it.
    let text = |body: &str| {
        let xml = "<directive name=\"x\" version=\"1.0.0\">\n<metadata>\n<description>Go</description>\n<context>\n<before>k</before>\n\
                   <before>k</before>\n</context>\n</metadata>\n</directive>";
        super::block(xml).replace("Hello.", body)
    };
    let fixed = |text: &str| test().file(DIRECTIVE_PATH, text).file(KNOWLEDGE_PATH, KNOWLEDGE).args(["lint", "--fix"]);
    let long = text(&"Go there. ".repeat(5_000));
    let ran = on_a_full_disk(fixed(&long)).any_stdout().any_stderr().status(2).run();
    assert!(ran.stderr.contains("File too large"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.read(DIRECTIVE_PATH), long);
    assert_eq!(ran.list("project/.ai/directives"), ["x.md"]);
    let short = text("Go there.");
    let ran = on_a_full_disk(fixed(&short)).any_stdout().any_stderr().run();
    assert_ne!(ran.read(DIRECTIVE_PATH), short);
}

/// Status and standard error of the program with its standard output redirected by a shell.
fn redirected(words: &str, to: &str) -> (Option<i32>, String) {
    let folder = test().file(DIRECTIVE_PATH, &DIRECTIVE.replace("Hello.", &"word ".repeat(50_000))).kept();
    let mut command = Command::new("sh");
    command.args(["-c", &format!("\"$0\" {words} {to}"), PROGRAM]);
    let mut command = crate::support::isolated(command, &folder.path().join("home"));
    let command = command.env("RYE_SYSTEM_SPACE", "none").current_dir(folder.path().join("project"));
    let output = command.stdin(Stdio::null()).output().expect("a shell");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn standard_output_that_accepts_nothing_is_an_error() {
    for words in ["render x", "render x --format json", "explain x", "explain x --blame", "chain x", "list", "lint"] {
        let (status, stderr) = redirected(words, "> /dev/full");
        assert_eq!(status, Some(2), "{words}: {stderr}");
        assert!(stderr.contains("No space left on device"), "{words}: {stderr}");
        let (done, stderr) = redirected(words, "> /dev/null");
        assert!(done <= Some(1) && !stderr.contains("error"), "{words}: {stderr}");
        // With standard output closed, the status and the messages are the same.
        assert_eq!(redirected(words, ">&-"), (done, stderr), "{words}");
    }
}

#[test]
fn a_deleted_working_folder_is_named() {
    let expected = "error[invalid_argument]: the working folder no longer exists\nhelp: go to another folder\n";
    for words in [["render", "x"], ["list", "tool"], ["lint", "."], ["agents", "x"], ["explain", "x"]] {
        let gone = test().through(&["sh", "-c", "mkdir gone && cd gone && rmdir ../gone && exec \"$@\"", "sh"]);
        let ran = gone.args(words).any_stderr().status(2).run();
        assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
    }
}
