//! `--watch`: what runs again, when, and what it writes. Tests wait for output, and later output proves that nothing else
//! was written before, so no test fails because of timing.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::repo::{Repo, git_is_there};
use crate::running::{DEADLINE, DIRECTIVE, Files, Watching, directive, knowledge, on_a_terminal, with_terminal};
use crate::support::Test;

const JSON: [&str; 4] = ["render", "d", "--format", "json"];

#[test]
fn an_edit_is_noticed_however_the_file_is_saved() {
    let files = Files::new();
    let mut watching = files.watch(&JSON);
    assert!(watching.message(1).contains("One nothing"));
    files.replace(DIRECTIVE, &directive("Two"));
    assert!(watching.message(2).contains("Two nothing"));
    files.remove(DIRECTIVE);
    watching.err.holds("\"error\"");
    files.replace(DIRECTIVE, &directive("Three"));
    assert!(watching.message(3).contains("Three nothing"));
    // Written in place, the file is empty for a moment, which the program may see.
    files.write(DIRECTIVE, &directive("Four"));
    assert!(watching.message(4).contains("Four nothing"));
    assert!(watching.out.text.ends_with("}\n") && !watching.out.text.contains('\u{1b}'), "{}", watching.out.text);
}

/// The first change that is shown is to a file that the prompt uses, so the changes before it were ignored.
#[test]
fn unrelated_changes_are_ignored() {
    let files = Files::new();
    files.write("project/.ai/knowledge/other.md", &knowledge("Other"));
    let mut watching = files.watch(&JSON);
    watching.document(1);
    files.replace("project/.ai/knowledge/other.md", &knowledge("Changed"));
    files.replace("project/.ai/knowledge/new.md", &knowledge("New"));
    files.replace("project/.ai/directives/new.md", &directive("New"));
    files.replace("project/README.md", "Read me.\n");
    // Writing the same bytes again is not a change.
    files.replace(DIRECTIVE, &directive("One"));
    fs::File::open(files.path(DIRECTIVE)).and_then(|file| file.set_modified(std::time::SystemTime::now())).unwrap();
    files.replace("project/.ai/knowledge/k.md", &knowledge("Known now"));
    assert!(watching.message(2).contains("Known now"));
    files.replace("project/.ai/knowledge/k.md", &knowledge("Known later"));
    assert!(watching.message(3).contains("Known later"));
}

#[test]
fn a_new_item_in_a_nearer_tier_is_noticed() {
    let files = Files::empty();
    files.write(DIRECTIVE, &directive("One"));
    files.write("home/.ai/knowledge/k.md", &knowledge("The user's"));
    let mut watching = files.watch(&JSON);
    assert!(watching.message(1).contains("The user's"));
    files.replace("project/.ai/knowledge/k.md", &knowledge("The project's"));
    assert!(watching.message(2).contains("The project's"));
    fs::remove_dir_all(files.path("project/.ai/knowledge")).expect("the folder existed");
    assert!(watching.message(3).contains("The user's"));
}

#[test]
fn a_new_tier_is_noticed() {
    let files = Files::new();
    let mut watching = files.watch(&["render", "d", "--format", "json", "--user-space", "[none yet]"]);
    watching.err.holds("\"error\"");
    files.write("project/[none yet]/.ai/x", "");
    watching.document(1);
}

#[test]
fn every_file_of_the_prompt_is_watched() {
    let files = Files::new();
    files.write("project/inputs.yaml", "x: a file\n");
    files.write("project/env", "A=1\n");
    files.write("project/own.yaml", "name: own\nextends: rye-2\n");
    let mut watching = files.watch(&[
        "render",
        "d",
        "--format",
        "json",
        "--inputs",
        "inputs.yaml",
        "--env-file",
        "env",
        "--protocol-file",
        "own.yaml",
        "--protocol",
        "own",
    ]);
    assert!(watching.message(1).contains("One a file"));
    files.replace("project/inputs.yaml", "x: another\n");
    assert!(watching.message(2).contains("One another"));
    files.replace("project/env", "A=2\n");
    watching.document(3);
    files.replace("project/own.yaml", "name: own\nextends: rye-1\n");
    watching.document(4);
    files.replace("project/.ai/config/rye-render.yaml", "protocols: 7\n");
    watching.err.holds("\"error\"");
    files.remove("project/.ai/config/rye-render.yaml");
    watching.document(5);
    files.replace("project/.ai/config/keys/trusted/nobody.toml", "");
    files.replace(DIRECTIVE, &directive("Two"));
    assert!(watching.message(6).contains("Two another"), "a key that no signature names is ignored");
}

