//! Characters that control a terminal are escaped there, and unchanged everywhere else.

use super::{DIRECTIVE, DIRECTIVE_PATH, KNOWLEDGE_PATH, block, test};
use crate::support::{Test, has_terminal};

/// A title and a colour for the terminal, a bell, a direction override, an isolate, a C1 control, a byte order mark, an
/// invisible letter, a backspace.
const ACTS: &str = "\u{1b}]0;title\u{7}\u{1b}[31m\u{202e}\u{2066}\u{9b}\u{feff}\u{e0041}\u{8}";
const SEEN: &str = "<U+001B>]0;title<U+0007><U+001B>[31m<U+202E><U+2066><U+009B><U+FEFF><U+E0041><U+0008>";

/// A directive with these characters in its body, an item and an input. Only an input can contain a CR, because files
/// are read with universal newlines.
fn items() -> Test {
    let xml = "<directive name=\"x\"><metadata><context><before>k</before></context></metadata>\
               <inputs><input name=\"v\"/></inputs></directive>";
    test()
        .file(DIRECTIVE_PATH, &block(xml).replace("Hello.", &format!("Body {ACTS} {{input:v}} {{env:E}}.")))
        .file(KNOWLEDGE_PATH, &format!("```yaml\nname: K\n```\nKnown {ACTS}.\n"))
        .args(["render", "x", "--input", &format!("v=a\rb{ACTS}"), "--env", &format!("E={ACTS}")])
}

/// The prompt of [`items`], with `acts` for these characters and `cr` for the carriage return.
fn prompt(acts: &str, cr: &str) -> String {
    format!("Known {acts}.\n\n<directive name=\"x\">\nBody {acts} a{cr}b{acts} {acts}.\n</directive>")
}

/// Whether a character controls a terminal.
fn acts(c: char) -> bool {
    c == '\r' || ACTS.contains(c) && !c.is_ascii_graphic()
}

/// Runs a test on a terminal and returns both outputs as shown; none if `script` is missing.
pub(crate) fn on_a_terminal(test: Test) -> Option<String> {
    on_a_screen(test, "")
}

/// Like [`on_a_terminal`] after a command, which may set the size of the terminal.
pub(crate) fn on_a_screen(test: Test, before: &str) -> Option<String> {
    let wrapper =
        format!("for word; do line=\"$line '$word'\"; done; exec script -qefc \"{before}$line\" /dev/null </dev/null");
    if !has_terminal() {
        return None;
    }
    let ran = test.through(&["sh", "-c", &wrapper, "sh"]).any_stdout().run();
    // A terminal turns LF into CR LF.
    Some(ran.stdout.replace("\r\n", "\n"))
}

#[test]
fn plain_is_escaped_on_a_terminal_and_exact_elsewhere() {
    let plain = || items().args(["--format", "plain"]);
    if let Some(shown) = on_a_terminal(plain()) {
        // A final newline goes to standard error, so that the shell's prompt starts on a new line.
        assert_eq!(shown, prompt(SEEN, "<U+000D>") + "\n");
    }
    plain().stdout(&prompt(ACTS, "\r")).run();
    let ran = plain().args(["-o", "out"]).run();
    assert_eq!(ran.read("project/out"), prompt(ACTS, "\r"));
}

