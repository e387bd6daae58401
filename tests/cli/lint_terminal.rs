//! How `lint` shows names and bytes that are made to look like something else.

use crate::hostile::terminal::on_a_terminal;
use crate::support::Test;

/// Whether a character controls a terminal.
fn acts(c: char) -> bool {
    c == '\u{1b}' || c == '\u{202e}' || c == '\u{9b}'
}

fn test() -> Test {
    Test::new().env("RYE_SYSTEM_SPACE", "none")
}

fn directive(inside: &str) -> String {
    format!("```xml\n<directive name=\"a\" version=\"1\"{inside}</directive>\n```\n\nGo.\n")
}

/// A name with a newline could otherwise imitate a finding.
#[test]
fn no_name_starts_a_line() {
    let fake = "error.md:1:1: error[RR603] fake";
    let parent =
        format!(" extends=\"x\n{fake}\nz\"><metadata><description>D</description><context><before>b\n{fake}\n");
    let named = || {
        test()
            .file("project/.ai/directives/a.md", &directive(&format!("{parent}</before></context></metadata>")))
            .file(&format!("project/.ai/directives/{fake}.md"), "No block.\n")
            .file(&format!("project/.ai/knowledge/x\n{fake}\nz.md"), "```yaml\n- a\n```\n\nText.\n")
            .file(&format!("project/.ai/tools/x\n{fake}\nz.txt"), "No tool.\n")
            .args(["lint", "--select", "ALL"])
    };
    for format in ["text", "concise"] {
        let ran = named().args(["--format", format]).any_stdout().status(1).run();
        assert!(ran.stdout.contains("x<U+000A>error.md:1:1"), "{}", ran.stdout);
        let spoofed: Vec<_> = ran.stdout.lines().filter(|line| line.trim_start().starts_with("error.md")).collect();
        assert!(spoofed.is_empty(), "{spoofed:?}\n{}", ran.stdout);
    }
    let ran = named().args(["--show-files"]).any_stdout().run();
    assert_eq!(ran.stdout.lines().count(), 3, "{}", ran.stdout);
}

#[test]
fn a_patch_is_escaped_on_a_terminal_and_exact_elsewhere() {
    let inside = "><inputs><input name=\"x\" required=\"true\" default=\"\u{202e}1\"/></inputs>";
    let patch = || test().file("project/.ai/directives/a.md", &directive(inside)).args(["lint", "--diff"]);
    if let Some(shown) = on_a_terminal(patch().status(1).any_stderr()) {
        assert!(shown.contains("<U+202E>") && !shown.contains(acts), "{shown}");
    }
    let ran = patch().any_stdout().any_stderr().status(1).run();
    assert!(ran.stdout.contains('\u{202e}'), "{}", ran.stdout);
}

#[test]
fn settings_are_escaped_on_a_terminal_and_exact_elsewhere() {
    let shown = || {
        test().file("project/.ai/config/rye-render.yaml", "lint: {exclude: [\"a\\u202e\\u009b\"]}\n").args([
            "lint",
            "--show-settings",
            "--format",
            "json",
        ])
    };
    if let Some(shown) = on_a_terminal(shown()) {
        assert!(shown.contains("\\u202e") && !shown.contains(acts), "{shown}");
    }
    let ran = shown().any_stdout().run();
    assert!(ran.stdout.contains('\u{202e}'), "{}", ran.stdout);
}