#[test]
fn an_invalid_file_is_reported_and_the_watch_continues() {
    let files = Files::new();
    let mut watching = files.watch(&["render", "d", "--format", "plain", "--role", "user"]);
    watching.out.holds("One nothing");
    files.replace(DIRECTIVE, "```xml\n<directive name=\"d\" vers");
    watching.err.holds("error[");
    files.replace(DIRECTIVE, &directive("Mended"));
    watching.out.holds("Mended nothing");
    files.replace("project/.ai/knowledge/k.md", &knowledge("Known again"));
    watching.out.holds("Known again");
    assert!(!watching.err.text.contains("watching"), "the status line is for terminals: {}", watching.err.text);
}

#[test]
fn a_new_context_file_above_a_folder_is_noticed() {
    let files = Files::empty();
    files.write("project/a/b/AGENTS.md", "Use tabs.\n");
    let command = ["render", "--protocol", "sf", "--format", "json", "--cwd", "a/b", "--now", "2026-01-01T00:00:00Z"];
    let mut watching = files.watch(&command);
    watching.document(1);
    files.replace("project/a/b/main.rs", "fn main() {}\n");
    files.replace("project/a/AGENTS.md", "Use words.\n");
    let all = watching.document(2).to_string();
    assert!(all.contains("Use tabs.") && all.contains("Use words."), "{all}");
    files.remove("project/a/AGENTS.md");
    assert!(!watching.document(3).to_string().contains("Use words."));
}

#[test]
fn explain_runs_again() {
    let files = Files::new();
    let mut watching = files.watch(&["explain", "d", "--why", "k", "--format", "json"]);
    let before = watching.document(1);
    files.replace("project/.ai/knowledge/other.md", &knowledge("Other"));
    files.replace(DIRECTIVE, &directive("Two").replace("<before>k</before>", ""));
    assert_ne!(watching.document(2), before);
    let mut watching = files.watch(&["explain", "d", "--grep", "Two"]);
    watching.out.holds("Two nothing");
    files.replace(DIRECTIVE, &directive("Two two"));
    watching.out.holds("Two two nothing");
}

#[test]
fn lint_runs_again() {
    let files = Files::new();
    let mut watching = files.watch(&["lint", "--format", "json", "--select", "RR106"]);
    let count = |document: &Value| document["findings"].as_array().expect("findings").len();
    assert_eq!(count(&watching.document(1)), 0);
    files.replace("project/README.md", "Read me.\n");
    files.replace("project/.ai/directives/new.md", &directive("New").replace(">k<", ">absent<"));
    assert!(count(&watching.document(2)) > 0);
    files.remove("project/.ai/directives/new.md");
    assert_eq!(count(&watching.document(3)), 0);
    files.replace("project/.gitignore", "d.md\n");
    watching.document(4);
}

/// In a linked work tree and in a submodule, `.git` is a file, and the index is elsewhere.
#[test]
fn a_newly_tracked_file_is_checked() {
    if !git_is_there() {
        return;
    }
    let files = Files::empty();
    let main = Repo::init(&files.path("main"));
    main.write("README.md", "Read me.\n").commit("one");
    fs::remove_dir(files.path("project")).expect("it is empty");
    let worktree = main.worktree(&files.path("project"), "main");
    let inner = worktree.submodule(".ai/directives", &main);
    files.write("project/.gitignore", "three.md\n");
    files.write("project/.ai/directives/.gitignore", "one.md\n");
    files.write("project/.ai/knowledge/three.md", &knowledge("Three"));
    files.write("project/.ai/directives/one.md", &directive("One"));
    files.write("project/.ai/knowledge/k.md", &knowledge("Known"));
    let mut watching = files.watch(&["lint", "--show-files"]);
    watching.out.holds(".ai/knowledge/k.md\n");
    inner.git(&["add", "--force", "one.md"]);
    watching.out.holds(".ai/directives/one.md\n");
    assert!(!watching.out.text.contains("three.md"), "{}", watching.out.text);
    worktree.git(&["add", "--force", ".ai/knowledge/three.md"]);
    watching.out.holds(".ai/knowledge/three.md\n");
}

#[test]
fn lint_of_a_folder_runs_again() {
    let files = Files::empty();
    files.write("project/AGENTS.md", "Use tabs.\n");
    let mut watching = files.watch(&["lint", "--protocol", "sf", "--show-files"]);
    watching.out.holds("AGENTS.md\n");
    files.replace("project/sub/AGENTS.md", "Use words.\n");
    watching.out.holds("sub/AGENTS.md\n");
}