#[test]
fn json_is_escaped_on_a_terminal_and_parses_elsewhere() {
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
fn text_is_escaped_on_a_terminal_and_exact_elsewhere() {
    let text = || items().args(["--format", "text"]);
    let in_the_margin = |acts: &str| format!("│ Known {acts}.\n");
    if let Some(shown) = on_a_terminal(text().env("NO_COLOR", "1")) {
        assert_eq!(shown.matches(acts).collect::<String>(), "");
        assert!(shown.contains(&in_the_margin(SEEN)), "{shown}");
        // With colours, the only control characters are those of our own colour codes.
        let shown = on_a_terminal(text().args(["--color", "always"])).expect("it ran before");
        assert_eq!(shown.replace("\u{1b}[", "").matches(acts).collect::<String>(), "");
    }
    let ran = text().any_stdout().run();
    assert!(ran.stdout.contains(&in_the_margin(ACTS)), "{}", ran.stdout);
    // Coloured output is for a terminal, even if it passes through a pipe.
    let ran = text().args(["--color", "always"]).any_stdout().run();
    assert_eq!(ran.stdout.replace("\u{1b}[", "").matches(acts).collect::<String>(), "");
}

#[test]
fn names_and_errors_are_always_escaped() {
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

/// Every kind of string that a terminal treats as a command, by escape sequence and by C1 character: DCS, SOS, CSI, OSC,
/// PM, APC; deleting, hidden, isolating and direction characters; and a sequence whose removal forms a new one.
const CLASSES: &str = "\u{1b}P1$r\u{1b}\\\u{90}q\u{9c}\u{1b}Xs\u{98}\u{1b}[2J\u{9b}2J\u{1b}]52;c;\u{7}\u{9d}0;\u{9c}\u{1b}^p\u{9e}\u{1b}_a\u{9f}\
                       \u{1b}c\u{7f}\u{200e}\u{202a}\u{202e}\u{2067}\u{2069}\u{feff}\u{e0020}\u{1b}\u{1b}[31m[31m";

#[test]
fn every_kind_of_sequence_is_escaped_in_every_format() {
    let project = || {
        let xml = "<directive name=\"x\"><metadata><description>CLASSES</description>\
                   <context><before>k</before></context></metadata></directive>";
        // XML does not allow C0 control characters.
        let in_xml = CLASSES.replace(|c| c < ' ', "");
        let directive = block(xml).replace("Hello.", "Body CLASSES.\n").replace("CLASSES", &in_xml);
        let known = format!("```yaml\nname: K\n```\nKnown {CLASSES}.\n");
        test()
            .file(DIRECTIVE_PATH, &directive.replace("Body ", &format!("Body {CLASSES}")))
            .file(KNOWLEDGE_PATH, &known)
            .file("project/AGENTS.md", &format!("Rule {CLASSES}.\n"))
            .file("project/saved.json", "{\"messages\": [{\"role\": \"user\", \"content\": \"\\u001b[2J \\u009b\"}]}")
            .env("NO_COLOR", "1")
    };
    let is_unseen = |c: char| {
        let is_of_lines = c == '\n' || c == '\t';
        c.is_control() && !is_of_lines || CLASSES.contains(c) && !c.is_ascii_graphic() && c != ' '
    };
    let views: [&[&str]; 14] = [
        &["render", "x"],
        &["render", "x", "--format", "plain"],
        &["render", "--protocol", "sf", "--cwd", "."],
        &["explain", "x"],
        &["explain", "x", "--blame"],
        &["explain", "x", "--why", "k"],
        &["explain", "x", "--grep", "Known"],
        &["explain", "x", "--from", ".ai/knowledge/k.md"],
        &["explain", "--protocol", "sf", "--blame"],
        &["diff", "x", "saved.json", "--exit-zero"],
        &["lint", "--fail-on", "off"],
        &["list"],
        &["chain", "x"],
        &["chain", "--cwd", "."],
    ];
    for words in views {
        let typed = words.iter().fold(project(), |test, word| test.args([*word]));
        let Some(shown) = on_a_terminal(typed) else { return };
        assert_eq!(shown.matches(is_unseen).collect::<String>(), "", "{words:?}: {shown}");
        assert!(!shown.is_empty(), "{words:?}");
    }
}

/// JSON can escape a lone surrogate, but UTF-8 text cannot contain one.
#[test]
fn a_lone_surrogate_is_refused() {
    let saved = |text: &str| {
        let saved = format!("{{\"messages\": [{{\"role\": \"user\", \"content\": \"{text}\"}}]}}");
        let test = test().file("project/saved.json", &saved).file("project/other.json", &saved);
        test.args(["diff", "saved.json", "other.json"])
    };
    let ran = saved("\\ud800 x").any_stderr().status(2).run();
    assert!(
        ran.stderr.starts_with("error[invalid_argument]: not a saved transcript or request body: it is not JSON"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("\n --> saved.json:1:"), "{}", ran.stderr);
    saved("\\ud83d\\ude00 x").any_stdout().run();
}
