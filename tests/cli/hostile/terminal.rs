//! Characters that act on a terminal: seen there, and exact everywhere else.

use std::process::Command;

use super::{DIRECTIVE, DIRECTIVE_PATH, KNOWLEDGE_PATH, block, test};
use crate::announce;
use crate::support::Test;

/// A title and a colour for the terminal, a bell, a change of direction, an isolate, a C1 control, a byte order mark, an
/// invisible letter.
const ACTS: &str = "\u{1b}]0;title\u{7}\u{1b}[31m\u{202e}\u{2066}\u{9b}\u{feff}\u{e0041}\u{8}";
const SEEN: &str = "<U+001B>]0;title<U+0007><U+001B>[31m<U+202E><U+2066><U+009B><U+FEFF><U+E0041><U+0008>";

/// A directive whose body, item and input hold them; only an input can bring a CR past universal newlines.
fn items() -> Test {
    let xml = "<directive name=\"x\"><metadata><context><before>k</before></context></metadata>\
               <inputs><input name=\"v\"/></inputs></directive>";
    test()
        .file(DIRECTIVE_PATH, &block(xml).replace("Hello.", &format!("Body {ACTS} {{input:v}} {{env:E}}.")))
        .file(KNOWLEDGE_PATH, &format!("```yaml\nname: K\n```\nKnown {ACTS}.\n"))
        .args(["render", "x", "--input", &format!("v=a\rb{ACTS}"), "--env", &format!("E={ACTS}")])
}

/// Both messages of [`items`], with `acts` in their places and `cr` for the carriage return.
fn prompt(acts: &str, cr: &str) -> String {
    format!("Known {acts}.\n\n<directive name=\"x\">\nBody {acts} a{cr}b{acts} {acts}.\n</directive>")
}

/// Whether a character acts on a terminal.
fn acts(c: char) -> bool {
    c == '\r' || ACTS.contains(c) && !c.is_ascii_graphic()
}

/// Runs a test on a terminal and gives what that shows, both outputs together; none where there is no `script`.
pub(crate) fn on_a_terminal(test: Test) -> Option<String> {
    on_a_screen(test, "")
}

/// The same after a command, which may give the terminal a size.
pub(crate) fn on_a_screen(test: Test, before: &str) -> Option<String> {
    let wrapper =
        format!("for word; do line=\"$line '$word'\"; done; exec script -qefc \"{before}$line\" /dev/null </dev/null");
    let can = Command::new("script").args(["-qefc", "exit 3", "/dev/null"]).output();
    if can.ok().and_then(|output| output.status.code()) != Some(3) {
        announce("a terminal: not run: there is no `script` that runs a command on one");
        return None;
    }
    let ran = test.through(&["sh", "-c", &wrapper, "sh"]).any_stdout().run();
    // A terminal makes CR and LF of a line feed.
    Some(ran.stdout.replace("\r\n", "\n"))
}

#[test]
fn plain_is_seen_on_a_terminal_and_exact_elsewhere() {
    let plain = || items().args(["--format", "plain"]);
    if let Some(shown) = on_a_terminal(plain()) {
        // The last line is ended by way of standard error, so that the shell's prompt does not stand behind it.
        assert_eq!(shown, prompt(SEEN, "<U+000D>") + "\n");
    }
    plain().stdout(&prompt(ACTS, "\r")).run();
    let ran = plain().args(["-o", "out"]).run();
    assert_eq!(ran.read("project/out"), prompt(ACTS, "\r"));
}

#[test]
fn json_is_seen_on_a_terminal_and_parses_elsewhere() {
    let json = || items().args(["--format", "json"]);
    if let Some(shown) = on_a_terminal(json()) {
        assert_eq!(shown.matches(acts).collect::<String>(), "");
        assert!(shown.contains("\\u202e"), "{shown}");
        let document: serde_json::Value = serde_json::from_str(shown.trim()).expect("JSON");
        assert_eq!(document["messages"][0]["text"], prompt(ACTS, "\r").as_str());
    }
    for text in [json().any_stdout().run().stdout, json().args(["-o", "out"]).run().read("project/out")] {
        let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(document["messages"][0]["text"], prompt(ACTS, "\r").as_str());
    }
}

#[test]
fn text_is_seen_on_a_terminal_and_exact_elsewhere() {
    let text = || items().args(["--format", "text"]);
    let in_the_margin = |acts: &str| format!("│ Known {acts}.\n");
    if let Some(shown) = on_a_terminal(text().env("NO_COLOR", "1")) {
        assert_eq!(shown.matches(acts).collect::<String>(), "");
        assert!(shown.contains(&in_the_margin(SEEN)), "{shown}");
        // With colours, the only control character is the one that begins a colour of ours.
        let shown = on_a_terminal(text().args(["--color", "always"])).expect("it ran before");
        assert_eq!(shown.replace("\u{1b}[", "").matches(acts).collect::<String>(), "");
    }
    let ran = text().any_stdout().run();
    assert!(ran.stdout.contains(&in_the_margin(ACTS)), "{}", ran.stdout);
    // Colours are for a terminal, whatever they pass through on the way.
    let ran = text().args(["--color", "always"]).any_stdout().run();
    assert_eq!(ran.stdout.replace("\u{1b}[", "").matches(acts).collect::<String>(), "");
}

#[test]
fn names_and_errors_are_seen_wherever_they_are_read() {
    let project = || test().file(DIRECTIVE_PATH, DIRECTIVE).file(&format!("project/.ai/directives/{ACTS}.md"), "none");
    let with_limit = || project().file("project/.ai/config/agent/resilience.yaml", "limits: {defaults: {turns: 1}}\n");
    let declares = || {
        let xml = "<directive name=\"x\"><inputs><input name=\"v\"/></inputs></directive>";
        project().file(DIRECTIVE_PATH, &block(xml))
    };
    let cases: [(&dyn Fn() -> Test, [String; 3]); 8] = [
        (&project, [ACTS.to_string(), "--color".into(), "never".into()]),
        (&project, [format!("./{ACTS}x.md"), "--color".into(), "never".into()]),
        (&project, ["x".into(), "--protocol".into(), ACTS.into()]),
        (&project, ["x".into(), "--project".into(), ACTS.into()]),
        (&project, ["x".into(), "--env-file".into(), ACTS.into()]),
        (&project, ["x".into(), "--format".into(), ACTS.into()]),
        (&declares, ["x".into(), "--input".into(), format!("{ACTS}=1")]),
        (&with_limit, ["x".into(), "--limit".into(), format!("{ACTS}=1")]),
    ];
    for (project, arguments) in cases {
        let typed = || arguments.iter().fold(project().args(["render"]), |test, word| test.args([word]));
        let ran = typed().any_stderr().status(2).run();
        assert_eq!(ran.stderr.matches(acts).collect::<String>(), "", "{}", ran.stderr);
        assert!(ran.stderr.contains(SEEN), "{}", ran.stderr);
        if let Some(shown) = on_a_terminal(typed().env("NO_COLOR", "1").status(2)) {
            assert_eq!(shown.matches(acts).collect::<String>(), "", "{shown}");
        }
        if !arguments.contains(&"--format".to_string())
            && let Some(shown) = on_a_terminal(typed().args(["--format", "json"]).status(2))
        {
            assert_eq!(shown.matches(acts).collect::<String>(), "", "{shown}");
            assert!(shown.starts_with("{\"error\":"), "{shown}");
        }
    }
    test().file(DIRECTIVE_PATH, DIRECTIVE).args(["render", "x", "--format", "plain"]).stdout(super::PROMPT).run();
}
