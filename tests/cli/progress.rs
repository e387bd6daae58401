//! The progress line of a long run; a fake `git` makes runs long.

use std::fs;

use crate::running::{Files, Watching, on_a_terminal, with_terminal};

/// A project in which `lint` runs git, and a fake `git` that runs a script first.
fn with_git(files: Files, script: &str) -> Files {
    use std::os::unix::fs::PermissionsExt;
    files.write("project/.gitignore", "k.md\n");
    files.write("project/.git/HEAD", "");
    files.write("bin/git", &format!("#!/bin/sh\n{script}\nexit 1\n"));
    fs::set_permissions(files.path("bin/git"), fs::Permissions::from_mode(0o755)).expect("it is ours");
    files
}

/// The search path, with that `git` in front.
fn search_path(files: &Files) -> String {
    format!("{}:{}", files.path("bin").display(), std::env::var("PATH").unwrap_or_default())
}

const LINE: &str = "\r\u{1b}[Kreading files: 2 of 2";

#[test]
fn a_progress_line_is_shown_and_removed() {
    let Some(files) = with_terminal() else { return };
    let files = with_git(files, "while ! [ -e ../go ]; do sleep 0.02; done");
    let mut command = on_a_terminal(&files, "xterm", "lint --select RR106");
    let mut lint = Watching::start(command.env("PATH", search_path(&files)));
    lint.out.holds(LINE);
    files.write("go", "");
    lint.out.rest();
    let shown = &lint.out.text;
    let (lines, result) = shown.rsplit_once("\r\u{1b}[K").expect("it is removed");
    assert!(lines.starts_with(LINE), "{shown:?}");
    assert!(result.contains(" checked") && !result.contains("reading"), "{shown:?}");
}

/// Longer than the delay of the progress line.
const LONG: &str = "sleep 1.5";

#[test]
fn pipes_and_formats_for_programs_get_no_progress_line() {
    let files = with_git(Files::new(), LONG);
    let mut command = files.command(&["lint", "--select", "RR106"]);
    let output = command.env("PATH", search_path(&files)).output().expect("it runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("reading") && !stderr.contains('\u{1b}'), "{stderr:?}");
    let Some(files) = with_terminal() else { return };
    let files = with_git(files, LONG);
    for (kind, typed) in [("dumb", "lint --select RR106"), ("xterm", "lint --select RR106 --format json")] {
        let mut command = on_a_terminal(&files, kind, typed);
        let mut lint = Watching::start(command.env("PATH", search_path(&files)));
        lint.out.rest();
        assert!(lint.ended().success(), "{}", lint.out.text);
        assert!(!lint.out.text.contains("reading") && !lint.out.text.contains("\u{1b}[K"), "{:?}", lint.out.text);
    }
}