#[cfg(unix)]
#[test]
fn link_targets_are_watched() {
    let files = Files::empty();
    files.write("elsewhere/d.md", &directive("One"));
    files.write("second/d.md", &directive("Second"));
    files.write("project/.ai/knowledge/k.md", &knowledge("Known"));
    std::os::unix::fs::symlink("../../elsewhere", files.path("project/.ai/directives")).expect("a link");
    let mut watching = files.watch(&["render", "d", "--format", "json", "--follow-links"]);
    assert!(watching.message(1).contains("One"));
    files.replace("elsewhere/d.md", &directive("Two"));
    assert!(watching.message(2).contains("Two"));
    std::os::unix::fs::symlink("../../second", files.path("project/.ai/link")).expect("a link");
    fs::rename(files.path("project/.ai/link"), files.path("project/.ai/directives")).expect("it replaces the old one");
    assert!(watching.message(3).contains("Second"));
}

#[test]
fn the_output_file_is_replaced_each_time() {
    let files = Files::new();
    let (out, read) = (files.path("project/out.md"), |path: &Path| fs::read_to_string(path).unwrap_or_default());
    let shows = |text: &str| {
        let begun = Instant::now();
        while !read(&out).contains(text) {
            assert!(begun.elapsed() < DEADLINE, "{}", read(&out));
            thread::sleep(Duration::from_millis(5));
        }
    };
    let mut watching = files.watch(&["render", "d", "--format", "plain", "-o", "out.md"]);
    shows("One nothing");
    files.replace(DIRECTIVE, &directive("Two"));
    shows("Two nothing");
    assert_eq!(watching.child.try_wait().expect("it is ours"), None);
    assert_eq!(watching.out.text, "");
}

/// The report is in the checked folder. Each run warns once that nothing was checked. An extra run would start during the
/// pause below; if the pause is too short, the test may miss it, but never fails without cause.
#[test]
fn the_output_file_does_not_trigger_a_run() {
    let files = Files::new();
    let mut watching = files.watch(&["lint", "--exclude", "*", "-o", ".ai/directives/report.txt"]);
    watching.err.holds("all 2 files in the project");
    thread::sleep(Duration::from_millis(500));
    files.replace("project/.ai/directives/e.md", &directive("Also"));
    watching.err.holds("all 3 files in the project");
    let said = &watching.err.text;
    assert_eq!(said.matches("warning[nothing_checked]").count(), 2, "{said}");
}

#[test]
fn render_all_runs_again() {
    let files = Files::new();
    let _watching = files.watch(&["render", "--all", "-o", "prompts"]);
    let shows = |name: &str, text: &str| {
        let begun = Instant::now();
        while !fs::read_to_string(files.path("project/prompts").join(name)).is_ok_and(|all| all.contains(text)) {
            assert!(begun.elapsed() < DEADLINE, "{name} {text}");
            thread::sleep(Duration::from_millis(5));
        }
    };
    shows("d.json", "One ");
    files.replace("project/.ai/directives/e.md", &directive("Also"));
    shows("e.json", "Also ");
    files.replace(DIRECTIVE, &directive("Two"));
    shows("d.json", "Two ");
}

#[test]
fn standard_input_is_read_once() {
    let files = Files::new();
    let mut watching = files.watch(&["render", "d", "--format", "json", "--inputs", "-"]);
    watching.child.stdin.take().expect("it is piped").write_all(b"x: typed\n").expect("it is read");
    assert!(watching.message(1).contains("One typed"));
    files.replace(DIRECTIVE, &directive("Two"));
    assert!(watching.message(2).contains("Two typed"));
}

#[test]
fn a_permanent_error_ends_the_watch() {
    let files = Files::new();
    for (arguments, said) in [
        (&["render", "d", "--role", "user", "--format", "json"][..], "--role requires"),
        (&["lint", "--fix"], "cannot be used with"),
        (&["lint", "--stdin-filename", "a.md"], "cannot be used with"),
        (&["lint", "--explain", "RR101"], "cannot be used with"),
        (&["render", "--git-textconv", "a.md"], "cannot be used with"),
    ] {
        let output = files.command(arguments).arg("--watch").output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && stderr.contains(said), "{arguments:?}: {stderr}");
    }
    Test::new().args(["diff", "--watch"]).status(2).any_stderr().run();
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_watch() {
    let files = Files::new();
    let mut child = files.command(&JSON).arg("--watch").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().expect("it is piped");
    out.read_exact(&mut [0]).expect("something is written");
    drop(out);
    let output = child.wait_with_output().expect("it ends, though nothing changes");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_watch() {
    use std::os::unix::process::ExitStatusExt;
    let files = Files::new();
    let mut watching = files.watch(&JSON);
    watching.document(1);
    let sent = Command::new("kill").args(["-INT", &watching.child.id().to_string()]).status();
    assert!(sent.expect("there is `kill`").success());
    assert_eq!(watching.ended().signal(), Some(2));
}

const DRAW: &str = "render d --format plain --color never --watch";

const CLEAR: &str = "\u{1b}[2J\u{1b}[H";

/// On a terminal, the screen is cleared and the result drawn; a line says what is watched and what changed.
#[test]
fn a_terminal_is_cleared_for_each_result() {
    let Some(files) = with_terminal() else { return };
    let mut watching = Watching::start(&mut on_a_terminal(&files, "xterm", DRAW));
    watching.out.holds("watching 2 files; press Ctrl-C to stop");
    let shown = watching.out.text.clone();
    assert!(shown.starts_with(CLEAR) && shown.contains("One nothing"), "{shown:?}");
    files.replace(DIRECTIVE, &directive("Two"));
    watching.out.holds(".ai/directives/d.md changed; watching 2 files; press Ctrl-C to stop");
    let all = watching.out.text.clone();
    let second = all.strip_prefix(&shown).unwrap_or_default();
    assert!(second.contains(CLEAR) && second.contains("Two nothing"), "{second:?}");
    assert_eq!(all.matches("\u{1b}[2J").count(), 2, "{all:?}");
    files.remove("project/.ai/knowledge/k.md");
    watching.out.holds(".ai/knowledge/k.md was deleted; watching 1 file; press Ctrl-C to stop");
    files.replace("project/.ai/knowledge/k.md", &knowledge("Known"));
    watching.out.holds(".ai/knowledge/k.md was created; watching 2 files; press Ctrl-C to stop");
    // Ctrl-C, as typed.
    watching.child.stdin.take().expect("it is piped").write_all(b"\x03").expect("the program reads it");
    assert_eq!(watching.ended().code(), Some(130));
}

/// Typed text is echoed at once, which shows that the screen is not cleared while the program waits for its inputs.
#[test]
fn the_screen_is_kept_until_the_next_result() {
    let Some(files) = with_terminal() else { return };
    assert!(Command::new("mkfifo").arg(files.path("project/fifo")).status().expect("mkfifo is installed").success());
    let open = |options: &mut fs::OpenOptions| options.open(files.path("project/fifo")).expect("the FIFO exists");
    let both = open(fs::OpenOptions::new().read(true).write(true));
    let mut inputs = open(fs::OpenOptions::new().write(true));
    drop(both);
    let mut watching = Watching::start(&mut on_a_terminal(&files, "xterm", &format!("{DRAW} --inputs fifo")));
    let begun = Instant::now();
    // The write succeeds once the program reads its inputs.
    while inputs.write_all(b"x: typed\n").is_err() {
        assert!(begun.elapsed() < DEADLINE);
        thread::sleep(Duration::from_millis(5));
    }
    watching.child.stdin.as_mut().expect("it is piped").write_all(b"meanwhile").expect("the program reads it");
    watching.out.holds("meanwhile");
    drop(inputs);
    watching.out.holds("One typed");
    files.replace(DIRECTIVE, "```xml\n<directive name=\"d\" vers");
    watching.out.holds("error[");
    let shown = &watching.out.text;
    let places = ["meanwhile", CLEAR, "One typed", CLEAR, "error["].iter().scan(0, |from, part| {
        *from += shown[*from..].find(part)? + part.len();
        Some(*from)
    });
    assert_eq!((places.count(), shown.matches(CLEAR).count()), (5, 2), "{shown:?}");
}

/// The result is longer than the screen, so a pager would be used otherwise.
#[test]
fn a_dumb_terminal_is_not_cleared_and_not_paged() {
    let Some(files) = with_terminal() else { return };
    files.write(DIRECTIVE, &directive(&"line\n".repeat(200)));
    let mut watching = Watching::start(&mut on_a_terminal(&files, "dumb", DRAW));
    watching.out.holds("watching 2 files; press Ctrl-C to stop");
    assert!(!watching.out.text.contains('\u{1b}'), "{:?}", watching.out.text);
    assert!(!watching.out.text.contains("paged:"), "{}", watching.out.text);
}
